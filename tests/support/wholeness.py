"""Looking whether what a database and an export folder hold of a run is whole: nothing half, lost or twice."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from commandline import CommandLine
from ideals import Ideal, Key, drafts_in, world_of

_ENDS = ("RUN_COMPLETED", "RUN_FAILED", "RUN_CANCELLED")
_ENDED = ("COMPLETED", "PARTIAL", "FAILED", "CANCELLED", "NEEDS_REVIEW")
_OVER = ("done", "skipped", "failed", "partial", "not_run", "needs_review")
_BY_A_PERSON = "skipped by a person"


@dataclass(frozen=True)
class Left:
    """What a database holds of the one run; `run` is empty if there is none."""

    run: str
    state: str
    done: frozenset[Key]
    faults: tuple[str, ...]
    doubts: tuple[Key, ...] = ()
    """Rows that wait for a person's look at the world."""
    drafts: int = 0
    """Hidden drafts of files that a killed program has left."""

    @property
    def inside(self) -> bool:
        """Whether the kill hit between the first and the last row."""
        return self.state == "RUNNING" and bool(self.done)


@dataclass(frozen=True)
class _Stored:
    """The rows of the database that are about the one run."""

    working: str
    head: str | None
    run: str
    state: str
    revision: str
    iteration: str | None
    rows: Mapping[Key, tuple[str, str]]
    """State and reason."""
    events: list[tuple[int, str, dict[str, Any]]]
    made: list[tuple[str, str]]
    """Iterations of the run, oldest first, with their songs."""

    @property
    def done(self) -> frozenset[Key]:
        return frozenset(key for key, (state, _) in self.rows.items() if state == "done")

    def bodies(self, *kinds: str) -> list[dict[str, Any]]:
        return [body for _, kind, body in self.events if kind in kinds]


def look(at: CommandLine, ideal: Ideal) -> Left:
    """Read what is stored; `faults` says what is half, lost or doubled."""
    with closing(sqlite3.connect(at.database)) as connection:
        faults = [f"integrity: {row[0]}" for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
        faults += [f"foreign key: {row}" for row in connection.execute("PRAGMA foreign_key_check")]
        [(working, head)] = connection.execute("SELECT working, head FROM project").fetchall()
        runs = connection.execute("SELECT id, state, revision, iteration FROM run").fetchall()
        if not runs:
            faults += ["the song moved without a run"] if working != ideal.start else []
            faults += ["files without a run"] if world_of(at.home) else []
            return Left("", "", frozenset(), tuple(faults))
        [(run, state, revision, iteration)] = runs
        rows = connection.execute("SELECT step, item, state, reason FROM step").fetchall()
        events = connection.execute("SELECT number, kind, body FROM event ORDER BY number").fetchall()
        made = connection.execute("SELECT id, root FROM iteration WHERE run IS NOT NULL ORDER BY number").fetchall()
    by_key = {(step, item): (how, why) for step, item, how, why in rows}
    read = [(number, kind, json.loads(body)) for number, kind, body in events]
    stored = _Stored(working, head, run, state, revision, iteration, by_key, read, made)
    faults += ["a row is there twice"] if len(by_key) != len(rows) else []
    faults += [*_song(stored, ideal), *_events(stored), *_iterations(stored, ideal), *_files(at, stored, ideal)]
    faults += _ledger(stored, ideal) if state in _ENDED else []
    doubts = tuple(key for key, (how, _) in by_key.items() if how == "needs_review")
    return Left(run, state, stored.done, tuple(faults), doubts, drafts_in(at.home))


def _song(stored: _Stored, ideal: Ideal) -> Iterator[str]:
    committed = [key for key in ideal.commits if key in stored.done]
    if committed != list(ideal.commits[: len(committed)]):
        yield "done rows are not the first ones of the plan"
    if stored.working != ideal.after(len(committed)):
        yield f"half step: the song is not that after {len(committed)} done rows"
    if stored.revision != stored.working:
        yield "the run and the project disagree on the song"


def _events(stored: _Stored) -> Iterator[str]:
    if [number for number, *_ in stored.events] != list(range(1, len(stored.events) + 1)):
        yield "events are missing or doubled"
    told = Counter((event["step"], event.get("item", -1)) for event in stored.bodies("STEP_DONE"))
    if set(told) != stored.done or set(told.values()) - {1}:
        yield "rows that are done and rows that were told to be done differ"


def _iterations(stored: _Stored, ideal: Ideal) -> Iterator[str]:
    """Each end of the run that left another song has saved exactly one iteration, and it is the newest."""
    ends, roots = len(stored.bodies(*_ENDS)), [root for _, root in stored.made]
    if [body["iteration"] for body in stored.bodies("ITERATION_SAVED")] != [one for one, _ in stored.made]:
        yield "iterations that are there and iterations that were told differ"
    if len(stored.made) > ends or len(set(roots)) != len(roots):
        yield f"{len(stored.made)} iterations of a run that has come to {ends} ends"
    if stored.state in _ENDED and (roots or [ideal.start])[-1] != stored.working:
        yield "the run has ended and its song is in no iteration"
    if stored.made and not stored.iteration == stored.head == stored.made[-1][0]:
        yield "the newest iteration is not that of the run"


def _files(at: CommandLine, stored: _Stored, ideal: Ideal) -> Iterator[str]:
    there = world_of(at.home)
    names = {name.rsplit("/", 1)[-1]: name for name in there}
    for name, content in there.items():
        if name not in ideal.world:
            yield f"made twice, or never approved: the file {name}"
        elif ideal.world[name] != content:
            yield f"half, or wrong: the file {name}"
    yield from (f"lost: the file of row {key}" for key in stored.done if key in ideal.files
                and ideal.files[key] not in names)


def _ledger(stored: _Stored, ideal: Ideal) -> Iterator[str]:
    """Every row has come to an end that it gives a reason for; a completed run to those of the undisturbed one."""
    for key, state in ideal.states.items():
        how, why = stored.rows.get(key, ("", ""))
        if stored.state == "COMPLETED" and how != state and why != _BY_A_PERSON:
            yield f"the ledger does not balance: row {key} is {how or 'not there'}"
        if key[1] == -1 and (how not in _OVER or (how not in ("done", "skipped") and not why)):
            yield f"the ledger does not balance: row {key} is {how or 'not there'} without a reason"
    if stored.rows.keys() - ideal.states.keys():
        yield "rows that were never approved"
