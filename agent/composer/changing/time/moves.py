"""Moves of time: how a change of the timeline moves the ticks of the song before it."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct


class TimeMove(Protocol):
    """A change of a song's time (bars inserted, removed, stretched or exchanged) that maps ticks from before to
    after."""

    def placed(self, at: int, *, closing: bool = False) -> int:
        """Where the tick `at` of the song before lies afterwards. A tick on a boundary counts as the start of what
        follows, with `closing` as the end of what precedes."""


class Inserted(Struct, frozen=True):
    """`length` ticks are inserted before the tick `at`."""

    at: int
    length: int

    def placed(self, at: int, *, closing: bool = False) -> int:
        """Where a tick of the song before lies afterwards; `closing` as in `TimeMove.placed`."""
        return at + self.length if at > self.at or (at == self.at and not closing) else at


class TakenOut(Struct, frozen=True):
    """The ticks from `start` to `end` are removed."""

    start: int
    end: int

    def placed(self, at: int, *, closing: bool = False) -> int:  # noqa: ARG002
        """Where a tick of the song before lies afterwards; ticks that were removed map to `start`. `closing` as in
        `TimeMove.placed`."""
        return at if at <= self.start else max(self.start, at - (self.end - self.start))


class Stretched(Struct, frozen=True):
    """All times are multiplied by `up` and divided by `down`."""

    up: int
    down: int

    def placed(self, at: int, *, closing: bool = False) -> int:  # noqa: ARG002
        """Where a tick of the song before lies afterwards; `closing` as in `TimeMove.placed`."""
        return at * self.up // self.down
