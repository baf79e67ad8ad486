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
"""Pixels that the pointer must move before a press becomes a drag."""
L = TypeVar("L")


@dataclass(frozen=True)
class PointerSpot:
    """The pointer's place in pixels of the painted surface, with the modifier keys that are held."""

    x: float
    y: float
    free: bool = False
    """Ctrl: the grid is ignored, and handles move finely."""
    copy: bool = False
    extend: bool = False
    """The selection is extended instead of replaced."""
    shift: bool = False


def spot_of(event: QMouseEvent) -> PointerSpot:
    """Place and modifier keys of a mouse event."""
    keys, place = event.modifiers(), event.position()
    control = bool(keys & Qt.KeyboardModifier.ControlModifier)
    shift = bool(keys & Qt.KeyboardModifier.ShiftModifier)
    return PointerSpot(
        place.x(), place.y(), control, bool(keys & Qt.KeyboardModifier.AltModifier), control or shift, shift
    )


class Drag(ABC, Generic[L]):
    """One drag from press to release; all that it changes becomes one version of the song. `words` say what a release
    does."""

    words = ""
    settles = False
    """Whether it is still painted after the release, until its edit is in the song."""
    done = False
    """Whether its edit is in the song, or was refused."""

    @abstractmethod
    def move(self, spot: PointerSpot) -> None:
        """Update the drag for another place of the pointer or other modifier keys."""

    @abstractmethod
    def release(self, spot: PointerSpot) -> None:
        """Carry the drag out, as one edit."""

    def cancel(self) -> None:
        """Undo what the drag has changed so far; nothing, unless a subclass overrides it."""
        return

    def paint(self, _painter: QPainter, _look: L) -> None:
        """Paint a preview of what a release does; nothing, unless a subclass overrides it."""
        return


class Held(Protocol):
    """What `Holding` holds: something that can be cancelled."""

    settles: bool

    def cancel(self) -> None:
        """Restore everything as it was before."""


H = TypeVar("H", bound=Held)


class Holding(Generic[H]):
    """The drag under way (`held`), and the one released last that is shown until its edit is in the song
    (`settling`)."""

    def __init__(self) -> None:
        self.held: H | None = None
        self.settling: H | None = None

    @property
    def shown(self) -> H | None:
        """The drag to paint; None for none."""
        return self.held or self.settling

    def take(self, drag: H | None) -> None:
        """Begin this drag; None begins none."""
        self.held = drag

    def let_go(self) -> H | None:
        """End the drag under way and return it, for its owner to carry out; None if there is none."""
        held, self.held = self.held, None
        if held is not None:
            self.settling = held if held.settles else None
        return held

    def cancel(self) -> bool:
        """Cancel the drag without effect; returns whether there was one."""
        held, self.held = self.held, None
        if held is not None:
            held.cancel()
        return held is not None

    def forget(self) -> None:
        """Cancel the drag under way, and stop showing the one released last."""
        self.cancel()
        self.settling = None


@dataclass(frozen=True)
class Hover:
    """Cursor and tooltip (plain text) while nothing is dragged."""

    cursor: Qt.CursorShape = Qt.CursorShape.ArrowCursor
    tip: str = ""


D = TypeVar("D", bound=Drag[Any])


class Tool(ABC, Generic[D]):
    """Decides which drag a press begins."""

    @abstractmethod
    def press(self, spot: PointerSpot, button: Qt.MouseButton) -> D | None:
        """The drag that a press at `spot` begins; None for none. What a click without a drag does may be done here at
        once."""

    def double_press(self, spot: PointerSpot, button: Qt.MouseButton) -> D | None:
        """The drag that the second press of a double click begins; as `press` unless overridden."""
        return self.press(spot, button)

    def hover(self, _spot: PointerSpot) -> Hover | None:
        """Cursor and tooltip for what is under the pointer; None leaves both as they are."""
        return None


class NoTool(Tool[Drag[Any]]):
    """The tool of a surface that nothing can be dragged on."""

    def press(self, _spot: PointerSpot, _button: Qt.MouseButton) -> None:
        """None: no drag begins."""


class Pointer(Holding[D]):
    """Passes mouse events to a tool, and then holds the drag that it has begun."""

    def __init__(self, tool: Tool[D]) -> None:
        super().__init__()
        self._tool = tool

    @property
    def drag(self) -> D | None:
        """The drag to paint: the one under way, or the one whose edit is not in the song yet; None for none."""
        shown = self.shown
        return None if shown is None or shown.done else shown

    @property
    def dragging(self) -> bool:
        """Whether a drag is under way."""
        return self.held is not None

    def press(self, event: QMouseEvent, *, double: bool = False) -> None:
        """Begin the tool's drag at this place; `double` for the second press of a double click."""
        begin = self._tool.double_press if double else self._tool.press
        self.take(begin(spot_of(event), event.button()))

    def move(self, event: QMouseEvent) -> Hover | None:
        """Continue the drag and return None; without one return what is under the pointer."""
        if self.held is None:
            return self._tool.hover(spot_of(event))
        self.held.move(spot_of(event))
        return None

    def release(self, event: QMouseEvent) -> None:
        """Carry out the drag under way, if there is one."""
        held = self.let_go()
        if held is not None:
            held.release(spot_of(event))


def show_hover(surface: QWidget, found: Hover | None) -> None:
    """Set cursor and tooltip of a widget; None leaves both as they are."""
    if found is not None:
        surface.setCursor(found.cursor)
        if surface.toolTip() != plain_tip(found.tip):
            surface.setToolTip(plain_tip(found.tip))
