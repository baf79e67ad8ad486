"""Notes as rectangles that are built once, a stretch at a time, and only scaled while painting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import floor, log2
from time import perf_counter

from PySide6.QtCore import QRectF

from agent.song.clip import Note
from agent.song.time import PPQ
from app.ui.pianoroll.axis import Axis
from app.ui.pianoroll.measures import BANDS, BAR_WIDTH, LEAST_NOTE

_CHUNK = 256
_KEPT = 64
_FEW = 12
"""Stretches whose bars are built anew for each zoom, so that they are exactly as wide as they should be."""
_STEM, _HEAD = 2, 6.0
"""Width of a bar in pixels, height of its head in steps of velocity."""
_FOOT = 12
_GAP = 0.08
"""Share of a row that stays free between two notes."""
_PATIENCE = 0.006
"""Seconds of a frame that may go into new rectangles; the rest comes with the next frames."""
_MERGED_BELOW = 3
"""Level of zoom (a power of two of pixels for a beat) below which notes that touch are drawn as one."""
Bands = list[list[QRectF]]


def band_of(velocity: int) -> int:
    """The kind of loudness, from 0 for soft."""
    return min(BANDS - 1, velocity * BANDS // 128)


class _Chunk:
    """Some notes in a row of time, with what was built of them last."""

    __slots__ = ("_bars", "_bars_key", "_key", "_rects", "end", "notes", "start")

    def __init__(self, notes: tuple[Note, ...]) -> None:
        self.notes = notes
        self.start = notes[0].start
        self.end = max([note.start + note.duration for note in notes])
        self._key: tuple[int, tuple[int, ...]] = (0, ())
        self._rects: Bands | None = None
        self._bars_key = (0.0, 0.0)
        self._bars: Bands | None = None

    def rects(self, level: int, axis: Axis, *, hurry: bool) -> Bands | None:
        """Rectangles by loudness: x in beats of the clip, y in rows. In a hurry what there is, or None."""
        key = (level, axis.lanes)
        if self._rects is not None and (self._key == key or (hurry and self._key[1] == axis.lanes)):
            return self._rects
        if hurry:
            return None
        self._key, self._rects = key, _note_rects(self.notes, level, axis.row)
        return self._rects

    def fits(self, level: int, axis: Axis) -> bool:
        """Whether rectangles for exactly this are there."""
        return self._rects is not None and self._key == (level, axis.lanes)

    def bars(self, thin: float, wide: float, *, hurry: bool) -> Bands | None:
        """Bars of velocities by loudness, with heads if they are `wide`; x and both widths in beats, y from 0 for
        the loudest to 127. In a hurry what there is, or None."""
        if self._bars is None or self._bars_key != (thin, wide):
            if hurry:
                return self._bars
            self._bars_key, self._bars = (thin, wide), _bars(self.notes, thin, wide)
        return self._bars


class Chunks:
    """All notes of a clip, in stretches. `unfinished` tells that the last painting did not show all of them."""

    def __init__(self, notes: tuple[Note, ...]) -> None:
        self.notes = notes
        self.unfinished = False
        self._chunks = [_Chunk(notes[at : at + _CHUNK]) for at in range(0, len(notes), _CHUNK)]

    def between(self, start: float, end: float, axis: Axis) -> Bands:
        """Rectangles by loudness of the notes that may touch a stretch of ticks."""
        level = floor(log2(axis.per_beat))
        until = perf_counter() + _PATIENCE
        self.unfinished = False
        found: Bands = [[] for _ in range(BANDS)]
        for chunk in self._seen(start, end):
            fits = chunk.fits(level, axis)
            hurry = not fits and perf_counter() > until
            self.unfinished = self.unfinished or hurry
            for band, rects in enumerate(chunk.rects(level, axis, hurry=hurry) or ()):
                found[band] += rects
        return found

    def bars_between(self, start: float, end: float, per_beat: float) -> Bands:
        """Bars of the velocities of notes that begin in a stretch of ticks, or near it."""
        seen = list(self._seen(start, end))
        few = len(seen) <= _FEW
        thin = _STEM / per_beat if few else 1 / 2.0 ** floor(log2(per_beat))
        wide = BAR_WIDTH / per_beat if few else 0.0
        until = perf_counter() + _PATIENCE
        found: Bands = [[] for _ in range(BANDS)]
        for chunk in seen:
            hurry = perf_counter() > until
            made = chunk.bars(thin, wide, hurry=hurry)
            self.unfinished = self.unfinished or (hurry and made is None)
            for band, bars in enumerate(made or ()):
                found[band] += bars
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

    @property
    def unfinished(self) -> bool:
        """Whether some clip was not painted whole."""
        return any(one.unfinished for one in self._kept.values())


def _note_rects(notes: tuple[Note, ...], level: int, row: Callable[[int], int]) -> Bands:
    found: Bands = [[] for _ in range(BANDS)]
    least, pixel = LEAST_NOTE / 2.0**level, 1 / 2.0**level
    last: dict[int, QRectF] = {}
    merged = level < _MERGED_BELOW
    for note in notes:
        x, width = note.start / PPQ, note.duration / PPQ
        if merged:
            before = last.get(note.pitch)
            if before is not None and x <= before.right() + pixel:
                before.setRight(max(before.right(), x + width))
                continue
        rect = QRectF(x, row(note.pitch), width if width > least else least, 1 - _GAP)
        if merged:
            # The list shares the rectangle, which may still grow.
            last[note.pitch] = rect
        found[note.velocity * BANDS // 128].append(rect)
    return found


def _bars(notes: tuple[Note, ...], thin: float, wide: float) -> Bands:
    found: Bands = [[] for _ in range(BANDS)]
    column, loudest = -1.0, 0
    for note in notes:
        x, velocity = note.start / PPQ, note.velocity
        if not wide:
            # Behind a louder bar nothing can be seen.
            x = x // thin * thin
            if x == column and velocity <= loudest:
                continue
            column, loudest = x, velocity
        band = found[velocity * BANDS // 128]
        # A little longer than loud: the lowest velocity is a bar too.
        band.append(QRectF(x, 127 - velocity, thin, velocity + _FOOT))
        if wide:
            band.append(QRectF(x, 127 - velocity, wide, _HEAD))
    return found
