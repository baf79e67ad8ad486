"""Runs: one request's life with its steps and events."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable
from typing import Any

from msgspec.structs import replace
from sqlalchemy import Connection, RowMapping, insert, select, update

from agent.message import msg
from agent.song.ids import ProjectId, RunId
from app.storage.checksums import checksum, is_sound
from app.storage.driver import raw
from app.storage.errors import Damaged, StorageError
from app.storage.objects import load_text
from app.storage.records import Event, Run, RunUpdate, StepRecord, stamp
from app.storage.rows import not_as_written, values
from app.storage.rows import record as to_record
from app.storage.run_keys import events_of, step_key, steps_of
from app.storage.run_tables import EventRow, RunRow, StepRow
from app.storage.tables import BY_AGE, table

_NUMBER = "SELECT number FROM run WHERE id = ?"
_STEP = """INSERT INTO step (id, step, state, tool, key, inputs, result, reason, intent_at, done_at, digest)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET state = excluded.state, tool = excluded.tool,
    key = excluded.key, inputs = excluded.inputs, result = excluded.result, reason = excluded.reason,
    intent_at = excluded.intent_at, done_at = excluded.done_at, digest = excluded.digest
    WHERE step.done_at IS NULL AND step.step = excluded.step"""
_OF_STEP = ("id", "step", "state", "tool", "key", "inputs", "result", "reason", "intent_at", "done_at")
_NAME_OF = "SELECT step FROM step WHERE id = ?"
_EVENT = "INSERT INTO event (id, kind, at, body, digest) VALUES (?, ?, ?, ?, ?)"
_NEWEST = "SELECT coalesce(max(id), ?1) FROM event WHERE id > ?1 AND id <= ?2"
_LAST = "SELECT coalesce(max(number), 0) FROM event WHERE id > ? AND id <= ?"
_LAST_OF = "SELECT coalesce(max(number), 0) FROM event WHERE id > ? AND id <= ? AND kind = ?"
_RUN = """UPDATE run SET state = coalesce(?1, state), revision = coalesce(?2, revision), updated = ?3,
    progress_digest = checksum(coalesce(?1, state), coalesce(?2, revision), ?3)
    WHERE id = ?4"""
_MOVING = ("state", "revision", "updated")
_STAYING = tuple(name for name in Run.__struct_fields__ if name not in _MOVING)


def create(connection: Connection, run: Run) -> Run:
    """Store a new run; returns it with its times of creation and change."""
    now = stamp()
    stored = replace(run, created=now, updated=now)
    connection.execute(insert(table(RunRow)), _row(stored))
    return stored


def save(connection: Connection, run: Run) -> Run:
    """Store all fields of a run again; returns it with its new time of change."""
    rows = table(RunRow)
    stored = replace(run, updated=stamp())
    _one(connection.execute(update(rows).where(rows.c.id == run.id).values(_row(stored))).rowcount, run.id)
    return stored


def find(connection: Connection, run_id: RunId) -> Run | None:
    """The run of that id; None if there is none."""
    rows = table(RunRow)
    row = connection.execute(select(rows).where(rows.c.id == run_id)).mappings().first()
    return _run(row) if row else None


def all_of(connection: Connection, project: ProjectId, limit: int = 1000) -> tuple[Run, ...]:
    """A project's last `limit` runs, newest first; `damaged` names those that are left out."""
    rows = table(RunRow)
    wanted = select(rows).where(rows.c.project == project).order_by(BY_AGE.desc()).limit(limit)
    return _sound(connection.execute(wanted).mappings())[0]


def damaged(connection: Connection, project: ProjectId) -> tuple[str, ...]:
    """A sentence for each of a project's runs whose row differs from what was written."""
    rows = table(RunRow)
    return _sound(connection.execute(select(rows).where(rows.c.project == project)).mappings())[1]


def in_states(
    connection: Connection, states: Collection[str], project: ProjectId | None = None
) -> tuple[Run, ...]:
    """Runs in one of these states, oldest first, of one project or (None) of all. Damaged ones are left out: they can
    neither be resumed nor hold a song."""
    rows = table(RunRow)
    wanted = select(rows).where(rows.c.state.in_(states)).order_by(BY_AGE)
    if project is not None:
        wanted = wanted.where(rows.c.project == project)
    return _sound(connection.execute(wanted).mappings())[0]


def record(connection: Connection, progress: RunUpdate) -> None:
    """Store what a step changed, in the caller's transaction; events are numbered as they come.

    A step is written anew or over its earlier state. Raises `StorageError` for a step that is done already.
    """
    driver = raw(connection)
    run = _number(driver, progress.run)
    for step in progress.steps:
        _put_step(driver, progress.run, step_key(run, step.place, step.item), step)
    if progress.events:
        [newest] = driver.execute(_NEWEST, events_of(run)).fetchone()
        numbered = enumerate(progress.events, newest + 1)
        told = [(key, event.kind, event.at or stamp(), event.body) for key, event in numbered]
        driver.executemany(_EVENT, [(*row, checksum(*row)) for row in told])
    if progress.state is not None or progress.revision is not None:
        changes = (progress.state, progress.revision, stamp(), progress.run)
        _one(driver.execute(_RUN, changes).rowcount, progress.run)


def steps(connection: Connection, run_id: RunId) -> tuple[StepRecord, ...]:
    """The steps of a run that were recorded: the rows as the plan has them, each before its items."""
    rows = table(StepRow)
    wanted = select(rows).where(rows.c.id.between(*steps_of(_number(raw(connection), run_id)))).order_by(rows.c.id)
    found = connection.execute(wanted).mappings()
    return tuple([_step(row, run_id) for row in found])


def events(connection: Connection, run_id: RunId, after: int = 0) -> tuple[Event, ...]:
    """The events of a run with a number above `after`, in order."""
    rows = table(EventRow)
    above, last = events_of(_number(raw(connection), run_id), after)
    found = connection.execute(select(rows).where(rows.c.id > above, rows.c.id <= last).order_by(rows.c.id)).mappings()
    return tuple([_event(row, run_id) for row in found])


def is_whole(connection: Connection, run: Run) -> bool:
    """Whether the plan, the steps and the events of a run are the same as they were written."""
    try:
        steps(connection, run.id)
        events(connection, run.id)
        if run.plan is not None:
            load_text(connection, run.plan)
    except Damaged:
        return False
    return True


def last_number(connection: Connection, run_id: RunId) -> int:
    """The number of the newest event, 0 if there is none."""
    driver = raw(connection)
    return int(driver.execute(_LAST, events_of(_number(driver, run_id))).fetchone()[0])


def last_event(connection: Connection, run_id: RunId, kind: str) -> int:
    """The number of the newest event of a kind, 0 if there is none."""
    driver = raw(connection)
    return int(driver.execute(_LAST_OF, (*events_of(_number(driver, run_id)), kind)).fetchone()[0])


def _number(driver: sqlite3.Connection, run_id: RunId) -> int:
    found = driver.execute(_NUMBER, (run_id,)).fetchone()
    if found is None:
        raise _no_run(run_id)
    return int(found[0])


def _put_step(driver: sqlite3.Connection, run_id: RunId, key: int, step: StepRecord) -> None:
    row = (
        key, step.step, step.state, step.tool, step.key, step.inputs, step.result, step.reason, step.intent_at,
        step.done_at,
    )  # fmt: skip
    changed = driver.execute(_STEP, (*row, checksum(*row))).rowcount
    if changed != 1:
        [there] = driver.execute(_NAME_OF, (key,)).fetchone()
        raise StorageError(
            msg("step {step} of run {run} is done already", step=step.step, run=run_id) if there == step.step
            else msg("step {step} of run {run} is where {there} is", step=step.step, run=run_id, there=there),
            why=msg("a step is done exactly once, at its own place in the plan"),
            fix=msg("nothing was stored; look at the run again"),
        )


def _row(run: Run) -> dict[str, Any]:
    row = values(run)
    stays, moves = (checksum(*[row[name] for name in names]) for names in (_STAYING, _MOVING))
    return {**row, "digest": stays, "progress_digest": moves}


def _sound(rows: Iterable[RowMapping]) -> tuple[tuple[Run, ...], tuple[str, ...]]:
    """The runs that are as they were written, and a sentence for each that is not."""
    good: list[Run] = []
    bad: list[str] = []
    for row in rows:
        try:
            good.append(_run(row))
        except Damaged as error:
            bad.append(str(error))
    return tuple(good), tuple(bad)


def _run(row: RowMapping) -> Run:
    found = to_record(row, Run, f"run {row['id']}")
    stays = is_sound(row["digest"], *[row[name] for name in _STAYING])
    if not (stays and is_sound(row["progress_digest"], *[row[name] for name in _MOVING])):
        raise not_as_written(f"run {row['id']}")
    return found


def _step(row: RowMapping, run_id: RunId) -> StepRecord:
    what = f"step {row['step']} of run {run_id}"
    found = to_record(row, StepRecord, what)
    if not is_sound(row["digest"], *[row[name] for name in _OF_STEP]):
        raise not_as_written(what)
    return found


def _event(row: RowMapping, run_id: RunId) -> Event:
    what = f"event {row['number']} of run {run_id}"
    found = to_record(row, Event, what)
    if not is_sound(row["digest"], row["id"], found.kind, found.at, found.body):
        raise not_as_written(what)
    return found


def _one(count: int, run_id: RunId) -> None:
    if count != 1:
        raise _no_run(run_id)


def _no_run(run_id: RunId) -> StorageError:
    return StorageError(
        msg("there is no run {run_id}", run_id=run_id), fix=msg("list the runs and use one of their ids"),
    )
