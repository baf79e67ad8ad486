"""The meters of all tracks: what they show at one moment, on strips as on headers."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from PySide6.QtCore import QRect

from agent.song.ids import TrackId
from app.i18n import tr
from app.ui.kit.accessibility.part import AccessiblePart, ValueScale
from app.ui.kit.widgets.level_meter import FLOOR_DB, MeterReading

Pair = tuple[MeterReading, MeterReading]

_REST: Pair = (MeterReading(), MeterReading())
_SILENT = float("-inf")


class TrackLevels:
    """The readings of all tracks' level meters, left and right."""

    def __init__(self) -> None:
        self._shown: dict[TrackId, Pair] = {}

    def of(self, track: TrackId) -> Pair:
        """The left and right reading of a track; silent ones for an unknown track."""
        return self._shown.get(track, _REST)

    def take(self, levels: Mapping[TrackId, tuple[float, float]], passed: float, now: float) -> Collection[TrackId]:
        """Update with new peaks (dBFS) by track, `passed` seconds after the last ones; `now` is monotonic time in
        seconds. Returns the tracks whose meters change."""
        moved = []
        for track in {*self._shown, *levels}:
            before = self.of(track)
            left, right = levels.get(track, (_SILENT, _SILENT))
            pair = before[0].after(left, passed, now), before[1].after(right, passed, now)
            if pair == before:
                continue
            moved.append(track)
            if all(one.at_rest and not one.clipped for one in pair):
                self._shown.pop(track, None)
            else:
                self._shown[track] = pair
        return moved

    @property
    def moving(self) -> bool:
        """Whether any level or peak mark is still above the floor."""
        return any(not one.at_rest for pair in self._shown.values() for one in pair)

    def clipped(self, track: TrackId) -> bool:
        """Whether a track has exceeded 0 dBFS since `clear`."""
        return any(one.clipped for one in self.of(track))

    def clear(self, track: TrackId) -> None:
        """Reset a track's clipping indicator."""
        left, right = self.of(track)
        cleared = MeterReading(left.level, left.peak, left.held_until), MeterReading(
            right.level, right.peak, right.held_until
        )
        self._shown[track] = cleared

    def forget(self, kept: Collection[TrackId]) -> None:
        """Drop the readings of all tracks but these."""
        self._shown = {track: pair for track, pair in self._shown.items() if track in kept}

    def part(self, track: TrackId, name: str, place: QRect) -> AccessiblePart:
        """The accessible part for the meter of a track called `name`, at a rectangle."""
        def read() -> float:
            return max(FLOOR_DB, max(bar.level for bar in self.of(track)))

        return AccessiblePart(
            "level", "meter", tr("Level of {name}", name=name), place, scale=ValueScale(FLOOR_DB, FLOOR_DB, 0.0, 0.1),
            read=read,
        )
