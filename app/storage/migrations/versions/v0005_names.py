"""Names that a person gives to iterations; the iterations themselves stay as they were written."""

from __future__ import annotations

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_STATEMENT = """
    CREATE TABLE iteration_name (
        iteration TEXT NOT NULL,
        name TEXT NOT NULL,
        PRIMARY KEY (iteration),
        CONSTRAINT iteration_name_length CHECK (length(name) BETWEEN 1 AND 120),
        FOREIGN KEY(iteration) REFERENCES iteration (id)
    )
     STRICT
"""


def upgrade() -> None:
    """Add the table `iteration_name`."""
    op.get_bind().exec_driver_sql(_STATEMENT)
