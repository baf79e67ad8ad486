"""Runs get numbers, and their steps and events keys of one number each: what a run stores comes last in its table."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import zstandard
from alembic import op

from agent.message import msg
from app.storage.errors import StorageError

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_RUN = (
    """
    CREATE TABLE run (
        number INTEGER NOT NULL,
        id TEXT NOT NULL,
        project TEXT NOT NULL,
        request TEXT NOT NULL,
        state TEXT NOT NULL,
        "plan" TEXT,
        approval TEXT,
        base_iteration TEXT,
        base_revision TEXT NOT NULL,
        revision TEXT NOT NULL,
        seed INTEGER NOT NULL,
        planner TEXT NOT NULL,
        created TEXT NOT NULL,
        updated TEXT NOT NULL,
        iteration TEXT,
        answer TEXT,
        PRIMARY KEY (number),
        CONSTRAINT run_state_named CHECK (length(state) BETWEEN 1 AND 40),
        UNIQUE (id),
        FOREIGN KEY(project) REFERENCES project (id),
        FOREIGN KEY("plan") REFERENCES object (hash),
        FOREIGN KEY(base_iteration) REFERENCES iteration (id),
        FOREIGN KEY(iteration) REFERENCES iteration (id)
    )
     STRICT
    """,
    "CREATE INDEX run_project ON run (project, created)",
    "CREATE INDEX run_state ON run (state)",
    """
    INSERT INTO run
        (id, project, request, state, "plan", approval, base_iteration, base_revision, revision, seed, planner, created,
        updated, iteration, answer)
    SELECT
        id, project, request, state, "plan", approval, base_iteration, base_revision, revision, seed, planner, created,
        updated, iteration, answer
    FROM old_run ORDER BY rowid
    """,
)
_STEP = """
    CREATE TABLE step (
        id INTEGER NOT NULL,
        run INTEGER NOT NULL GENERATED ALWAYS AS (id >> 40) VIRTUAL,
        place INTEGER NOT NULL GENERATED ALWAYS AS ((id >> 20) & 1048575) VIRTUAL,
        item INTEGER NOT NULL GENERATED ALWAYS AS ((id & 1048575) - 1) VIRTUAL,
        step TEXT NOT NULL,
        state TEXT NOT NULL,
        tool TEXT NOT NULL,
        inputs TEXT NOT NULL,
        result TEXT,
        reason TEXT NOT NULL,
        "key" TEXT NOT NULL,
        intent_at TEXT,
        done_at TEXT,
        PRIMARY KEY (id),
        CONSTRAINT step_named CHECK (length(step) > 0 AND length(state) BETWEEN 1 AND 40 AND length(key) > 0),
        FOREIGN KEY(run) REFERENCES run (number)
    )
     STRICT
"""
_EVENT = """
    CREATE TABLE event (
        id INTEGER NOT NULL,
        run INTEGER NOT NULL GENERATED ALWAYS AS (id >> 32) VIRTUAL,
        number INTEGER NOT NULL GENERATED ALWAYS AS (id & 4294967295) VIRTUAL,
        kind TEXT NOT NULL,
        at TEXT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (id),
        CONSTRAINT event_number CHECK (number > 0),
        CONSTRAINT event_kind CHECK (length(kind) BETWEEN 1 AND 60),
        FOREIGN KEY(run) REFERENCES run (number)
    )
     STRICT
"""
_OUT = (
    "CREATE TEMP TABLE old_run AS SELECT * FROM run ORDER BY rowid",
    "CREATE TEMP TABLE old_step AS SELECT * FROM step ORDER BY rowid",
    "CREATE TEMP TABLE old_event AS SELECT * FROM event",
    "CREATE INDEX temp.old_step_of ON old_step (run)",
    "CREATE TEMP TABLE old_place (run TEXT, step TEXT, place INTEGER, PRIMARY KEY (run, step))",
    "DROP TABLE event",
    "DROP TABLE step",
    "DROP TABLE run",
)
_IN = (
    """
    INSERT INTO step
        (id, step, state, tool, inputs, result, reason, "key", intent_at, done_at)
    SELECT
        (run.number << 40) | (old_place.place << 20) | (old_step.item + 1), old_step.step, old_step.state, tool,
        inputs, result, reason, "key", intent_at, done_at
    FROM old_step JOIN old_place USING (run, step) JOIN run ON run.id = old_step.run
    ORDER BY 1
    """,
    """
    INSERT INTO event (id, kind, at, body)
    SELECT (run.number << 32) | old_event.number, kind, at, body
    FROM old_event JOIN run ON run.id = old_event.run
    ORDER BY 1
    """,
)


def upgrade() -> None:
    """Make the tables `run`, `step` and `event` anew with integer keys, keeping their rows."""
    do = op.get_bind().exec_driver_sql
    for statement in (*_OUT, *_RUN, _STEP, _EVENT):
        do(statement)
    _find_places(do)
    for statement in _IN:
        do(statement)
    for name in ("run", "step", "event"):
        _refuse_fewer(do, name)
        do(f"DROP TABLE temp.old_{name}")
    do("DROP TABLE temp.old_place")


def _find_places(do: Callable[..., Any]) -> None:
    """Where each row is in its run's plan; rows that it has not come behind, as they began."""
    for run, plan in do('SELECT id, "plan" FROM run').fetchall():
        begun = do("SELECT step FROM old_step WHERE run = ? ORDER BY rowid", (run,)).fetchall()
        for place, step in enumerate(dict.fromkeys((*_rows_of(do, plan), *(step for (step,) in begun)))):
            do("INSERT INTO old_place VALUES (?, ?, ?)", (run, step, place))


def _refuse_fewer(do: Callable[..., Any], name: str) -> None:
    """Raise `StorageError` where rows of the old table are not in the new one."""
    lost = do(f"SELECT (SELECT count(*) FROM old_{name}) - (SELECT count(*) FROM {name})").scalar()  # noqa: S608
    if lost:
        raise StorageError(
            msg("{lost} rows of the table {name} belong to no run", lost=lost, name=name),
            why=msg("the database was changed from outside"), fix=msg("restore the newest backup"),
        )


def _rows_of(do: Callable[..., Any], plan: str | None) -> list[str]:
    """The ids of a plan's rows; none where it cannot be read."""
    found = do("SELECT bytes FROM object WHERE hash = ?", (plan,)).fetchone()
    try:
        return [str(step["id"]) for step in json.loads(zstandard.decompress(found[0]))["steps"]] if found else []
    except (zstandard.ZstdError, ValueError, LookupError, TypeError):
        return []
