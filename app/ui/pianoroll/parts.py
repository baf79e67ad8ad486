"""What lies around the notes: keys, ruler, velocities, and the corners between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QWidget

from app.ui.pianoroll.keys import Keys
from app.ui.pianoroll.measures import (
    KEYS_WIDTH,
    LANES_WIDTH,
    LOW_VIEW,
    TOP_HEIGHT,
    VELOCITY_HEIGHT,
    VELOCITY_LOW,
)
from app.ui.pianoroll.ruler import Ruler
from app.ui.pianoroll.velocity_lane import VelocityLane

if TYPE_CHECKING:
    from app.ui.pianoroll.area import RollArea


class Parts:
    """Made with the view, which they are children of."""

    def __init__(self, view: RollArea) -> None:
        self._view = view
        self.keys = Keys(view.stage, view.look, view.acts.put_step, view)
        self.ruler = Ruler(view.stage, view.look, view)
        self.velocities = VelocityLane(view.stage, view.look, view.refine.ask, view)
        self._corner = _ground(view)
        view.setCornerWidget(_ground(view))

    @property
    def dragging(self) -> bool:
        """Whether a drag is under way in one of them."""
        return self.velocities.dragging or self.ruler.dragging

    def cancel(self) -> bool:
        """End a drag without its effect; whether there was one."""
        return self.velocities.cancel() or self.ruler.cancel()

    def place(self) -> None:
        """Lay them around the notes."""
        view = self._view
        low = view.height() < LOW_VIEW
        column, lane = LANES_WIDTH if view.stage.drums else KEYS_WIDTH, VELOCITY_LOW if low else VELOCITY_HEIGHT
        view.setViewportMargins(column, TOP_HEIGHT, 0, lane)
        place = view.viewport().geometry()
        self._corner.setGeometry(0, 0, column, TOP_HEIGHT)
        self.ruler.setGeometry(place.left(), 0, place.width(), TOP_HEIGHT)
        self.keys.setGeometry(0, TOP_HEIGHT, column, place.height())
        self.velocities.setGeometry(place.left(), place.bottom() + 1, place.width(), lane)

    def repaint(self, *, keys: bool) -> None:
        """Paint them again; the `keys` only where rows have changed."""
        self.ruler.update()
        self.velocities.update()
        if keys:
            self.keys.update()

    def repaint_playhead(self, *places: int) -> None:
        """Paint these pixels of the ruler."""
        for x in places:
            self.ruler.update(QRect(x - 8, 0, 17, TOP_HEIGHT))


def _ground(view: QWidget) -> QWidget:
    made = QWidget(view)
    made.setProperty("surface", "panel")
    made.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    return made
