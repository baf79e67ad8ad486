"""kill -9 while a run is carried out: nothing half, nothing twice, and taken up to the very same song and files.

The process that is killed is forked from one that has read the program already (tests/support/fork_server.py
says why) and runs the command line itself. A few kills hit the real `python -m app` from its start on. These are
short forms; tests/campaign has the long ones.
"""

from __future__ import annotations

import time

import pytest
from campaign_plans import long_steps, mixed_steps
from commandline import ended
from killing import Killing, dice, kill_after, kill_at_event, points_of, take_up
from wholeness import look

KILLS = 20
"""Half at random times, half when the database has come to a random event."""
POINTS = 16
"""Statements of the database and touches of files before which the mixed plan is killed."""
STARTS = 2
ONE_ROW = 10
"""So many statements carry out one row."""


@pytest.fixture(scope="module")
def killing(tmp_path_factory: pytest.TempPathFactory) -> Killing:
    return Killing(tmp_path_factory.mktemp("kill"), long_steps())


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Killing:
    return Killing(tmp_path_factory.mktemp("mixed"), mixed_steps())


@pytest.fixture(scope="module")
def whole(killing: Killing) -> tuple[float, int]:
    """An unkilled run: its seconds and its number of events."""
    at = killing.home()
    began = time.monotonic()
    said = killing.do(at, *killing.run_words())
    seconds = time.monotonic() - began
    assert said.status == 0, said.stderr
    end = look(at, killing.ideal)
    assert end.faults == ()
    assert end.state == "COMPLETED"
    [(events,)] = at.rows("SELECT count(*) FROM event")
    return seconds, events


@pytest.mark.slow
@pytest.mark.semantics("11.5")
def test_kills_leave_nothing_half_and_every_run_can_be_taken_up(killing: Killing, whole: tuple[float, int]) -> None:
    seconds, events = whole
    chance, faults, inside = dice(2), [], 0
    for number in range(KILLS):
        at = killing.home()
        if number % 2:
            kill = kill_after(chance.random() * seconds)
        else:
            kill = kill_at_event(at, chance.randrange(1, events * 4 // 5))
        killing.do(at, *killing.run_words(), kill=kill)
        left = look(at, killing.ideal)
        inside += left.inside
        faults += [f"kill {number}: {fault}" for fault in (*left.faults, *take_up(killing, at, left))]
        killing.end(at)
    assert faults == []
    assert inside >= KILLS // 3


@pytest.mark.slow
@pytest.mark.parametrize("point", ["statement", "touch"])
@pytest.mark.semantics("6.6", "11.5")
def test_effects_outside_are_had_exactly_once(mixed: Killing, point: str) -> None:
    last, chance, faults, inside = points_of(mixed, point), dice(3), [], 0
    for number in sorted(chance.sample(range(last // 4, last), POINTS // 2)):
        at = mixed.home()
        mixed.do(at, *mixed.run_words(), die_at=number, point=point)
        left = look(at, mixed.ideal)
        inside += left.inside
        faults += [f"{point} {number}: {fault}" for fault in (*left.faults, *take_up(mixed, at, left))]
        mixed.end(at)
    assert faults == []
    assert inside >= POINTS // 4


@pytest.mark.slow
def test_the_real_program_killed_from_its_start_on(killing: Killing, whole: tuple[float, int]) -> None:
    chance = dice(5)
    for _ in range(STARTS):
        at = killing.home()
        child = at.start(*killing.run_words(), cold=True)
        time.sleep(chance.random() * 1.5)
        child.kill()
        ended(child)
        left = look(at, killing.ideal)
        assert left.faults == ()
        assert take_up(killing, at, left) == []


def test_a_run_killed_twice_is_taken_up_twice(killing: Killing, whole: tuple[float, int]) -> None:
    at = killing.home()
    killing.do(at, *killing.run_words(), kill=kill_at_event(at, 20))
    first = look(at, killing.ideal)
    killing.do(at, "runs", "resume", first.run, kill=kill_at_event(at, 70))
    second = look(at, killing.ideal)
    assert first.faults == second.faults == ()
    assert len(first.done) < len(second.done)
    assert take_up(killing, at, second) == []


def test_the_check_finds_an_executor_that_stores_every_write_by_itself(killing: Killing) -> None:
    middle, wrong = points_of(killing) // 2, 0
    for point in range(middle, middle + ONE_ROW):
        at = killing.home()
        killing.do(at, *killing.run_words(), die_at=point, naive=True)
        wrong += bool(look(at, killing.ideal).faults)
    assert wrong >= 2
