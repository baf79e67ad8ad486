"""Notes as rectangles that are built once, a stretch at a time, and only scaled while painting."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import floor, log2
from time import perf_counter

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from agent.song.clip import Note
from agent.song.ids import NoteId
from app.ui.canvas.layer import fill_all
from app.ui.canvas.note_chunk import BANDS, MERGED_BELOW, Bands, Frames, NoteChunk
from app.ui.canvas.time_axis import PitchAxis

_CHUNK = 256
_KEPT = 64
_FEW = 12
"""Number of visible chunks up to which velocity bars are rebuilt for each zoom, so that their width is exact."""
BAR_WIDTH = 5
_STEM = 2
"""Width in pixels of a velocity bar's head, and of its stem."""
_PATIENCE = 0.006
"""Seconds that one frame may spend on new rectangles; further ones are built in the next frames."""
_MOST_EDGED = 3_000
"""Number of notes above which they are painted without edges."""
_NOTHING: frozenset[NoteId] = frozenset()


@dataclass(frozen=True)
class Shades:
    """Colours of notes: fills from soft to loud, the edge (None: no edge), and the frame of selected notes."""

    bands: tuple[QColor, ...]
    edge: QColor | None
    frame: QColor


class Chunks:
    """All notes of a clip in chunks. After painting, `unfinished` says that notes are missing and another frame is
    needed; `bars_unfinished` the same for velocity bars."""

    def __init__(self, notes: tuple[Note, ...]) -> None:
        self.notes = notes
        self.unfinished = self.bars_unfinished = False
        self._chunks = [NoteChunk(notes[at : at + _CHUNK]) for at in range(0, len(notes), _CHUNK)]

    def between(
        self, start: float, end: float, axis: PitchAxis, chosen: frozenset[NoteId] = _NOTHING
    ) -> tuple[Bands, Frames]:
        """Rectangles, by velocity band, of the notes that may overlap the ticks from `start` to `end`, and those of the
        selected ones (ids in `chosen`)."""
        level = floor(log2(axis.per_beat))
        until = perf_counter() + _PATIENCE
        self.unfinished = False
        found: Bands = [[] for _ in range(BANDS)]
        frames = Frames()
        for chunk in self._seen(start, end):
            share = chunk.share(chosen)
            hurry = perf_counter() > until
            if share == "all" and level >= MERGED_BELOW and not hurry:
                _add(frames, chunk.frames(axis))
                continue
            late = hurry and not chunk.fits(level, axis)
            self.unfinished = self.unfinished or late
            for band, rects in enumerate(chunk.rects(level, axis, hurry=late) or ()):
                if share == "all":
                    frames.outer += rects
                else:
                    found[band] += rects
            if share == "some" and not hurry:
                _add(frames, chunk.frames(axis))
        return found, frames

    def bars_between(
        self, start: float, end: float, per_beat: float, chosen: frozenset[NoteId] = _NOTHING
    ) -> tuple[list[QRectF], list[QRectF]]:
        """Velocity bars of the notes that begin in or near the ticks from `start` to `end`, and those of the selected
        notes (ids in `chosen`; they may be among the first too). `per_beat` is pixels per quarter note."""
        seen = list(self._seen(start, end))
        few = len(seen) <= _FEW
        thin = _STEM / per_beat if few else 1 / 2.0 ** floor(log2(per_beat))
        wide = BAR_WIDTH / per_beat if few else 0.0
        until = perf_counter() + _PATIENCE
        self.bars_unfinished = False
        found: list[QRectF] = []
        over: list[QRectF] = []
        for chunk in seen:
            share = chunk.share(chosen)
            hurry = perf_counter() > until
            made = chunk.bars(thin, wide, hurry=hurry)
            self.bars_unfinished = self.bars_unfinished or (hurry and made is None)
            if made is not None and share == "all":
                over += made
            elif made is not None:
                found += made
                if share == "some":
                    over += chunk.chosen_bars(thin, wide)
        return found, over

    def notes_between(self, start: float, end: float) -> list[Note]:
        """The notes that overlap the ticks from `start` to `end`, in order."""
        return [
            note for chunk in self._seen(start, end) for note in chunk.notes
            if note.start < end and note.start + note.duration > start
        ]

    def _seen(self, start: float, end: float) -> Iterator[NoteChunk]:
        return (chunk for chunk in self._chunks if chunk.start < end and chunk.end > start)


class NoteRects:
    """Caches the chunks of clips that were painted last."""

    def __init__(self) -> None:
        self._kept: dict[int, Chunks] = {}

    def of(self, notes: tuple[Note, ...]) -> Chunks:
        """The chunks of a clip's notes."""
        found = self._kept.get(id(notes))
        # The notes are kept with their rectangles, so an equal id means the same notes.
        if found is None or found.notes is not notes:
            if len(self._kept) >= _KEPT:
                self._kept.pop(next(iter(self._kept)))
            found = self._kept[id(notes)] = Chunks(notes)
        return found

    def draw(
        self, painter: QPainter, notes: tuple[Note, ...], axis: PitchAxis, ticks: tuple[float, float], shades: Shades,
        chosen: frozenset[NoteId] = _NOTHING,
    ) -> int:
        """Paint a clip's notes between two of its ticks, with frames around selected ones (ids in `chosen`); returns
        about how many were painted. The painter's origin is the clip's first tick and the topmost row."""
        found, frames = self.of(notes).between(*ticks, axis, chosen)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.scale(axis.per_beat, axis.row_height)
        count = sum(map(len, found))
        edge = None if count > _MOST_EDGED else shades.edge
        painter.setPen(QPen(Qt.PenStyle.NoPen) if edge is None else QPen(edge, 0))
        for rects, color in zip(found, shades.bands, strict=True):
            if rects:
                painter.setBrush(color)
                painter.drawRects(rects)
        # Frames are filled twice: a pen costs three times as much.
        fill_all(painter, frames.outer, shades.frame)
        for rects, color in zip(frames.inner, shades.bands, strict=True):
            fill_all(painter, rects, color)
        painter.restore()
        return count + len(frames.outer)


def _add(frames: Frames, more: Frames) -> None:
    frames.outer += more.outer
    for band, rects in enumerate(more.inner):
        frames.inner[band] += rects
