"""Which part of a clip is to be in sight, as values that the view carries out."""

from __future__ import annotations

from dataclasses import dataclass

from agent.song.time import PPQ
from app.ui.pianoroll.measures import LANE_ROW, LEAD, LEAST_FITTED, LEAST_LANE, MOST_FITTED, TAIL
from app.ui.pianoroll.scene import RollScene

_LOOKED_AT = 2_000
_ROWS_AROUND = 4
"""Rows that the first zoom shows besides those of the clip's notes; `_LOOKED_AT` of the notes decide it."""
_USUAL_BARS = 8
"""Bars that a clip is zoomed to fit at first; a longer one is shown from its beginning."""


@dataclass(frozen=True)
class Fit:
    """Zoom (pixels per beat), height of rows in pixels, and the row in the middle (a fraction is between two rows); the
    view begins with the clip."""

    per_beat: float
    row_height: int
    middle: float


@dataclass(frozen=True)
class Stretch:
    """A range of ticks from the clip's start, in one row."""

    start: int
    end: int
    row: int


def first_fit(scene: RollScene, width: int, height: int) -> Fit | None:
    """Zoom and position for a clip that is shown first, in a view of so many pixels: its first bars, with its notes in
    the middle. None without a clip."""
    clip, axis = scene.clip, scene.axis
    if clip is None:
        return None
    pitches = [note.pitch for note in scene.index.notes[:_LOOKED_AT]] or [scene.cell[1]]
    low, high = axis.row(min(pitches)), axis.row(max(pitches))
    rows = axis.rows if scene.drums else low - high + _ROWS_AROUND
    least, most = (LEAST_LANE, LANE_ROW) if scene.drums else (LEAST_FITTED, MOST_FITTED)
    beats = min(clip.duration, scene.bars.meter_at(clip.start).bar_length * _USUAL_BARS) / PPQ
    row_height = max(least, min(most, height // max(1, rows)))
    return Fit(axis.zoomed((width - LEAD - TAIL) / beats), row_height, (low + high + 1) / 2)


def keyboard_place(scene: RollScene) -> Stretch:
    """The range of the focused note, else of the keyboard's cell."""
    note, (at, pitch) = scene.focused(), scene.cell
    if note is not None and not scene.on_cell and not scene.settings.value.stepping:
        return Stretch(note.start, note.end, scene.axis.row(note.pitch))
    return Stretch(at, at, scene.axis.row(pitch))


def lost_notes(scene: RollScene, width: int, height: int) -> Stretch | None:
    """The range of one of the selected notes (without a selection: of any note) if none of them is visible in a view of
    `width` and `height` pixels; None if one is."""
    axis = scene.axis
    left, right, high, low = axis.at(0), axis.at(width - 1), axis.pitch(0), axis.pitch(height - 1)
    chosen = scene.index.chosen(scene.selected.value) if scene.selected.value else scene.index.notes
    if not chosen or scene.settings.value.stepping or scene.drums:
        return None
    if any(one.start < right and one.end > left and low <= one.pitch <= high for one in chosen):
        return None
    note = scene.focused()
    if note is None or note not in chosen:
        note = next((one for one in chosen if one.end > left), chosen[0])
    return Stretch(note.start, note.end, axis.row(note.pitch))
