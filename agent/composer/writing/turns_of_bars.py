"""Turns of bars: bars of several meters that come one behind another again and again, taken together as one."""

from __future__ import annotations

from typing import TypeAlias

from agent.composer.styles import Meter
from agent.composer.tones import STEP
from agent.composer.writing.meters import accents, groups

Meters: TypeAlias = tuple[Meter, ...]
"""The meters of alternating bars, such as 3/4 and 4/4; a single one if all bars are alike."""


def beats_of(meters: Meters) -> tuple[int, ...]:
    """The lengths in sixteenths of all beats in one round of alternating meters."""
    return tuple(beat for meter in meters for beat in groups(*meter))


def accents_of(meters: Meters) -> tuple[int, ...]:
    """The strong steps (sixteenths) of one round of alternating meters."""
    found: list[int] = []
    begin = 0
    for meter in meters:
        beats = groups(*meter)
        found += [begin + step for step in accents(beats)]
        begin += sum(beats)
    return tuple(found)


def length_of(meters: Meters) -> int:
    """The length in ticks of one round of alternating meters."""
    return sum(beats_of(meters)) * STEP


def bar_lengths(meters: Meters) -> tuple[int, ...]:
    """The length in ticks of each bar in a round of these meters."""
    return tuple(length_of((meter,)) for meter in meters)
