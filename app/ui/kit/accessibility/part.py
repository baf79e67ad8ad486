"""A part of a painted widget as an assistive program is told of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QRect

PartKind = Literal["list", "item", "button", "toggle", "slider", "meter", "text"]


@dataclass(frozen=True)
class ValueScale:
    """A number from `least` to `most` in steps of `step`, now at `now`; `set` is called with a new value in that range,
    None if the number is read-only."""

    now: float
    least: float
    most: float
    step: float
    set: Callable[[float], object] | None = None


@dataclass(frozen=True)
class AccessiblePart:
    """One painted thing; `key` tells it from its siblings for as long as it exists. `place` is its rectangle in pixels
    of the widget.

    `value` is the scale's number, or a state, in words. `press` does what a click would do. Parts may contain
    others."""

    key: str
    kind: PartKind
    name: str
    place: QRect
    value: str = ""
    on: bool = False
    """For a toggle: whether it is checked. For an item: whether it is selected."""
    press: Callable[[], object] | None = None
    scale: ValueScale | None = None
    read: Callable[[], float] | None = None
    """For a meter: returns its current level in dB. It is read on demand and changes are never announced."""
    parts: tuple[AccessiblePart, ...] = ()
