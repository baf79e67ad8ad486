"""What became of each stretch of a message, found after it was said."""

from __future__ import annotations

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_STATEMENT = """
    CREATE TABLE message_clauses (
        message INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (message),
        FOREIGN KEY(message) REFERENCES message (id)
    )
     STRICT
"""


def upgrade() -> None:
    """Add the table."""
    op.get_bind().exec_driver_sql(_STATEMENT)
