"""What was last written to files that a person named, so that nothing else is ever replaced unasked."""

from __future__ import annotations

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_STATEMENT = """
    CREATE TABLE written_file (
        path TEXT NOT NULL,
        digest TEXT NOT NULL,
        created TEXT NOT NULL,
        PRIMARY KEY (path),
        CONSTRAINT written_file_digest CHECK (length(digest) = 64)
    )
     STRICT
"""


def upgrade() -> None:
    """Add the table."""
    op.get_bind().exec_driver_sql(_STATEMENT)
