"""The pointer over a painted view: where it is, with which keys, and when a press becomes a drag."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent

DRAG_FROM = 4
"""Pixels that the pointer goes before a press is a drag."""


@dataclass(frozen=True)
class Spot:
    """A place under the pointer, in pixels of what is painted, with the keys that are held."""

    x: float
    y: float
    free: bool = False
    """The grid is ignored, and handles move finely."""
    copy: bool = False
    extend: bool = False
    """What is chosen is added to what was."""
    shift: bool = False


def spot_of(event: QMouseEvent) -> Spot:
    """Place and keys of a pointer's event."""
    keys, place = event.modifiers(), event.position()
    control = bool(keys & Qt.KeyboardModifier.ControlModifier)
    shift = bool(keys & Qt.KeyboardModifier.ShiftModifier)
    return Spot(place.x(), place.y(), control, bool(keys & Qt.KeyboardModifier.AltModifier), control or shift, shift)
