"""Moves of time: how a change of the timeline moves the ticks of the song before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class TimeMove(Protocol):
    """One change of the timeline."""

    def placed(self, at: int, *, closing: bool = False) -> int:
        """Where a tick now is; of one at a seam the later side, with `closing` the earlier."""


@dataclass(frozen=True)
class Inserted:
    """Time was put in before `at`."""

    at: int
    length: int

    def placed(self, at: int, *, closing: bool = False) -> int:
        """Where a tick now is."""
        return at + self.length if at > self.at or (at == self.at and not closing) else at


@dataclass(frozen=True)
class TakenOut:
    """Time was taken out."""

    start: int
    end: int

    def placed(self, at: int, *, closing: bool = False) -> int:  # noqa: ARG002
        """Where a tick now is; of what went, the seam."""
        return at if at <= self.start else max(self.start, at - (self.end - self.start))


@dataclass(frozen=True)
class Stretched:
    """All times were multiplied by `up` and divided by `down`."""

    up: int
    down: int

    def placed(self, at: int, *, closing: bool = False) -> int:  # noqa: ARG002
        """Where a tick now is."""
        return at * self.up // self.down
