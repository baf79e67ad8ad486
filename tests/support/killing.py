"""Killing the program in the middle of a run, and looking whether what it left is whole."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from commandline import CommandLine, Said

from agent.plan.document import Plan, read_plan
from agent.plan.ledger import StepState
from agent.session.cancellation import Cancellation
from agent.session.events import Event
from agent.session.executor import Executor
from agent.session.ports import Report
from agent.song.apply import apply_all
from agent.song.edits import Edit
from agent.song.revision import ContentHash, song_revision
from agent.song.song import Song
from app.bootstrap import open_studio
from app.paths import Paths, find_paths

Row = dict[str, Any]


def long_steps() -> list[Row]:
    """Sixty rows that change the song, with a search, a fan-out over what it finds and a row that is skipped."""
    rows: list[Row] = [
        {"id": "tempo", "tool": "set_tempo", "inputs": {"bpm": 97}},
        {"id": "key", "tool": "set_key", "inputs": {"tonic": "D", "mode": "minor"}},
    ]
    for n in range(18):
        track = f"{{{{t{n}.track_id}}}}"
        notes = [{"n": 50 + n, "s": beat, "d": 1, "v": 60 + beat} for beat in range(16)]
        clip = {"track_id": track, "start_time": 0, "duration": 16, "notes": notes}
        rows += [
            {"id": f"t{n}", "tool": "create_track", "inputs": {"name": f"Pad {n}", "instrument": "pad_warm"}},
            {"id": f"c{n}", "tool": "create_midi_clip", "inputs": clip},
            {"id": f"u{n}", "tool": "update_track", "inputs": {"track_id": track, "volume_db": -n - 1}},
        ]
    each = {"track_id": "{{item.track_id}}", "pan": 0.25}
    never: Row = {"left": "{{found.items}}", "op": "empty"}
    return [
        *rows,
        {"id": "found", "tool": "find_tracks", "inputs": {"family": "pad"}},
        {"id": "wide", "tool": "update_track", "for_each": "{{found.items}}", "inputs": each},
        {"id": "never", "tool": "set_tempo", "inputs": {"bpm": 60}, "when": never},
        {"id": "named", "tool": "save_iteration", "inputs": {"label": "Long"}},
    ]


@dataclass(frozen=True)
class Ideal:
    """What a run must come to: the song's revision after each commit, in order, and the counts of ends."""

    start: ContentHash
    commits: tuple[tuple[str, int], ...]
    revisions: tuple[ContentHash, ...]
    states: Counter[str]

    def after(self, commits: int) -> ContentHash:
        """The revision after so many commits."""
        return self.revisions[commits - 1] if commits else self.start


@dataclass
class _Memory:
    """The executor's ports without a store."""

    song: Song
    commits: list[tuple[str, int]] = field(default_factory=list)
    revisions: list[ContentHash] = field(default_factory=list)
    states: dict[tuple[str, int], str] = field(default_factory=dict)

    async def settled(self) -> None:
        """All is kept at once."""

    def tell(self, event: Event) -> None:
        """Nobody listens."""

    async def note(self, report: Report) -> None:
        """Keep the states."""
        self.states.update({(row.step, row.item): row.state.value for row in report.rows})

    async def commit(self, edits: Sequence[Edit], report: Report) -> None:
        """Keep the song."""
        self.song = apply_all(self.song, edits)
        self.commits.append((report.rows[0].step, report.rows[0].item))
        self.revisions.append(song_revision(self.song))
        await self.note(report)


class Killing:
    """A project with an approved plan, copied for each kill."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._number = 0
        origin = CommandLine(folder / "origin")
        origin.ask("projects", "new", "One")
        self.plan, self.hash = origin.bound(long_steps(), seed=1)
        self.ideal = asyncio.run(_ideal(origin.home, read_plan(self.plan.read_bytes(), "plan")))

    def home(self) -> CommandLine:
        """A fresh copy of the project."""
        self._number += 1
        home = self._folder / f"home{self._number}"
        shutil.copytree(self._folder / "origin", home)
        return CommandLine(home)

    def run_words(self) -> tuple[str, ...]:
        """The command that runs the approved plan."""
        return ("run", str(self.plan), "--approve", self.hash, "--json")

    def do(
        self, at: CommandLine, *words: str, kill: Callable[[int], None] | None = None, **job: Any
    ) -> Said:
        """Carry out a command; `kill` is given its process id as soon as it lives."""
        return at.job(*words, kill=kill, **job)

    def end(self, at: CommandLine) -> None:
        """Forget a copy."""
        shutil.rmtree(at.home)


async def _ideal(home: Path, plan: Plan) -> Ideal:
    studio = open_studio(Paths(home, home / "cache", home / "logs", find_paths().resources))
    try:
        [project] = await studio.projects.all()
        stage = await studio.planning.stage(project)
        memory = _Memory(stage.song)
        executor = Executor("r", plan, plan.hash, studio.registry, memory, memory, Cancellation(), {})
        reports = await executor.execute()
        assert {report.state for report in reports} == {StepState.DONE, StepState.SKIPPED}
        states = Counter(memory.states.values())
        return Ideal(stage.revision, tuple(memory.commits), tuple(memory.revisions), states)
    finally:
        await studio.close()


def kill_after(seconds: float) -> Callable[[int], None]:
    """Kill -9 after so many seconds."""

    def kill(child: int) -> None:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)

    return kill


def kill_at_event(at: CommandLine, events: int, by: signal.Signals = signal.SIGKILL) -> Callable[[int], None]:
    """Kill, or send another signal, as soon as the database holds so many events."""

    def kill(child: int) -> None:
        patience = time.monotonic() + 20
        with closing(sqlite3.connect(f"file:{at.database}?mode=ro", uri=True)) as connection:
            while connection.execute("SELECT count(*) FROM event").fetchone()[0] < events:
                assert time.monotonic() < patience, "the run does not get so far"
                time.sleep(0.0005)
        os.kill(child, by)

    return kill


@dataclass(frozen=True)
class Left:
    """What a database holds of the one run; `run` is empty if there is none."""

    run: str
    state: str
    done: frozenset[tuple[str, int]]
    faults: tuple[str, ...]

    @property
    def inside(self) -> bool:
        """Whether the kill hit between the first and the last row."""
        return self.state == "RUNNING" and bool(self.done)


def look(at: CommandLine, ideal: Ideal) -> Left:
    """Read what is stored; `faults` says what is half, lost or doubled."""
    with closing(sqlite3.connect(at.database)) as connection:
        faults = [f"integrity: {row[0]}" for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
        faults += [f"foreign key: {row}" for row in connection.execute("PRAGMA foreign_key_check")]
        [(working, head)] = connection.execute("SELECT working, head FROM project").fetchall()
        runs = connection.execute("SELECT id, state, revision, iteration FROM run").fetchall()
        if not runs:
            faults += ["the song moved without a run"] if working != ideal.start else []
            return Left("", "", frozenset(), tuple(faults))
        [(run, state, revision, iteration)] = runs
        rows = connection.execute("SELECT step, item, state, key FROM step").fetchall()
        events = connection.execute("SELECT number, kind, body FROM event ORDER BY number").fetchall()
        made = connection.execute("SELECT id, root, run FROM iteration WHERE run IS NOT NULL").fetchall()
    done = frozenset((step, item) for step, item, how, _ in rows if how == "done")
    committed = [key for key in ideal.commits if key in done]
    if committed != list(ideal.commits[: len(committed)]):
        faults.append("done rows are not the first ones of the plan")
    if working != ideal.after(len(committed)):
        faults.append(f"half step: the song is not that after {len(committed)} done rows")
    if revision != working:
        faults.append("the run and the project disagree on the song")
    if len({key for *_, key in rows}) != len(rows):
        faults.append("a row is there twice")
    if [number for number, *_ in events] != list(range(1, len(events) + 1)):
        faults.append("events are missing or doubled")
    told = Counter((event["step"], event.get("item", -1)) for event in _bodies(events, "STEP_DONE"))
    if set(told) != done or set(told.values()) - {1}:
        faults.append("rows that are done and rows that were told to be done differ")
    if state == "COMPLETED":
        if Counter(how for _, _, how, _ in rows) != ideal.states:
            faults.append("the ledger does not balance")
        if [(iteration, working, run)] != made or head != iteration:
            faults.append(f"{len(made)} iterations for a run that is at its end")
    elif made:
        faults.append("an iteration of a run that is not at its end")
    return Left(run, state, done, tuple(faults))


def _bodies(events: list[tuple[int, str, str]], wanted: str) -> list[Row]:
    return [json.loads(body) for _, kind, body in events if kind == wanted]


def take_up(killing: Killing, at: CommandLine, left: Left) -> list[str]:
    """Bring a killed run to its end as a person would; returns what is wrong with that end."""
    if left.state == "COMPLETED":
        return []
    words = ("runs", "resume", left.run, "--json") if left.run else killing.run_words()
    said = killing.do(at, *words)
    if said.status != 0:
        return [f"{words[:2]} ended with {said.status}: {said.stderr[-300:]}"]
    end = look(at, killing.ideal)
    faults = [*end.faults]
    if end.state != "COMPLETED":
        faults.append(f"the run is {end.state} in the end")
    if not left.done <= end.done:
        faults.append("a done row was lost")
    return faults


def statements_of(killing: Killing) -> int:
    """How many statements of the database an unkilled run takes."""
    at = killing.home()
    said = killing.do(at, *killing.run_words(), count_to=str(at.home / "count"))
    assert said.status == 0, said.stderr
    return (at.home / "count").stat().st_size


def dice(seed: int) -> random.Random:
    """Chance that repeats."""
    return random.Random(seed)
