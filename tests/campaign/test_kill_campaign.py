"""kill -9 of a run before every statement of the database, before every touch of the disk and at a thousand random
times, for two plans; and the proof that the same check finds an executor that stores every write by itself.

After each kill the run is taken up as a person would. Each campaign comes in parts, for machines with several cores.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache

import pytest
from campaign_plans import long_steps, mixed_steps, sounding_steps
from commandline import CommandLine
from killing import Killing, dice, kill_after, kill_at_event, points_of, take_up
from wholeness import Left, look

KILLS = 1000
NAIVE = 100
MEASURED = 40
"""Kills between two looks at how long a run takes, which other programs of the machine change."""
PARTS = 4
KILLED = -9
Figures = Callable[..., None]
Killer = Callable[[CommandLine], Callable[[int], None]]
PLANS = {"14 rows over all services": mixed_steps, "60 rows for the song": long_steps}
parts = pytest.mark.parametrize("part", range(PARTS))
plans = pytest.mark.parametrize("plan", PLANS)


@pytest.fixture(scope="module")
def killings(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Killing]:
    return cache(lambda plan: Killing(tmp_path_factory.mktemp("kill"), PLANS[plan]()))


class Tally:
    """Kills of one campaign, and what they came to."""

    def __init__(self, killing: Killing) -> None:
        self._killing = killing
        self._doubts = killing.decisions
        self.faults: list[str] = []
        self.kills = self.inside = self.drafts = self.resumed = 0

    def run(self, name: str, *, kill: Killer | None = None, **job: object) -> bool:
        """One run that is to be killed, and taken up; whether it was killed."""
        at = self._killing.home()
        said = self._killing.do(at, *self._killing.run_words(), kill=kill and kill(at), **job)
        left: Left = look(at, self._killing.ideal)
        self.faults += [f"{name}: {fault}" for fault in (*left.faults, *take_up(self._killing, at, left))]
        killed = said.status == KILLED
        self.kills += killed
        self.inside += killed and left.inside
        self.resumed += left.state != "COMPLETED"
        self.drafts += left.drafts
        self._killing.end(at)
        return killed

    def run_until(self, kills: int, chance: random.Random) -> None:
        """Kill at random times until so many kills have hit a run; how long one takes is measured now and then."""
        number = 0
        while self.kills < kills:
            if number % MEASURED == 0:
                times = Times.of(self._killing)
            self.run(f"kill {number}", kill=times.any(chance))
            number += 1

    def counts(self) -> dict[str, int]:
        """For the figures."""
        return {
            "kills": self.kills, "between the first and the last row": self.inside, "taken up again": self.resumed,
            "rows that a person had to decide": self._killing.decisions - self._doubts,
            "hidden drafts left": self.drafts, "faults": len(self.faults),
        }


def every_point(tally: Tally, point: str, first: int) -> None:
    """Kill before each point of this part until a run has no such point any more."""
    number = first
    while tally.run(f"{point} {number}", die_at=number, point=point):
        number += PARTS


@parts
def test_a_kill_before_every_statement(
    killings: Callable[[str], Killing], part: int, figures: Figures
) -> None:
    tally = Tally(killings("14 rows over all services"))
    every_point(tally, "statement", part + 1)
    figures("14 rows over all services, before every statement", **tally.counts())
    assert tally.faults == []


@parts
def test_a_kill_before_every_touch_of_the_disk(
    killings: Callable[[str], Killing], part: int, figures: Figures
) -> None:
    tally = Tally(killings("14 rows over all services"))
    every_point(tally, "touch", part + 1)
    figures("14 rows over all services, before every touch of a file", **tally.counts())
    assert tally.faults == []


@parts
def test_a_kill_before_a_thousand_statements_of_a_long_plan(
    killings: Callable[[str], Killing], part: int, figures: Figures
) -> None:
    killing = killings("60 rows for the song")
    last, tally = points_of(killing), Tally(killing)
    for point in sorted(chosen(last))[part::PARTS]:
        tally.run(f"statement {point}", die_at=point)
    figures(f"60 rows for the song, before {KILLS:,} of their statements", **tally.counts())
    assert tally.faults == []


def chosen(last: int) -> Iterable[int]:
    """A thousand points as evenly as can be, or all if there are not as many."""
    return {1 + number * (last - 1) // (KILLS - 1) for number in range(KILLS)}


@plans
@parts
def test_a_thousand_kills_at_random_times(
    killings: Callable[[str], Killing], plan: str, part: int, figures: Figures
) -> None:
    killing, chance = killings(plan), dice(100 + part)
    tally = Tally(killing)
    tally.run_until(KILLS // PARTS, chance)
    figures(f"{plan}, at random times", **tally.counts())
    assert tally.faults == []
    assert tally.inside > KILLS // PARTS // 10


@dataclass(frozen=True)
class Times:
    """How long an undisturbed run takes: the program's whole life, and from the first event to the last; seconds."""

    whole: float
    inside: float

    @classmethod
    def of(cls, killing: Killing) -> Times:
        """The middle of three runs."""
        runs = sorted(cls._measured(killing) for _ in range(3))
        return cls(*runs[1])

    @staticmethod
    def _measured(killing: Killing) -> tuple[float, float]:
        at = killing.home()
        began = time.monotonic()
        killing.do(at, *killing.run_words())
        seconds, end = time.monotonic() - began, look(at, killing.ideal)
        assert (end.state, end.faults) == ("COMPLETED", ())
        [(first, last)] = at.rows("SELECT min(at), max(at) FROM event")
        killing.end(at)
        return seconds, (datetime.fromisoformat(last) - datetime.fromisoformat(first)).total_seconds()

    def any(self, chance: random.Random) -> Killer:
        """A kill at any time of the program's life, or, as often, at any time between the first event and the last."""
        share = chance.random()
        if chance.random() < 0.5:
            return lambda _at: kill_after(share * self.whole)

        def begun(at: CommandLine) -> Callable[[int], None]:
            wait, kill = kill_at_event(at, 1, None), kill_after(share * self.inside)

            def both(child: int) -> None:
                wait(child)
                kill(child)

            return both

        return begun


def test_kills_of_a_run_that_makes_sound(tmp_path_factory: pytest.TempPathFactory, figures: Figures) -> None:
    killing, chance = Killing(tmp_path_factory.mktemp("sounding"), sounding_steps()), dice(31)
    tally = Tally(killing)
    tally.run_until(KILLS // 10, chance)
    figures("a run that renders and exports, at random times", **tally.counts())
    assert tally.faults == []


@plans
def test_a_naive_executor_is_found_out(killings: Callable[[str], Killing], plan: str, figures: Figures) -> None:
    killing, chance, wrong = killings(plan), dice(12), 0
    last = points_of(killing)
    for _ in range(NAIVE):
        tally = Tally(killing)
        tally.run("naive", die_at=chance.randrange(last // 3, last), naive=True)
        wrong += bool(tally.faults)
    figures(f"a naive executor, {plan}", kills=NAIVE, found_out=wrong)
    assert wrong > NAIVE // 20


def test_an_executor_that_asks_nothing_is_found_out(killings: Callable[[str], Killing], figures: Figures) -> None:
    killing, runs, wrong = killings("14 rows over all services"), 0, 0
    for number in range(1, points_of(killing, "touch") + 1):
        at = killing.home()
        killing.do(at, *killing.run_words(), die_at=number, point="touch")
        left = look(at, killing.ideal)
        if left.inside and not left.faults:
            runs += 1
            killing.do(at, "runs", "resume", left.run, "--json", careless=True)
            end = look(at, killing.ideal)
            wrong += bool(end.faults) or end.state != "COMPLETED"
        killing.end(at)
    figures("an executor that repeats without asking", runs=runs, found_out=wrong)
    assert wrong >= 5
