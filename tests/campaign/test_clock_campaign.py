"""A clock that jumps in mid run: an hour back, ten years ahead, over the change of summer time."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from campaign_plans import long_steps, mixed_steps
from fault_rounds import with_another_clock, with_jumping_clock
from faulty_machines import clock_library
from killing import Killing
from system_packages import needs

pytestmark = needs("faketime", available=bool(clock_library()))
EACH = 5
SLEEPS = 12
JUMPS = {
    "an hour back": ("+0", ("-1h",)),
    "ten years ahead": ("+0", ("+3650d",)),
    "ten years ahead and back again": ("+0", ("+3650d", "+0")),
    "to and fro": ("+0", ("-1h", "+3650d", "-3650d", "+0")),
    "summer time ends": ("@2026-10-25 02:59:58", ()),
    "summer time begins": ("@2027-03-28 01:59:58", ()),
}


@pytest.fixture(scope="module")
def killing(tmp_path_factory: pytest.TempPathFactory) -> Killing:
    return Killing(tmp_path_factory.mktemp("clock"), mixed_steps())


@pytest.mark.parametrize("jump", JUMPS)
def test_a_clock_that_jumps_changes_nothing(killing: Killing, jump: str, figures: Callable[..., None]) -> None:
    first, jumps = JUMPS[jump]
    faults, backward = [], 0
    for number in range(EACH):
        at, said, left, wrong = with_jumping_clock(killing, first, jumps, TZ="Europe/Berlin")
        times = [time for (time,) in at.rows("SELECT at FROM event ORDER BY number")]
        backward += times != sorted(times)
        faults += [f"{number}: {fault}" for fault in wrong]
        if (said.status, left.state) != (0, "COMPLETED"):
            faults.append(f"{number}: {said.status}, {left.state}: {said.stderr[-300:]}")
        killing.end(at)
    figures(
        f"the clock in mid run: {jump}", runs=EACH, times_that_go_backward=backward, faults=len(faults)
    )
    assert faults == []


@pytest.mark.parametrize("clock", ["-1h", "+3650d"])
def test_a_program_that_is_taken_for_dead_writes_no_more(
    tmp_path_factory: pytest.TempPathFactory, clock: str, figures: Callable[..., None]
) -> None:
    killing = Killing(tmp_path_factory.mktemp("clocks"), long_steps())
    faults, taken = [], 0
    for number in range(SLEEPS):
        first, second, _, wrong = with_another_clock(killing, clock, 6 + 7 * number)
        taken += first.status == 5 and second.status == 0
        faults += [f"{number}: {fault}" for fault in wrong]
    figures(f"two programs, one asleep with a clock of {clock}", runs=SLEEPS, taken_over=taken, faults=len(faults))
    assert faults == []
