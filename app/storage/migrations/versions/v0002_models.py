"""What models used and cost, and what a person thought of the rows that were proposed."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_STATEMENTS = (
    """
    CREATE TABLE usage_entry (
        id INTEGER NOT NULL,
        project TEXT,
        run TEXT,
        planning TEXT,
        provider TEXT NOT NULL,
        model TEXT NOT NULL,
        purpose TEXT NOT NULL,
        input INTEGER NOT NULL,
        output INTEGER NOT NULL,
        cached INTEGER NOT NULL,
        cost REAL,
        created TEXT NOT NULL,
        PRIMARY KEY (id),
        CONSTRAINT usage_purpose CHECK (purpose IN ('plan', 'run', 'test')),
        CONSTRAINT usage_counts CHECK (input >= 0 AND output >= 0 AND cached >= 0 AND cost >= 0)
    )
     STRICT
    """,
    """
    CREATE INDEX usage_created ON usage_entry (created)
    """,
    """
    CREATE INDEX usage_planning ON usage_entry (planning)
    """,
    """
    CREATE INDEX usage_run ON usage_entry (run)
    """,
    """
    CREATE TABLE verdict (
        id INTEGER NOT NULL,
        project TEXT NOT NULL,
        request TEXT NOT NULL,
        step TEXT NOT NULL,
        deed TEXT NOT NULL,
        reason TEXT NOT NULL,
        changed TEXT,
        created TEXT NOT NULL,
        PRIMARY KEY (id),
        CONSTRAINT verdict_deed CHECK (deed IN ('rejected', 'changed'))
    )
     STRICT
    """,
    """
    CREATE INDEX verdict_project ON verdict (project, id)
    """,
)


def upgrade() -> None:
    """Add the tables `usage_entry` and `verdict`; existing ones are not changed."""
    connection = op.get_bind()
    for statement in _STATEMENTS:
        connection.exec_driver_sql(statement)
