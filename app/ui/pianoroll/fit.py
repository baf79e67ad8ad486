"""Which part of a clip is to be in sight, as values that the view carries out."""

from __future__ import annotations

from dataclasses import dataclass

from agent.song.time import PPQ
from app.ui.pianoroll.measures import (
    LANE_ROW,
    LEAD,
    LEAST_FITTED,
    LEAST_LANE,
    MOST_FITTED,
    TAIL,
)
from app.ui.pianoroll.scene import RollScene

_LOOKED_AT = 2_000
_ROWS_AROUND = 4
"""Notes that a new clip's zoom goes by, and rows that are shown beside theirs."""
_USUAL_BARS = 8
"""A longer clip is shown from its beginning at first."""


@dataclass(frozen=True)
class Fit:
    """Zoom, height of rows, and the row, or place between two, in the middle; it begins with the clip."""

    per_beat: float
    row_height: int
    middle: float


@dataclass(frozen=True)
class Stretch:
    """Ticks of the clip in one row."""

    start: int
    end: int
    row: int


def first_fit(scene: RollScene, width: int, height: int) -> Fit | None:
    """How a clip comes into sight: its first bars, and its notes in the middle. None without a clip."""
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
    """What the keyboard is at: the focused note, else the cell."""
    note, (at, pitch) = scene.focused(), scene.cell
    if note is not None and not scene.on_cell and not scene.settings.value.stepping:
        return Stretch(note.start, note.end, scene.axis.row(note.pitch))
    return Stretch(at, at, scene.axis.row(pitch))


def lost_notes(scene: RollScene, width: int, height: int) -> Stretch | None:
    """One of the selected notes if none of them can be seen, without a selection of all of the clip's; else None."""
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
