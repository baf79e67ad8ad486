"""${message}."""

from __future__ import annotations

from alembic import op

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = ${repr(branch_labels)}
depends_on = ${repr(depends_on)}


def upgrade() -> None:
    """Batch migrations drop triggers: create them again here, and run a full-text 'rebuild'."""
    ${upgrades if upgrades else "pass"}
