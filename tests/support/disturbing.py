"""Runs that people disturb: taken up, retried, skipped, cancelled and paused, each killed in the middle, by one
process or two; and brought to an end afterwards."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from campaign_plans import EARLY
from commandline import CommandLine, ended
from killing import Killing, decided, kill_after, kill_at_event
from wholeness import Left, look

_ROUNDS = 6
_MIDDLE = 0.45
"""Seconds within which most of a verb happens."""
_ENOUGH = 0.25
"""How often a person cancels what is left."""
Scene = Callable[[Killing, CommandLine, random.Random], list[str]]


@contextmanager
def obstacle(at: CommandLine) -> Iterator[None]:
    """Within it the first row that leaves a file fails: a file lies where the export folder has to be."""
    place = at.home / "exports"
    place.write_text("in the way", encoding="utf-8")
    try:
        yield
    finally:
        place.unlink()


def retried(killing: Killing, at: CommandLine, chance: random.Random) -> list[str]:
    """A row fails, and the retry is killed."""
    return _reopened(killing, at, chance, lambda run: ("runs", "retry", run, "--json"))


def skipped(killing: Killing, at: CommandLine, chance: random.Random) -> list[str]:
    """A row fails, and the skip is killed."""
    return _reopened(killing, at, chance, lambda run: ("runs", "skip", run, EARLY, "--json"))


def resumed(killing: Killing, at: CommandLine, chance: random.Random) -> list[str]:
    """A run is killed, and what takes it up is killed twice."""
    faults: list[str] = []
    left = _begun(killing, at, chance, faults)
    for _ in range(2):
        if left.run and left.state == "RUNNING":
            left = _killed(killing, at, chance, ("runs", "resume", left.run, "--json"), left, faults)
    return faults or settled(killing, at, left, chance)


def cancelled(killing: Killing, at: CommandLine, chance: random.Random) -> list[str]:
    """A run is killed, and so is the cancel of what is left."""
    faults: list[str] = []
    left = _begun(killing, at, chance, faults)
    if left.run and left.state == "RUNNING":
        left = _killed(killing, at, chance, ("runs", "cancel", left.run, "--json"), left, faults)
    return faults or settled(killing, at, left, chance)


def paused(killing: Killing, at: CommandLine, chance: random.Random) -> list[str]:
    """A run is paused by another process; either of the two is killed."""
    return _by_two(killing, at, chance, "pause")


def cancelled_by_another(killing: Killing, at: CommandLine, chance: random.Random) -> list[str]:
    """A run is cancelled by another process; either of the two is killed."""
    return _by_two(killing, at, chance, "cancel")


def taken_by_another(killing: Killing, at: CommandLine, chance: random.Random) -> list[str]:
    """Another process tries to take a run up while it goes on; either of the two is killed."""
    return _by_two(killing, at, chance, "resume")


ALONE: tuple[Scene, ...] = (retried, skipped, resumed, cancelled)
"""For the mixed plan."""
BY_TWO: tuple[Scene, ...] = (paused, cancelled_by_another, taken_by_another)
"""For a plan with sound, which takes long enough for another program to come in between."""


def settled(killing: Killing, at: CommandLine, left: Left, chance: random.Random) -> list[str]:
    """Bring the run to an end that holds, as a person would, who sometimes has had enough; what is wrong on the way."""
    for _ in range(_ROUNDS):
        if left.state in ("COMPLETED", "CANCELLED"):
            return []
        said = killing.do(at, *_next_words(killing, at, left, chance))
        end = look(at, killing.ideal)
        faults = [*end.faults]
        if not left.done <= end.done:
            faults.append("a done row was lost")
        if "Traceback" in said.stderr:
            faults.append(f"a fault of the program: {said.stderr[-600:]}")
        if faults:
            return faults
        left = end
    return [f"after {_ROUNDS} tries the run is {left.state}: {said.stderr[-300:]}"]


def _next_words(killing: Killing, at: CommandLine, left: Left, chance: random.Random) -> tuple[str, ...]:
    if not left.run:
        return killing.run_words()
    if left.state == "NEEDS_REVIEW":
        return decided(killing, at, left)
    if left.state in ("PARTIAL", "FAILED"):
        return ("runs", "retry", left.run, "--json")
    return ("runs", "cancel" if chance.random() < _ENOUGH else "resume", left.run, "--json")


def _reopened(
    killing: Killing, at: CommandLine, chance: random.Random, words: Callable[[str], tuple[str, ...]]
) -> list[str]:
    with obstacle(at):
        killing.do(at, *killing.run_words())
    failed = look(at, killing.ideal)
    if failed.faults or failed.state != "PARTIAL":
        return [*failed.faults, f"a run with a failing row is {failed.state}"]
    faults: list[str] = []
    left = _killed(killing, at, chance, words(failed.run), failed, faults)
    return faults or settled(killing, at, left, chance)


def _begun(killing: Killing, at: CommandLine, chance: random.Random, faults: list[str]) -> Left:
    killing.do(at, *killing.run_words(), kill=kill_at_event(at, _some_event(killing, chance)))
    left = look(at, killing.ideal)
    faults += left.faults
    return left


def _some_event(killing: Killing, chance: random.Random) -> int:
    return chance.randrange(4, 3 * len(killing.ideal.states) // 2)


def _killed(
    killing: Killing, at: CommandLine, chance: random.Random, words: tuple[str, ...], before: Left, faults: list[str]
) -> Left:
    killing.do(at, *words, kill=kill_after(chance.random() * _MIDDLE))
    left = look(at, killing.ideal)
    faults += left.faults
    if not before.done <= left.done:
        faults.append(f"{words[1]} lost a done row")
    return left


def _by_two(killing: Killing, at: CommandLine, chance: random.Random, verb: str) -> list[str]:
    first = at.start(*killing.run_words())
    kill_at_event(at, _some_event(killing, chance), None)(first.pid)
    [(run,)] = at.rows("SELECT id FROM run")
    second = at.start("runs", verb, run, "--json")
    victim = chance.choice((first, second))
    time.sleep(chance.random() * _MIDDLE)
    with suppress(ProcessLookupError):
        os.kill(victim.pid, signal.SIGKILL)
    said = [ended(one) for one in (first, second)]
    left = look(at, killing.ideal)
    # A process that renders, and whose program is killed just as it begins, says that it has nothing to read.
    alive = [one for one in said if one.status != -signal.SIGKILL]
    faults = [f"a fault of the program: {one.stderr[-600:]}" for one in alive if "Traceback" in one.stderr]
    return [*left.faults, *faults] or settled(killing, at, left, chance)

