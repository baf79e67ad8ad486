"""Step strings: the last of four bars, which a hand plays a little differently."""

from __future__ import annotations

import pytest

from agent.composer.dice import Dice
from agent.composer.tones import STEP
from agent.composer.writing.steps import turned

BAR = 16 * STEP


@pytest.mark.parametrize(
    ("pattern", "last"),
    [
        ("x---------------", "x-------------o-"),
        ("x-------x-------", "x-------x-----o-"),
        ("x---x---x---x---", "x---x---x-------"),
        ("..x...x...x...x.", "..x...x...x....."),
        ("x---x---x---x---x-------x-------", "x-------x-----o-"),
    ],
)
def test_a_calm_bar_gets_a_last_stroke_and_a_busy_one_loses_it(pattern, last):
    found = turned(pattern, BAR, 8, Dice(1, "hand"), 1.0)
    assert len(found) == 4 * 16
    assert found[-16:] == last
    assert found[:-16] == (pattern * 4)[: 3 * 16]


def test_a_short_section_or_another_meter_is_played_as_written():
    assert turned("x-------x-------", BAR, 2, Dice(1, "hand"), 1.0) == "x-------x-------"
    assert turned("x-------x-------", 12 * STEP, 8, Dice(1, "hand"), 1.0) == "x-------x-------"
    assert turned("x-------x-------", BAR, 8, Dice(1, "hand"), 0.0) == "x-------x-------"
