"""Thousands of odd plans, MIDI files and answers of model servers: each ends in work done or the one class of error."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from fuzzing import fuzz

PART = 1_000
CASES = {"plans": 20_000, "midi files": 20_000, "model answers": 2_000}


@pytest.mark.parametrize(
    ("kind", "part"), [(kind, part) for kind, cases in CASES.items() for part in range(cases // PART)]
)
def test_odd_cases_end_in_work_or_one_clear_error(kind: str, part: int, figures: Callable[..., None]) -> None:
    found = fuzz(kind, part * PART, part * PART + PART - 1)
    figures(f"odd {kind}", **{name.replace(" ", "_"): count for name, count in found.outcomes.items()})
    assert not found.faults, "\n".join(found.faults[:20])
    assert sum(found.outcomes.values()) == PART
    assert found.outcomes["carried out"] > PART // 100
