"""Notes as rectangles that are built once and only scaled while painting."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from math import floor, log2

from PySide6.QtCore import QRectF

from agent.song.clip import Clip, Note
from agent.song.time import PPQ
from app.ui.timeline.measures import LEAST_SPAN

LEAST_WIDTH = 1.5
MOST_NOTES = 400_000
"""Note rectangles that are cached; beyond it the oldest are dropped."""


class ClipRects:
    """Cached rectangles of clips' notes: x in beats from the clip's start, y in pixels of the clip's body.

    A rectangle is at least one and a half pixels wide at the zoom level (a power of two) it is built for."""

    def __init__(self) -> None:
        self._kept: dict[tuple[int, int, int], tuple[tuple[Note, ...], list[QRectF]]] = {}
        self._count = 0

    def of(self, clip: Clip, height: int, per_beat: float) -> list[QRectF]:
        """Rectangles of all notes of a clip, in the order of their starts, for a body of `height` pixels at `per_beat`
        pixels a beat."""
        level = floor(log2(per_beat))
        key = (id(clip.notes), height, level)
        found = self._kept.get(key)
        # The notes are kept with their rectangles, so an equal id means the same notes.
        if found is not None and found[0] is clip.notes:
            return found[1]
        rects = note_rects(clip, height, LEAST_WIDTH / 2.0**level)
        if self._count > MOST_NOTES:
            self._kept.clear()
            self._count = 0
        self._kept[key] = clip.notes, rects
        self._count += len(rects)
        return rects

    def between(self, clip: Clip, height: int, per_beat: float, start: float, end: float) -> list[QRectF]:
        """Rectangles of the notes that may overlap the range from `start` to `end`, in beats from the clip's start;
        `height` and `per_beat` as for `of`."""
        rects = self.of(clip, height, per_beat)
        if len(rects) < 64:
            return rects
        first = bisect_left(rects, start, key=lambda rect: rect.x())
        last = bisect_right(rects, end, key=lambda rect: rect.x())
        held = [rect for rect in rects[:first] if rect.right() > start]
        return held + rects[first:last]


def note_rects(clip: Clip, height: int, least_width: float) -> list[QRectF]:
    """Rectangles of a clip's notes in a body of `height` pixels, each at least `least_width` beats wide; none for a
    body under 4 pixels."""
    if not clip.notes or height < 4:
        return []
    pitches = [note.pitch for note in clip.notes]
    low, high = min(pitches), max(pitches)
    span = max(LEAST_SPAN, high - low)
    top = high + (span - (high - low)) / 2
    tall = 3 if (height - 4) / (span + 1) >= 3 else 2
    row = (height - 2 - tall) / span
    return [
        QRectF(
            note.start / PPQ, 1 + round((top - note.pitch) * row),
            max(note.duration / PPQ * 0.94, least_width), tall,
        )
        for note in clip.notes
    ]
