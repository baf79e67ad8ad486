"""Rooms that have a name: how the effect `room` is set for each of them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, get_args

RoomName = Literal["small room", "room", "chamber", "club", "hall", "church", "cathedral", "cave", "bathroom"]
NAMES: tuple[RoomName, ...] = get_args(RoomName)


def _room(seconds: float, damping: float, mix: float) -> Mapping[str, float]:
    return MappingProxyType({"seconds": seconds, "damping": damping, "mix": mix})


ROOMS: Mapping[RoomName, Mapping[str, float]] = MappingProxyType({
    "small room": _room(0.35, 0.7, 0.2),
    "room": _room(0.7, 0.6, 0.22),
    "chamber": _room(0.5, 0.6, 0.2),
    "club": _room(0.9, 0.75, 0.22),
    "hall": _room(1.9, 0.45, 0.28),
    "church": _room(3.6, 0.25, 0.35),
    "cathedral": _room(5.0, 0.2, 0.38),
    "cave": _room(2.8, 0.05, 0.4),
    "bathroom": _room(0.9, 0.05, 0.3),
})
"""The parameters of each: seconds to fall by 60 dB, how much sooner the highs do (0-1), and the share of the room."""
