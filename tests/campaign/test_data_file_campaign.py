"""Thousands of damaged files of data: each is taken or told of by its name, within bounds of time and memory."""

from __future__ import annotations

import resource
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from damaging import damaged
from data_files import kinds
from killing import dice

FILES = 5_000
PARTS = 10
MOST_SECONDS = 5.0
"""Of work on one file, whatever else the machine does."""
MOST_GROWTH_KB = 300_000


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(PARTS))
def test_damaged_data_files_are_taken_or_told_of(tmp_path: Path, part: int, figures: Callable[..., None]) -> None:
    chance = dice(part)
    files = kinds(tmp_path)
    ends: Counter[str] = Counter()
    faults: list[str] = []
    slowest, before = 0.0, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for number in range(FILES // PARTS):
        name, file = chance.choice(list(files.items()))
        file.path.write_bytes(damaged(chance.choice(file.whole), chance))
        began = time.thread_time()
        try:
            ends[file.outcome()] += 1
        except Exception as error:
            faults.append(f"{part}/{number} {name}: {error!r:.200}")
        took = time.thread_time() - began
        slowest = max(slowest, took)
        if took > MOST_SECONDS:
            faults.append(f"{part}/{number} {name}: {took:.1f} s")
        file.path.write_bytes(file.whole[0])
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    figures("damaged files of data", files=FILES // PARTS, faults=len(faults), **ends)
    print(f"slowest {slowest:.2f} s of work, grown by {grown // 1024} MB")  # noqa: T201
    assert faults == []
    assert grown < MOST_GROWTH_KB
