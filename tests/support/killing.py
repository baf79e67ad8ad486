"""Killing the program in the middle of a run, and taking up what it left as a person would."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Literal

from campaign_plans import Row, long_steps
from commandline import CommandLine, Said
from ideals import ideal_of, world_of
from patience import PATIENCE
from wholeness import Left, look

from agent.plan.document import read_plan

Point = Literal["statement", "touch"]
"""A statement of the database, or a change of the file system by the program itself."""
_TRIES = 5


class Killing:
    """A project with an approved plan, copied for each kill."""

    def __init__(self, folder: Path, steps: Sequence[Row] | None = None) -> None:
        self._folder = folder
        self._number = 0
        self.decisions = 0
        """How often a person had to look at the world."""
        origin = CommandLine(folder / "origin")
        origin.ask("projects", "new", "One")
        self.plan, self.hash = origin.bound(list(steps or long_steps()), seed=1)
        self.ideal = asyncio.run(ideal_of(self.home().home, read_plan(self.plan.read_bytes(), "plan")))

    def home(self, place: Path | None = None) -> CommandLine:
        """A fresh copy of the project, at a place of its own."""
        self._number += 1
        home = place or self._folder / f"home{self._number}"
        shutil.copytree(self._folder / "origin", home)
        return CommandLine(home)

    def run_words(self) -> tuple[str, ...]:
        """The command that runs the approved plan."""
        return ("run", str(self.plan), "--approve", self.hash, "--json")

    def do(
        self, at: CommandLine, *words: str, kill: Callable[[int], None] | None = None, **job: object
    ) -> Said:
        """Carry out a command; `kill` is given its process id as soon as it lives."""
        return at.job(*words, kill=kill, **job)

    def end(self, at: CommandLine) -> None:
        """Forget a copy."""
        shutil.rmtree(at.home)


def kill_after(seconds: float) -> Callable[[int], None]:
    """Kill -9 after so many seconds."""

    def kill(child: int) -> None:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)

    return kill


def kill_at_event(
    at: CommandLine, events: int, by: signal.Signals | None = signal.SIGKILL
) -> Callable[[int], None]:
    """Kill, or send another signal or none, as soon as the database holds so many events."""

    def kill(child: int) -> None:
        patience = time.monotonic() + PATIENCE
        with closing(sqlite3.connect(f"file:{at.database}?mode=ro", uri=True)) as connection:
            while connection.execute("SELECT count(*) FROM event").fetchone()[0] < events:
                assert time.monotonic() < patience, "the run does not get so far"
                time.sleep(0.0005)
        if by is not None:
            os.kill(child, by)

    return kill


def take_up(killing: Killing, at: CommandLine, left: Left) -> list[str]:
    """Bring a killed run to its end as a person would; returns what is wrong with that end."""
    if left.state == "COMPLETED":
        return []
    words = ("runs", "resume", left.run, "--json") if left.run else killing.run_words()
    return end_it(killing, at, left, words)


def end_it(killing: Killing, at: CommandLine, left: Left, words: Sequence[str]) -> list[str]:
    """Carry out `words`, then decide about each row in doubt by a look at the world, until the run is completed."""
    for _ in range(_TRIES):
        said = killing.do(at, *words)
        end = look(at, killing.ideal)
        faults = [*end.faults]
        if not left.done <= end.done:
            faults.append("a done row was lost")
        if not faults and end.state == "COMPLETED" and said.status == 0:
            return []
        if faults or end.state != "NEEDS_REVIEW" or not end.doubts:
            return [*faults, f"{' '.join(words[:2])} ended with {said.status}, {end.state}: {said.stderr[-300:]}"]
        killing.decisions += 1
        words, left = decided(killing, at, end), end
    return [f"after {_TRIES} decisions the run is still in doubt"]


def decided(killing: Killing, at: CommandLine, left: Left) -> tuple[str, ...]:
    """What a person does who finds a row in doubt: leave it out if its file is there, else have it done again."""
    step = left.doubts[0][0]
    wanted = [name for (row, _), name in killing.ideal.files.items() if row == step]
    there = {name.rsplit("/", 1)[-1] for name in world_of(at.home)}
    if there.issuperset(wanted):
        return ("runs", "skip", left.run, step, "--json")
    return ("runs", "retry", left.run, "--json")


def points_of(killing: Killing, point: Point = "statement") -> int:
    """How many such points an unkilled run has."""
    at = killing.home()
    count = killing.plan.with_name(f"count-{point}")
    count.unlink(missing_ok=True)
    said = killing.do(at, *killing.run_words(), count_to=str(count), point=point)
    assert said.status == 0, said.stderr
    killing.end(at)
    return count.stat().st_size


def dice(seed: int) -> random.Random:
    """Chance that repeats."""
    return random.Random(seed)
