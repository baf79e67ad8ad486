"""A strip beside what a canvas shows: its ruler, the names of its rows, or a lane below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from app.ui.canvas.layer import Layer, paint_layers
from app.ui.canvas.tool import Pointer, show_hover
from app.ui.kit.tasks import Coalesced

L = TypeVar("L")


class SidePane(QWidget, Generic[L]):
    """A strip beside a canvas that paints layers of its own. A press gives the keyboard to the canvas, whose Esc
    cancels a drag; wheel events go to the canvas too."""

    def __init__(
        self, canvas: QWidget, look: Callable[[], L], layers: Sequence[Layer[L]], pointer: Pointer[Any]
    ) -> None:
        super().__init__(canvas)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFocusProxy(canvas)
        self.setMouseTracking(True)
        self.pointer = pointer
        self._look = look
        self._layers = layers
        self.refine = Coalesced(0, self.update, self)

    def say(self, name: str, accessible: str, description: str) -> None:
        """Set its object name, accessible name and accessible description."""
        self.setObjectName(name)
        self.setAccessibleName(accessible)
        self.setAccessibleDescription(description)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Paint the part that needs it."""
        painter = QPainter(self)
        if not paint_layers(painter, event.rect(), self._layers, self._look()):
            self.refine.ask()
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Begin a drag."""
        self.pointer.press(event)
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Continue the drag, or show cursor and tooltip for what is under the pointer."""
        show_hover(self, self.pointer.move(event))
        if self.pointer.dragging:
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Finish the drag."""
        self.pointer.release(event)
        self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Leave the wheel to the canvas, which scrolls and zooms."""
        event.ignore()


def panel(canvas: QWidget) -> QWidget:
    """A plain widget to fill a corner between side panes."""
    made = QWidget(canvas)
    made.setProperty("surface", "panel")
    made.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    return made


def surround(
    area: QAbstractScrollArea, sizes: tuple[int, int, int], corner: QWidget, rows: QWidget, ruler: QWidget,
    lane: QWidget,
) -> QRect:
    """Lay `rows` left of an area, `ruler` above and `lane` below it, in the pixel sizes (left, above, below); returns
    the rectangle that is left for the area."""
    left, top, below = sizes
    area.setViewportMargins(left, top, 0, below)
    place = area.viewport().geometry()
    corner.setGeometry(0, 0, left, top)
    rows.setGeometry(0, top, left, place.height())
    ruler.setGeometry(place.left(), 0, place.width(), top)
    lane.setGeometry(place.left(), place.bottom() + 1, place.width(), below)
    return place
