"""A run on a machine on which something is wrong: it ends well or with one clear error, leaves nothing half, and is
taken up when the machine is well again. Short forms; tests/campaign has the long ones."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from campaign_plans import mixed_steps
from fault_rounds import (
    on_failing_disk,
    on_full_disk,
    on_read_only_disk,
    with_held_database,
    with_jumping_clock,
    with_small_files,
)
from faulty_machines import clock_library, disks_can_be_made, fails_on_demand
from killing import Killing
from system_packages import needs

RUNS = 3
needs_disks = pytest.mark.skipif(not disks_can_be_made(), reason="only root may mount a disk")
needs_clocks = needs("faketime", available=bool(clock_library()))


@pytest.fixture(scope="module")
def killing(tmp_path_factory: pytest.TempPathFactory) -> Killing:
    return Killing(tmp_path_factory.mktemp("faults"), mixed_steps())


@pytest.mark.slow
@needs("fiu-utils", available=fails_on_demand())
def test_random_errors_of_the_disk_leave_nothing_half(killing: Killing) -> None:
    rounds = [on_failing_disk(killing, number) for number in range(RUNS)]
    assert [fault for *_, faults in rounds for fault in faults] == []
    assert any(said.status == 6 for said, *_ in rounds)


@needs_disks
@pytest.mark.parametrize("room", [0, 200_000, 400_000])
def test_a_full_disk_ends_a_run_and_stores_no_part_of_a_row(killing: Killing, tmp_path: Path, room: int) -> None:
    said, _, faults = on_full_disk(killing, tmp_path / "disk", room)
    assert (said.status, faults) == (6, [])


def test_files_that_may_not_grow_end_a_run_and_store_no_part_of_a_row(killing: Killing) -> None:
    said, left, faults = with_small_files(killing, 300_000)
    assert (said.status, left.state, faults) == (6, "RUNNING", [])


@needs_disks
def test_a_disk_that_can_only_be_read_is_refused(killing: Killing, tmp_path: Path) -> None:
    said, left, faults = on_read_only_disk(killing, tmp_path / "disk")
    assert (said.status, left.run, faults) == (6, "", [])
    assert "cannot be written" in said.stderr


@pytest.mark.parametrize(("seconds", "status", "state"), [(1, 0, "COMPLETED"), (12, 5, "RUNNING")])
def test_a_database_that_another_program_holds_is_waited_for_and_then_told(
    killing: Killing, seconds: int, status: int, state: str
) -> None:
    said, left, faults = with_held_database(killing, 12, seconds)
    assert (said.status, left.state, faults) == (status, state, [])
    assert ("is in use" in said.stderr) is (status != 0)


@needs_clocks
@pytest.mark.parametrize("jumps", [("-1h",), ("+3650d", "+0")])
def test_a_clock_that_jumps_in_mid_run_changes_nothing(killing: Killing, jumps: tuple[str, ...]) -> None:
    _, said, left, faults = with_jumping_clock(killing, "+0", jumps)
    assert (said.status, left.state, faults) == (0, "COMPLETED", [])


@needs_clocks
def test_a_backup_is_made_although_the_newest_copy_is_of_years_ahead(killing: Killing) -> None:
    at = killing.home()
    shutil.rmtree(at.home / "backups")
    ahead = {"LD_PRELOAD": clock_library(), "FAKETIME": "+3650d"}
    assert at.run("projects", "--json", **ahead).status == 0
    assert at.run("projects", "--json").status == 0
    assert len(list((at.home / "backups").iterdir())) == 2
