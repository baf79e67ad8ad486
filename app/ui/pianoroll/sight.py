"""What of the clip is in sight: zoom, scroll, and how a clip comes into sight at first."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from agent.song.time import PPQ
from app.ui.pianoroll.measures import (
    LANE_ROW,
    LEAD,
    LEAST_FITTED,
    LEAST_LANE,
    LEAST_ROW,
    MOST_FITTED,
    MOST_ROW,
    SCROLL_STEP,
    TAIL,
    ZOOM_STEP,
)

if TYPE_CHECKING:
    from app.ui.pianoroll.area import RollArea

_LOOKED_AT = 2_000
_ROWS_AROUND = 4
"""Notes that a new clip's zoom goes by, and rows that are shown beside theirs."""
_USUAL_BARS = 8
"""A longer clip is shown from its beginning at first."""


class Sight:
    """Moves the scroll bars and the axis of a view together."""

    def __init__(self, view: RollArea) -> None:
        self._view = view
        self._stage = view.stage

    def sync(self) -> None:
        """Let the scroll bars reach what there is."""
        axis, place, clip = self._stage.axis, self._view.viewport().rect(), self._stage.clip
        across, down = self._view.horizontalScrollBar(), self._view.verticalScrollBar()
        length = 0 if clip is None else clip.duration
        across.setRange(0, max(0, axis.width(length) + TAIL - place.width()))
        across.setPageStep(place.width())
        across.setSingleStep(SCROLL_STEP)
        down.setRange(0, max(0, axis.rows * axis.row_height - place.height()))
        down.setPageStep(place.height())
        down.setSingleStep(axis.row_height)
        axis.left, axis.top = across.value(), down.value()

    def zoom(self, per_beat: float, x: float) -> None:
        """Zoom so that what lies at a pixel stays there."""
        axis, clip = self._stage.axis, self._stage.clip
        if clip is None:
            return
        at = axis.at(x)
        axis.per_beat = axis.zoomed(per_beat, clip.duration)
        self.sync()
        self._view.horizontalScrollBar().setValue(round(at / PPQ * axis.per_beat + LEAD - x))
        self._view.repaint_across()

    def zoom_in(self) -> None:
        """A step nearer, around what the keyboard is at."""
        self.zoom(self._stage.axis.per_beat * ZOOM_STEP, self._middle())

    def zoom_out(self) -> None:
        """A step farther."""
        self.zoom(self._stage.axis.per_beat / ZOOM_STEP, self._middle())

    def zoom_clip(self) -> None:
        """The whole clip at once."""
        clip = self._stage.clip
        if clip is not None:
            self.zoom((self._view.viewport().width() - LEAD - TAIL) / (clip.duration / PPQ), 0)
            self._view.horizontalScrollBar().setValue(0)

    def page(self, by: int) -> None:
        """A page to the right or to the left."""
        bar = self._view.horizontalScrollBar()
        bar.setValue(bar.value() + by * bar.pageStep())

    def tall_rows(self, by: int) -> None:
        """Higher or lower rows."""
        axis = self._stage.axis
        middle = axis.top + self._view.viewport().height() / 2
        share = middle / axis.row_height
        axis.row_height = max(LEAST_ROW, min(MOST_ROW, axis.row_height + by))
        self.sync()
        self._view.verticalScrollBar().setValue(round(share * axis.row_height - self._view.viewport().height() / 2))
        self._view.repaint_all()

    def moved(self, act: Callable[[], object]) -> None:
        """Do what a key says and bring its place into sight."""
        act()
        note = self._stage.focused()
        at, pitch = self._stage.cell
        if note is not None and not self._stage.on_cell and not self._stage.settings.value.stepping:
            self.reveal(note.start, note.end, note.pitch)
        else:
            self.reveal(at, at, pitch)

    def reveal(self, start: int, end: int, pitch: int) -> None:
        """Scroll so that a place can be seen."""
        axis, place = self._stage.axis, self._view.viewport().rect()
        left, right, y = axis.x(start), axis.x(end), axis.y(pitch)
        across, down = self._view.horizontalScrollBar(), self._view.verticalScrollBar()
        if left < 0 or left > place.width() - TAIL:
            across.setValue(round(left) + axis.left - place.width() // 4)
        elif right > place.width() and right - left < place.width():
            across.setValue(round(right) + axis.left - place.width() + TAIL)
        if y < 0:
            down.setValue(y + axis.top - axis.row_height)
        elif y + axis.row_height > place.height():
            down.setValue(y + axis.top - place.height() + 2 * axis.row_height)

    def reveal_chosen(self) -> None:
        """Follow the selected notes if none of them can be seen; without a selection all of the clip's."""
        stage, axis, place = self._stage, self._stage.axis, self._view.viewport().rect()
        left, right = axis.at(place.left()), axis.at(place.right())
        high, low = axis.pitch(place.top()), axis.pitch(place.bottom())
        chosen = stage.index.chosen(stage.selected.value) if stage.selected.value else stage.index.notes
        if not chosen or self._view.dragging or stage.settings.value.stepping:
            return
        if stage.drums or any(one.start < right and one.end > left and low <= one.pitch <= high for one in chosen):
            return
        note = stage.focused()
        if note is None or note not in chosen:
            note = next((one for one in chosen if one.end > left), chosen[0])
        self.reveal(note.start, note.end, note.pitch)

    def turn_page(self, at: float) -> None:
        """Scroll so that a tick of the clip stands near the left edge."""
        axis = self._stage.axis
        self._view.horizontalScrollBar().setValue(round(axis.x(at)) + axis.left - self._view.viewport().width() // 10)

    def fit(self) -> None:
        """A clip that comes into sight: its first bars, and its notes in the middle."""
        stage, clip = self._stage, self._stage.clip
        assert clip is not None
        axis = stage.axis
        pitches = [note.pitch for note in stage.index.notes[:_LOOKED_AT]] or [stage.cell[1]]
        rows = axis.rows if stage.drums else max(pitches) - min(pitches) + _ROWS_AROUND
        least, most = (LEAST_LANE, LANE_ROW) if stage.drums else (LEAST_FITTED, MOST_FITTED)
        axis.row_height = max(least, min(most, self._view.viewport().height() // max(1, rows)))
        beats = min(clip.duration, stage.bars.meter_at(clip.start).bar_length * _USUAL_BARS) / PPQ
        axis.per_beat = axis.zoomed((self._view.viewport().width() - LEAD - TAIL) / beats, clip.duration)
        self._view.place()
        self._view.horizontalScrollBar().setValue(0)
        middle = (axis.row(min(pitches)) + axis.row(max(pitches)) + 1) / 2 * axis.row_height
        self._view.verticalScrollBar().setValue(round(middle - self._view.viewport().height() / 2))
        self._view.repaint_all()

    def _middle(self) -> float:
        note, width = self._stage.focused(), self._view.viewport().width()
        x = self._stage.axis.x(note.start if note is not None else self._stage.cell[0])
        return x if 0 <= x <= width else width / 2
