"""Tracks, clips and ghosts of the timeline as a list that assistive programs can read."""

from __future__ import annotations

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QListView, QWidget

from agent.song.ids import ClipId
from app.i18n import tr, trn
from app.ui.timeline.scene import SceneItem, TimelineScene
from app.ui.timeline.stage import TimelineContext
from app.viewmodels.edits.curve_edits import curve_of
from app.viewmodels.edits.locking import clip_is_locked
from app.viewmodels.texts.curve_words import curve_in_words
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
