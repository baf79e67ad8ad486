"""A thousand kills of a run, half at random times, half before chosen statements of the database; and the proof
that the same check finds what an executor does that stores every write by itself."""

from __future__ import annotations

import time

import pytest
from killing import Killing, dice, kill_after, look, statements_of, take_up

POINTS = 1000
NAIVE = 100


@pytest.fixture(scope="module")
def killing(tmp_path_factory: pytest.TempPathFactory) -> Killing:
    return Killing(tmp_path_factory.mktemp("kill"))


def test_a_kill_before_every_statement(killing: Killing) -> None:
    last = statements_of(killing)
    points = {1 + number * (last - 1) // (POINTS - 1) for number in range(POINTS)}
    faults = [f"statement {point}: {fault}" for point in sorted(points) for fault in _killed_at(killing, point)]
    assert faults == []


def test_a_thousand_kills_at_random_times(killing: Killing) -> None:
    at, chance, inside = killing.home(), dice(11), 0
    began = time.monotonic()
    killing.do(at, *killing.run_words())
    seconds, faults = time.monotonic() - began, []
    for number in range(POINTS):
        at = killing.home()
        killing.do(at, *killing.run_words(), kill=kill_after(chance.random() * seconds))
        left = look(at, killing.ideal)
        inside += left.inside
        faults += [f"kill {number}: {fault}" for fault in (*left.faults, *take_up(killing, at, left))]
        killing.end(at)
    assert faults == []
    assert inside > POINTS // 10


def test_a_naive_executor_is_found_out(killing: Killing) -> None:
    last, chance = statements_of(killing), dice(12)
    points = [chance.randrange(last // 3, last) for _ in range(NAIVE)]
    wrong = [point for point in points if _killed_at(killing, point, naive=True)]
    assert len(wrong) > NAIVE // 10


def _killed_at(killing: Killing, point: int, *, naive: bool = False) -> list[str]:
    at = killing.home()
    killing.do(at, *killing.run_words(), die_at=point, naive=naive)
    left = look(at, killing.ideal)
    faults = [*left.faults, *take_up(killing, at, left)]
    killing.end(at)
    return faults
