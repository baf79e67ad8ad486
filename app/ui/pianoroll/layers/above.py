"""What lies over the notes: the selection, a drag under way, the keyboard's place, and the playhead."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from agent.song.time import PPQ
from app.ui.canvas.layer import fill_all
from app.ui.canvas.tool import Pointer
from app.ui.pianoroll.layers.clip_layer import ClipLayer, chosen_together
from app.ui.pianoroll.look import RollLook
from app.ui.pianoroll.note_shapes import paint_outlines, place_of, places_of, seen
from app.ui.pianoroll.scene import RollScene
from app.ui.pianoroll.tools.drag import NoteDrag
from app.viewmodels.pianoroll.shown import Shown

_VEIL = 166
_RING_GAP = 2


class Selection(ClipLayer):
    """Paints frames around the selected notes, if they are few."""

    def paint_clip(self, painter: QPainter, _window: QRect, _shown: Shown, look: RollLook) -> None:
        """Paint the frames that are visible."""
        scene, ids = self.scene, self.scene.selected.value
        if ids and not chosen_together(scene):
            paint_outlines(painter, scene, seen(scene, ids, painter), look.t1, 1)


class DragPreview(ClipLayer):
    """Paints what a drag would do; the notes that it removes are dimmed."""

    def __init__(self, scene: RollScene, pointer: Pointer[NoteDrag]) -> None:
        super().__init__(scene)
        self._pointer = pointer

    def paint_clip(self, painter: QPainter, _window: QRect, _shown: Shown, look: RollLook) -> None:
        """Paint the drag under way, or the one whose edit is not in the song yet."""
        drag, scene = self._pointer.drag, self.scene
        if drag is None:
            return
        if drag.lifted:
            veil = QColor(look.canvas)
            veil.setAlpha(_VEIL)
            fill_all(painter, places_of(scene, seen(scene, drag.lifted, painter)), veil)
        drag.paint(painter, look)


class KeyboardPlace(ClipLayer):
    """Paints the ring of the focused note or the keyboard's cell, while the view is `focused`; the step cursor is
    painted always."""

    def __init__(self, scene: RollScene, focused: Callable[[], bool]) -> None:
        super().__init__(scene)
        self._focused = focused

    def paint_clip(self, painter: QPainter, _window: QRect, _shown: Shown, look: RollLook) -> None:
        """Paint ring, cell, or the line of the step cursor."""
        scene, axis, (at, pitch) = self.scene, self.scene.axis, self.scene.cell
        note, stepping = scene.focused(), scene.settings.value.stepping and scene.editable
        x = round(axis.x(at))
        if stepping:
            painter.fillRect(x - 1, 0, 3, painter.viewport().height(), look.you)
        if not self._focused():
            return
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if note is not None and not scene.on_cell:
            place = place_of(scene, note)
            painter.setPen(QPen(look.canvas, 1))
            painter.drawRect(place.adjusted(-1, -1, 1, 1))
            painter.setPen(QPen(look.you, 2))
            painter.drawRoundedRect(place.adjusted(-_RING_GAP, -_RING_GAP, _RING_GAP, _RING_GAP), 3, 3)
        elif scene.on_cell or stepping:
            width = max(4, round(axis.per_beat * scene.key_step / PPQ))
            painter.setPen(QPen(look.you, 2))
            painter.drawRect(x + 1, axis.y(pitch) + 1, width - 2, axis.row_height - 3)


class PlayheadLine(ClipLayer):
    """Paints the playhead while it is within the clip."""

    def paint_clip(self, painter: QPainter, window: QRect, shown: Shown, look: RollLook) -> None:
        """Paint a line from top to bottom."""
        at, axis = self.scene.position, self.scene.axis
        if 0 <= at <= shown.clip.duration:
            painter.fillRect(round(axis.x(at)), window.top(), 1, window.height(), look.t1)
