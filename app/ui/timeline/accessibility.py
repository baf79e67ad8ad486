"""What assistive programs are told about the painted timeline."""

from __future__ import annotations

from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QAbstractScrollArea

from agent.song.ids import TrackId
from agent.song.time import Ticks
from app.i18n import tr, trn
from app.ui.canvas.accessibility import describe
from app.ui.timeline.outline import OutlineList
from app.ui.timeline.stage import TimelineContext
from app.viewmodels.edits.clip_edits import find_track
from app.viewmodels.edits.curve_edits import curve_of, target_of, value_at, value_words
from app.viewmodels.texts.places import place_in_words


class TimelineDescription:
    """Keeps the view's accessible description, and the current row of its outline, in step with the keyboard cursor."""

    def __init__(self, stage: TimelineContext, view: QAbstractScrollArea) -> None:
        self._stage = stage
        self._view = view
        self.list = OutlineList(stage, view.viewport())

    def describe(self) -> None:
        """Update the description and the outline's current row, if they have changed."""
        outline = self.list.outline
        outline.renew()
        place = outline.place_of(self._stage.cursor)
        index = outline.index(-1 if place is None else place, 0)
        moved = index.row() != self.list.currentIndex().row()
        if moved:
            self.list.setCurrentIndex(index)
        describe(self._view, self.words())
        if moved and index.isValid() and self._view.hasFocus():
            told = QAccessibleEvent(self.list, QAccessible.Event.Focus)
            told.setChild(index.row())
            QAccessible.updateAccessibility(told)

    def words(self) -> str:
        """The current automation point, clip or ghost in words, else a summary of the song."""
        stage = self._stage
        scene = stage.scene
        if stage.point is not None:
            return self._point_words(*stage.point)
        item = scene.find(stage.cursor, stage.overlay)
        if item is not None:
            return self.list.outline.words(item)
        tracks, clips = len(scene.song.tracks), sum(len(track.clips) for track in scene.song.tracks)
        parts = [trn("{count} track", "{count} tracks", tracks), trn("{count} clip", "{count} clips", clips)]
        ghosts = len(scene.ghosts.clips) if stage.overlay else 0
        parts += [trn("{count} ghost clip", "{count} ghost clips", ghosts)] if ghosts else []
        bars = stage.opened.focus.bars.value
        parts += [tr("bars {first} to {last} chosen", first=bars[0], last=bars[1])] if bars is not None else []
        return tr(", ").join(parts)

    def _point_words(self, track_id: TrackId, target: str, at: Ticks) -> str:
        """A point of a curve: "Point at 5.1.1, −3.0 dB, volume of Pad"."""
        song, palette = self._stage.song, self._stage.opened.studio.palette
        track = find_track(song, track_id)
        one = None if track is None else target_of(track, target, palette)
        if track is None or one is None:
            return ""
        value = value_words(track, one, value_at(curve_of(track, target), at, one.rest), palette)
        return tr("Point at {place}, {value}, {curve} of {track}", place=place_in_words(song.bar_map, at),
                  value=value, curve=one.label, track=track.name)
