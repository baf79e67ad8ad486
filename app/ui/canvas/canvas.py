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
    """A scroll area that paints `layers` over each other and passes the pointer to a tool. `make_look` makes colours
    and fonts for a theme and a device pixel ratio.

    A subclass defines what keys do (`command`) and sets `words`, the accessible description: what is shown, or what the
    keyboard cursor is at. `close_view` ends timers."""

    def __init__(self, kit: Kit, name: str, make_look: Callable[[Tokens, float], L], pointer: Pointer[Any]) -> None:
        super().__init__()
        self._kit = kit
        self._make_look = make_look
        self._made: tuple[float, L] | None = None
        self.layers: Sequence[Layer[L]] = ()
        self.words: Callable[[], str] = str
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

    def focus_inside(self) -> bool:
        """Whether a focus ring is painted around something inside, so that the view itself needs none."""
        return False

    def command(self, _event: QKeyEvent) -> Callable[[], object] | None:
        """The command of a key here; None if it has none and the window may handle it."""
        return None

    def takes(self, event: QKeyEvent) -> bool:
        """Whether a key is handled here before the window's shortcuts: every key with a command, unless a subclass
        narrows that."""
        return self.command(event) is not None

    def settled(self) -> None:
        """Called once after a number of repaints, before the accessible description is updated; for subclasses."""

    # --- looks and painting

    def look(self) -> L:
        """Colours and fonts for this theme and this screen."""
        ratio = self.viewport().devicePixelRatioF()
        if self._made is None or self._made[0] != ratio:
            self._made = ratio, self._make_look(self._kit.theme.tokens, ratio)
        return self._made[1]

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Make the fonts anew when the font changes."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "_settle"):
            self._themed()

    def repaint_all(self) -> None:
        """Repaint everything, and soon, once for all changes, update the accessible description."""
        self.viewport().update()
        self._settle.ask()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Paint the part that needs it."""
        painter = QPainter(self.viewport())
        if not paint_layers(painter, event.rect(), self.layers, self.look()):
            self._refine.ask()
        if self.hasFocus() and not self.focus_inside():
            draw_focus(painter, QRect(self.viewport().rect()).toRectF(), self._kit.theme.tokens)
        painter.end()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Update what has changed while the view was hidden."""
        super().showEvent(event)
        self._settle.ask()

    # --- pointer

    def pointers(self) -> Sequence[Pointer[Any]]:
        """All pointers that may drag something."""
        return (self.pointer,)

    @property
    def dragging(self) -> bool:
        """Whether a drag is under way."""
        return any(pointer.dragging for pointer in self.pointers())

    def cancel_drag(self) -> bool:
        """Cancel any drag without effect; returns whether there was one."""
        ended = [pointer.cancel() for pointer in self.pointers()]
        return True in ended

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Pass the press to the tool."""
        self.pointer.press(event)
        self.viewport().update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Pass the second press of a double click to the tool."""
        self.pointer.press(event, double=True)
        self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Continue a drag, or show cursor and tooltip for what is under the pointer."""
        show_hover(self.viewport(), self.pointer.move(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Finish the drag."""
        self.pointer.release(event)
        self.viewport().update()

    # --- keys and focus

    def event(self, event: QEvent) -> bool:
        """Claim keys that the view handles before the window's shortcuts."""
        over = event.type() == QEvent.Type.ShortcutOverride
        if over and isinstance(event, QKeyEvent) and self.takes(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Run the key's command; arrow keys without one scroll."""
        act = self.command(event)
        if act is None:
            super().keyPressEvent(event)
        else:
            act()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Paint the focus ring."""
        super().focusInEvent(event)
        self.repaint_all()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Remove the focus ring."""
        super().focusOutEvent(event)
        self.viewport().update()

    def close_view(self) -> None:
        """End timers and subscriptions; the view is not updated afterwards."""
        self._kit.theme.changed.disconnect(self._themed)
        self._settle.drop()
        self._refine.drop()

    def _settled(self) -> None:
        self.settled()
        describe(self, self.words())

    def _themed(self) -> None:
        self._made = None
        self.repaint_all()
