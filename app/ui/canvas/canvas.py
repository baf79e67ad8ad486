"""A scroll area that paints in layers, and hands pointer and keys to a tool and to commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QAbstractScrollArea

from app.ui.canvas.accessibility import describe
from app.ui.canvas.layer import Layer, paint_layers
from app.ui.canvas.tool import Pointer, show_hover
from app.ui.kit.context import Kit
from app.ui.kit.style import draw_focus
from app.ui.kit.tasks import Coalesced
from app.ui.kit.tokens import Tokens
from app.ui.kit.widgets.scrolling import name_scroll_bars

L = TypeVar("L")


class Canvas(QAbstractScrollArea, Generic[L]):
    """Paints `layers` over each other and hands the pointer to a tool.

    `make_look` looks colours and fonts up for a theme and a screen. A view says what a key does, and what assistive
    programs are told. `close_view` ends the timers.
    """

    def __init__(self, kit: Kit, name: str, make_look: Callable[[Tokens, float], L], pointer: Pointer[Any]) -> None:
        super().__init__()
        self._kit = kit
        self._make_look = make_look
        self._made: tuple[float, L] | None = None
        self.layers: Sequence[Layer[L]] = ()
        self.pointer = pointer
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        name_scroll_bars(self)
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._refine = Coalesced(0, self.viewport().update, self)
        self._settle = Coalesced(0, self._settled, self, kit.turns)
        kit.theme.changed.connect(self._themed)

    # --- what a view says

    def words(self) -> str:
        """What assistive programs are told is shown, or where the keyboard is."""
        return ""

    def focus_inside(self) -> bool:
        """Whether what the keyboard is at is painted with a ring, so that the view needs none."""
        return False

    def command(self, _event: QKeyEvent) -> Callable[[], object] | None:
        """What a key does here; None where it means nothing, and the window may have it."""
        return None

    def takes(self, event: QKeyEvent) -> bool:
        """Whether a key comes before the window's shortcuts: all that mean something, unless a view says less."""
        return self.command(event) is not None

    def settled(self) -> None:
        """Called once for all that was painted again, before the words are looked at."""

    # --- looks and painting

    def look(self) -> L:
        """Colours and fonts for this theme and this screen."""
        ratio = self.viewport().devicePixelRatioF()
        if self._made is None or self._made[0] != ratio:
            self._made = ratio, self._make_look(self._kit.theme.tokens, ratio)
        return self._made[1]

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Another font means other sizes of texts."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "_settle"):
            self._themed()

    def repaint_all(self) -> None:
        """Paint everything again, and once for all that changes now look at the words."""
        self.viewport().update()
        self._settle.ask()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Only what has to be painted again."""
        painter = QPainter(self.viewport())
        if not paint_layers(painter, event.rect(), self.layers, self.look()):
            self._refine.ask()
        if self.hasFocus() and not self.focus_inside():
            draw_focus(painter, QRect(self.viewport().rect()).toRectF(), self._kit.theme.tokens)
        painter.end()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """What came meanwhile is brought into sight now."""
        super().showEvent(event)
        self._settle.ask()

    # --- pointer

    def pointers(self) -> Sequence[Pointer[Any]]:
        """All that may drag something."""
        return (self.pointer,)

    @property
    def dragging(self) -> bool:
        """Whether a drag is under way."""
        return any(pointer.dragging for pointer in self.pointers())

    def cancel_drag(self) -> bool:
        """End any drag without its effect; whether there was one."""
        ended = [pointer.cancel() for pointer in self.pointers()]
        return True in ended

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Begin what the tool does."""
        self.pointer.press(event)
        self.viewport().update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """The same, for the second press."""
        self.pointer.press(event, double=True)
        self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Drag, or tell what lies under the pointer."""
        show_hover(self.viewport(), self.pointer.move(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """End a drag."""
        self.pointer.release(event)
        self.viewport().update()

    # --- keys and focus

    def event(self, event: QEvent) -> bool:
        """Keys that mean something here do not reach the window's shortcuts."""
        over = event.type() == QEvent.Type.ShortcutOverride
        if over and isinstance(event, QKeyEvent) and self.takes(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Do what a key says; the arrows scroll where they mean nothing else."""
        act = self.command(event)
        if act is None:
            super().keyPressEvent(event)
        else:
            act()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """The focus ring comes."""
        super().focusInEvent(event)
        self.repaint_all()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """The focus ring goes."""
        super().focusOutEvent(event)
        self.viewport().update()

    def close_view(self) -> None:
        """End timers and stop listening; the view shows nothing new afterwards."""
        self._kit.theme.changed.disconnect(self._themed)
        self._settle.drop()
        self._refine.drop()

    def _settled(self) -> None:
        self.settled()
        describe(self, self.words())

    def _themed(self) -> None:
        self._made = None
        self.repaint_all()
