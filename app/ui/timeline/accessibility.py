"""What assistive programs are told about the painted timeline: its tracks, clips and ghosts as a list."""

from __future__ import annotations

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent, QPaintEvent
from PySide6.QtWidgets import QAbstractScrollArea, QListView, QWidget

from agent.song.ids import ClipId, TrackId
from agent.song.time import Ticks
from app.i18n import tr, trn
from app.ui.canvas.accessibility import describe
from app.ui.timeline.scene import SceneItem, TimelineScene
from app.ui.timeline.stage import TimelineContext
from app.viewmodels.edits.clip_edits import find_track
from app.viewmodels.edits.curve_edits import curve_of, target_of, value_at, value_words
from app.viewmodels.edits.locking import clip_is_locked
from app.viewmodels.texts.curve_words import curve_in_words
from app.viewmodels.texts.places import place_in_words
from app.viewmodels.timeline.layout import Lane
from app.viewmodels.timeline.words import clip_in_words, ghost_in_words

Row = Lane | SceneItem
Index = QModelIndex | QPersistentModelIndex


class Outline(QAbstractListModel):
    """A list model: for each lane its header, then its clips and ghosts from left to right; texts are made on
    demand."""

    def __init__(self, stage: TimelineContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._stage = stage
        self._scene: TimelineScene | None = None
        self._overlay = False
        self._rows: list[Row] = []
        self._places: dict[tuple[ClipId, bool], int] = {}

    def renew(self) -> None:
        """Reset the model if the scene or the overlay has changed."""
        scene, overlay = self._stage.scene, self._stage.overlay
        if scene is self._scene and overlay == self._overlay:
            return
        self.beginResetModel()
        self._scene, self._overlay = scene, overlay
        self._rows = []
        for number, lane in enumerate(scene.lanes):
            self._rows += [lane, *scene.items(number, overlay)]
        self._places = {row.key: place for place, row in enumerate(self._rows) if isinstance(row, SceneItem)}
        self.endResetModel()

    def place_of(self, key: tuple[ClipId, bool] | None) -> int | None:
        """The row of a clip or ghost by its key; None if it has none."""
        return None if key is None else self._places.get(key)

    def rowCount(self, parent: Index | None = None) -> int:  # noqa: N802
        """Number of rows: one for each lane, clip and ghost."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The text of a row."""
        if not index.isValid() or role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        return self.words(self._rows[index.row()])

    def words(self, row: Row) -> str:
        """The text of a lane, clip or ghost for a screen reader."""
        stage = self._stage
        scene = stage.scene
        if isinstance(row, Lane):
            return _lane_words(row)
        if row.ghost is not None:
            return ghost_in_words(scene.song, row.track, row.ghost)
        return clip_in_words(
            scene.song, row.track, row.clip, selected=row.clip.id in stage.opened.focus.clips.value,
            locked=clip_is_locked(scene.locks, scene.song, row.track.id, row.clip),
        )


class OutlineList(QListView):
    """An invisible list over the painted lanes for screen readers; its current row follows the keyboard cursor. It
    takes no focus.

    It is a child of the viewport, because screen readers are told only of that child of a scroll area."""

    def __init__(self, stage: TimelineContext, parent: QWidget) -> None:
        super().__init__(parent)
        self.outline = Outline(stage, self)
        self.setModel(self.outline)
        self.setAccessibleName(tr("Tracks and clips"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setUniformItemSizes(True)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        for part in (self, self.viewport()):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            part.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
            part.setAutoFillBackground(False)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Paints nothing: the lanes show it all."""
        return


def _lane_words(lane: Lane) -> str:
    track = lane.track
    if lane.curve:
        points = trn("{count} point", "{count} points", len(curve_of(track, lane.curve).points))
        return tr("Curve, {curve} of {track}, {points}", curve=curve_in_words(lane.curve), track=track.name,
                  points=points)
    if lane.proposed is not None:
        if lane.proposed.kind == "added":
            return tr("Track {track}, proposed", track=track.name)
        return tr("Track {track}, to be removed", track=track.name)
    clips = trn("{count} clip", "{count} clips", len(lane.clips))
    return tr("Track {track}, {clips}", track=track.name, clips=clips)


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
