"""Machines on which something is wrong: every run ends well or with one clear error, nothing is half, and each run can
be taken up when the machine is well again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from campaign_plans import mixed_steps
from fault_rounds import on_failing_disk, on_full_disk, on_read_only_disk, with_held_database, with_small_files
from faulty_machines import disks_can_be_made, fails_on_demand
from killing import Killing
from system_packages import needs

Figures = Callable[..., None]
RUNS = 60
SIZES = 20
PARTS = 2
needs_disks = pytest.mark.skipif(not disks_can_be_made(), reason="only root may mount a disk")


@pytest.fixture(scope="module")
def killing(tmp_path_factory: pytest.TempPathFactory) -> Killing:
    return Killing(tmp_path_factory.mktemp("faults"), mixed_steps())


@needs("fiu-utils", available=fails_on_demand())
@pytest.mark.parametrize("part", range(PARTS))
def test_random_errors_of_the_disk(killing: Killing, part: int, figures: Figures) -> None:
    ends: Counter[str] = Counter()
    faults = []
    for number in range(RUNS // PARTS):
        said, left, wrong = on_failing_disk(killing, PARTS * number + part)
        ends["done" if said.status == 0 else "one clear error"] += 1
        ends["stopped between the first and the last row"] += left.inside
        ends["called damaged"] += "is damaged" in said.stderr
        faults += [f"{number}: {fault}" for fault in wrong]
    figures("random errors of the disk (libfiu)", runs=RUNS // PARTS, **ends, faults=len(faults))
    assert faults == []


@needs_disks
def test_a_disk_with_too_little_room(killing: Killing, tmp_path: Path, figures: Figures) -> None:
    ends: Counter[str] = Counter()
    faults = []
    for number in range(SIZES):
        said, left, wrong = on_full_disk(killing, tmp_path / "disk", number * 40 * 1024)
        ends["done" if said.status == 0 else "one clear error"] += 1
        ends["says that the disk is full"] += "full" in said.stderr or "no space" in said.stderr
        ends["stopped between the first and the last row"] += left.inside
        faults += [f"{number}: {fault}" for fault in wrong]
    figures("a full disk, by its size", runs=SIZES, **ends, faults=len(faults))
    assert faults == []
    assert ends["stopped between the first and the last row"] > 2


def test_files_that_may_not_grow(killing: Killing, figures: Figures) -> None:
    ends: Counter[str] = Counter()
    faults = []
    for number in range(SIZES):
        said, left, wrong = with_small_files(killing, number * 40 * 1024)
        ends["done" if said.status == 0 else "one clear error"] += 1
        ends["stopped between the first and the last row"] += left.inside
        faults += [f"{number}: {fault}" for fault in wrong]
    figures("files that may not grow, by their size", runs=SIZES, **ends, faults=len(faults))
    assert faults == []


@needs_disks
def test_a_disk_that_can_only_be_read(killing: Killing, tmp_path: Path) -> None:
    said, left, faults = on_read_only_disk(killing, tmp_path / "disk")
    assert (said.status, left.run, faults) == (6, "", [])
    assert "cannot be written" in said.stderr


@pytest.mark.parametrize(("seconds", "status"), [(1, 0), (30, 5)])
def test_a_database_that_another_program_holds(
    killing: Killing, seconds: int, status: int, figures: Figures
) -> None:
    faults, waited = [], 0
    for events in (5, 8, 11, 14, 20):
        said, left, wrong = with_held_database(killing, events, seconds)
        faults += [f"event {events}: {fault}" for fault in wrong]
        # A run that is fast may have ended before the other program came.
        waited += said.status == status and left.state == ("RUNNING" if status else "COMPLETED")
        if said.status not in (0, status):
            faults.append(f"event {events}: {said.status}, {left.state}")
    figures(f"a database held by another program for {seconds} s", runs=5, as_told=waited, faults=len(faults))
    assert faults == []
    assert waited > 2
