"""Keys of steps without an index of their own: a key is made of the run, the row and the item, which are unique."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Drop the index on `step.key`, which slowed down every step of a run."""
    op.get_bind().exec_driver_sql("DROP INDEX step_key")
