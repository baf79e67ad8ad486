"""A part of a painted widget as an assistive program is told of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QRect

PartKind = Literal["list", "item", "button", "toggle", "slider", "meter", "text"]


@dataclass(frozen=True)
class ValueScale:
    """A number that can be read, and set unless it only shows something; `set` is given one between the ends."""

    now: float
    least: float
    most: float
    step: float
    set: Callable[[float], object] | None = None


@dataclass(frozen=True)
class AccessiblePart:
    """One thing that is painted; `key` tells it from its siblings for as long as it is there.

    `place` lies in pixels of the widget. `value` is the scale's number, or a state, in words. `press` does what a
    click would do. Parts may hold others.
    """

    key: str
    kind: PartKind
    name: str
    place: QRect
    value: str = ""
    on: bool = False
    """Of a toggle: whether it is down. Of an item: whether it is chosen."""
    press: Callable[[], object] | None = None
    scale: ValueScale | None = None
    read: Callable[[], float] | None = None
    """Of a meter: its level now, in dB. It is asked when somebody asks, and never announced."""
    parts: tuple[AccessiblePart, ...] = ()
