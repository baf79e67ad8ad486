"""Notes as rectangles that are built once, a stretch at a time, and only scaled while painting."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor, log2

from PySide6.QtCore import QRectF

from agent.song.clip import Note
from agent.song.time import PPQ
from app.ui.pianoroll.axis import Axis
from app.ui.pianoroll.measures import BANDS, LEAST_NOTE

_CHUNK = 256
_KEPT = 64
_GAP = 0.08
"""Share of a row that stays free between two notes."""


def band_of(velocity: int) -> int:
    """The kind of loudness, from 0 for soft."""
    return min(BANDS - 1, velocity * BANDS // 128)


class _Chunk:
    """Some notes in a row of time."""

    __slots__ = ("_key", "_rects", "end", "notes", "start")

    def __init__(self, notes: tuple[Note, ...]) -> None:
        self.notes = notes
        self.start = notes[0].start
        self.end = max([note.start + note.duration for note in notes])
        self._key: tuple[int, tuple[int, ...]] = (0, ())
        self._rects: list[list[QRectF]] | None = None

    def rects(self, level: int, axis: Axis) -> list[list[QRectF]]:
        """Rectangles by loudness: x in beats of the clip, y in rows."""
        key = (level, axis.lanes)
        if self._rects is None or self._key != key:
            least = LEAST_NOTE / 2.0**level
            found: list[list[QRectF]] = [[] for _ in range(BANDS)]
            row = axis.row
            for note in self.notes:
                found[min(BANDS - 1, note.velocity * BANDS // 128)].append(
                    QRectF(note.start / PPQ, row(note.pitch), max(note.duration / PPQ, least), 1 - _GAP)
                )
            self._key, self._rects = key, found
        return self._rects


class Chunks:
    """All notes of a clip, in stretches."""

    def __init__(self, notes: tuple[Note, ...]) -> None:
        self.notes = notes
        self._chunks = [_Chunk(notes[at : at + _CHUNK]) for at in range(0, len(notes), _CHUNK)]

    def between(self, start: float, end: float, axis: Axis) -> list[list[QRectF]]:
        """Rectangles by loudness of the notes that may touch a stretch of ticks."""
        level = floor(log2(axis.per_beat))
        found: list[list[QRectF]] = [[] for _ in range(BANDS)]
        for chunk in self._seen(start, end):
            for band, rects in enumerate(chunk.rects(level, axis)):
                found[band] += rects
        return found

    def notes_between(self, start: float, end: float) -> list[Note]:
        """The notes that sound in a stretch of ticks, in order."""
        return [
            note for chunk in self._seen(start, end) for note in chunk.notes
            if note.start < end and note.start + note.duration > start
        ]

    def _seen(self, start: float, end: float) -> Iterator[_Chunk]:
        return (chunk for chunk in self._chunks if chunk.start < end and chunk.end > start)


class NoteRects:
    """Keeps the stretches of clips that were drawn."""

    def __init__(self) -> None:
        self._kept: dict[int, Chunks] = {}

    def of(self, notes: tuple[Note, ...]) -> Chunks:
        """Those of a clip's notes."""
        found = self._kept.get(id(notes))
        # The notes are kept with their rectangles, so an equal id means the same notes.
        if found is None or found.notes is not notes:
            if len(self._kept) >= _KEPT:
                self._kept.pop(next(iter(self._kept)))
            found = self._kept[id(notes)] = Chunks(notes)
        return found
