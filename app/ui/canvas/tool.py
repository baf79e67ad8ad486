"""The pointer over a painted surface: where it is, which drag a press begins, and how a drag goes on and ends."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from app.ui.kit.widgets.labels import plain_tip

DRAG_FROM = 4
"""Pixels that the pointer goes before a press is a drag."""
L = TypeVar("L")


@dataclass(frozen=True)
class PointerSpot:
    """A place under the pointer, in pixels of what is painted, with the keys that are held."""

    x: float
    y: float
    free: bool = False
    """The grid is ignored, and handles move finely."""
    copy: bool = False
    extend: bool = False
    """What is chosen is added to what was."""
    shift: bool = False


def spot_of(event: QMouseEvent) -> PointerSpot:
    """Place and keys of a pointer's event."""
    keys, place = event.modifiers(), event.position()
    control = bool(keys & Qt.KeyboardModifier.ControlModifier)
    shift = bool(keys & Qt.KeyboardModifier.ShiftModifier)
    return PointerSpot(
        place.x(), place.y(), control, bool(keys & Qt.KeyboardModifier.AltModifier), control or shift, shift
    )


class Drag(ABC, Generic[L]):
    """One drag, from the press to the release; all that it does is one version. `words` say what letting go does."""

    words = ""
    settles = False
    """Whether it is painted after the release, until the song has its edit."""
    done = False
    """Whether the song has it, or has refused it."""

    @abstractmethod
    def move(self, spot: PointerSpot) -> None:
        """The pointer, or a key that matters, has changed."""

    @abstractmethod
    def release(self, spot: PointerSpot) -> None:
        """Do it, as one edit."""

    def cancel(self) -> None:
        """Leave all as it was; nothing to take back unless a drag says so."""
        return

    def paint(self, _painter: QPainter, _look: L) -> None:
        """Show what letting go would do; some drags show it by other means."""
        return


class Held(Protocol):
    """What can be begun and given up."""

    settles: bool

    def cancel(self) -> None:
        """Leave all as it was."""


H = TypeVar("H", bound=Held)


class Holding(Generic[H]):
    """`held` is under way; `settling` was let go, and is shown until it is forgotten or another takes its place."""

    def __init__(self) -> None:
        self.held: H | None = None
        self.settling: H | None = None

    @property
    def shown(self) -> H | None:
        """The drag to paint."""
        return self.held or self.settling

    def take(self, drag: H | None) -> None:
        """Begin a drag, if there is one."""
        self.held = drag

    def let_go(self) -> H | None:
        """End the drag under way, which its owner then carries out."""
        held, self.held = self.held, None
        if held is not None:
            self.settling = held if held.settles else None
        return held

    def cancel(self) -> bool:
        """End the drag without its effect; whether there was one."""
        held, self.held = self.held, None
        if held is not None:
            held.cancel()
        return held is not None

    def forget(self) -> None:
        """Nothing is dragged, and nothing shown any more."""
        self.cancel()
        self.settling = None


@dataclass(frozen=True)
class Hover:
    """What the pointer tells while nothing is dragged; `tip` is plain text."""

    cursor: Qt.CursorShape = Qt.CursorShape.ArrowCursor
    tip: str = ""


D = TypeVar("D", bound=Drag[Any])


class Tool(ABC, Generic[D]):
    """Decides which drag a press begins."""

    @abstractmethod
    def press(self, spot: PointerSpot, button: Qt.MouseButton) -> D | None:
        """The drag that a press begins, if any; a mere press may be carried out at once."""

    def double_press(self, spot: PointerSpot, button: Qt.MouseButton) -> D | None:
        """The same for the second press of a double click."""
        return self.press(spot, button)

    def hover(self, _spot: PointerSpot) -> Hover | None:
        """What lies under the pointer; None: cursor and tip stay as they are."""
        return None


class NoTool(Tool[Drag[Any]]):
    """For what only shows something."""

    def press(self, _spot: PointerSpot, _button: Qt.MouseButton) -> None:
        """Nothing begins."""


class Pointer(Generic[D]):
    """Hands what the pointer does to a tool, and then to the drag that the tool has begun."""

    def __init__(self, tool: Tool[D]) -> None:
        self._tool = tool
        self._holding = Holding[D]()

    @property
    def drag(self) -> D | None:
        """The drag to paint: the one under way, or the one whose edit is not in the song yet."""
        shown = self._holding.shown
        return None if shown is None or shown.done else shown

    @property
    def dragging(self) -> bool:
        """Whether a drag is under way."""
        return self._holding.held is not None

    def press(self, event: QMouseEvent, *, double: bool = False) -> None:
        """Begin what the tool does at this place."""
        begin = self._tool.double_press if double else self._tool.press
        self._holding.take(begin(spot_of(event), event.button()))

    def move(self, event: QMouseEvent) -> Hover | None:
        """Go on with the drag; while there is none, what lies under the pointer."""
        if self._holding.held is None:
            return self._tool.hover(spot_of(event))
        self._holding.held.move(spot_of(event))
        return None

    def release(self, event: QMouseEvent) -> None:
        """Do what the drag was for."""
        held = self._holding.let_go()
        if held is not None:
            held.release(spot_of(event))

    def cancel(self) -> bool:
        """End the drag without its effect; whether there was one."""
        return self._holding.cancel()

    def forget(self) -> None:
        """Nothing is dragged, and nothing shown any more."""
        self._holding.forget()


def show_hover(surface: QWidget, found: Hover | None) -> None:
    """Give a surface the cursor and the tip of what lies under the pointer."""
    if found is not None:
        surface.setCursor(found.cursor)
        if surface.toolTip() != plain_tip(found.tip):
            surface.setToolTip(plain_tip(found.tip))
