"""Numbers beside every run, step, event and message that say whether it is still what was written."""

from __future__ import annotations

import zlib
from typing import Any

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_COLUMNS = (
    ("run", "digest", 'id, project, request, base_revision, seed, planner, "plan", approval, base_iteration, '
                      "iteration, answer, created"),
    ("run", "progress_digest", "state, revision, updated"),
    ("step", "digest", 'id, step, state, tool, "key", inputs, result, reason, intent_at, done_at'),
    ("event", "digest", "id, kind, at, body"),
    ("message", "digest", "project, role, text, run, created"),
)  # fmt: skip


def upgrade() -> None:
    """Add the columns, filled for what is there: it is taken as it is found."""
    bind = op.get_bind()
    driver: Any = bind.connection.driver_connection
    driver.create_function("checksum_0008", -1, _checksum, deterministic=True)
    # The index of words follows every change of a message; its words stay.
    [trigger] = bind.exec_driver_sql("SELECT sql FROM sqlite_master WHERE name = 'message_changed'").one()
    bind.exec_driver_sql("DROP TRIGGER message_changed")
    for table, digest, columns in _COLUMNS:
        bind.exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN {digest} INTEGER")
        bind.exec_driver_sql(f"UPDATE {table} SET {digest} = checksum_0008({columns})")  # noqa: S608
    bind.exec_driver_sql(trigger)


def _checksum(*values: str | int | None) -> int:
    text = "\x1f".join(["\x00" if value is None else str(value) for value in values])
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))
