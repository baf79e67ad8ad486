"""How meters move: they rise at once and fall slowly."""

from __future__ import annotations

from collections.abc import Mapping

from agent.song.ids import TrackId

FALL = 20.0
"""Decibels a second."""
FLOOR = -60.0
CEILING = 0.0
SILENCE = (FLOOR, FLOOR)


class Meters:
    """The levels that are shown for each track, left and right in dB between floor and ceiling."""

    def __init__(self) -> None:
        self._shown: dict[TrackId, tuple[float, float]] = {}

    def take(self, levels: Mapping[TrackId, tuple[float, float]], seconds: float) -> bool:
        """New peaks after so many seconds; whether anything is still above the floor."""
        fall = FALL * seconds
        shown = {}
        for track in {*self._shown, *levels}:
            left, right = self._shown.get(track, SILENCE)
            new = levels.get(track, SILENCE)
            pair = max(FLOOR, min(CEILING, new[0]), left - fall), max(FLOOR, min(CEILING, new[1]), right - fall)
            if pair != SILENCE:
                shown[track] = pair
        self._shown = shown
        return bool(shown)

    def shares(self, track: TrackId) -> tuple[float, float]:
        """How much of each bar is filled, 0-1."""
        left, right = self._shown.get(track, SILENCE)
        return (left - FLOOR) / (CEILING - FLOOR), (right - FLOOR) / (CEILING - FLOOR)
