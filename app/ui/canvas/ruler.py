"""Bars on a ruler: which of them have room for their numbers."""

from __future__ import annotations

from agent.song.time import PPQ, BarMap
from app.ui.canvas.time_axis import TimeAxis

LABEL_ROOM = 40
"""Pixels that the number of a bar needs."""


def is_numbered(bars: BarMap, bar: int, axis: TimeAxis) -> bool:
    """Whether a bar, counted from 1, has its number: each, or every second, fourth and so on where bars are narrow."""
    width = bars.meter_at(bars.start_of(bar)).bar_length / PPQ * axis.per_beat
    every = 1
    while width * every < LABEL_ROOM:
        every *= 2
    return (bar - 1) % every == 0
