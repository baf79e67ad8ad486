"""Marks of stages as values, and how two that stand together become one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

MarkKind = Literal[
    "label", "section", "opening", "middle", "following", "closing", "moment", "silent", "edge", "lasting", "returns",
    "motion",
]


@dataclass(frozen=True)
class StageMark:
    """The tokens `start` to `end` begin a stage: its name and length, when it begins, and whether it is the last.

    `number` is that of a label: "phase 2".
    """

    kind: MarkKind
    start: int
    end: int
    name: str = ""
    number: int = 0
    bars: int = 0
    seconds: float = 0.0
    from_bar: int = 0
    from_seconds: float = 0.0
    last: bool = False
    before: int = 0
    """Tokens before it that speak of it too."""
    speaks: bool = False
    """Whether its own tokens say more than a name and a length: "a 4 bar drum intro"."""
    cell: int = 0
    """Bars of the cell that it repeats, 0 where it is none."""
    awaited: bool = False
    """Whether those who are refused before it come in then: "no drums until 0:30"."""

    @property
    def timed(self) -> bool:
        """Whether it says at which bar or second it begins."""
        return bool(self.from_bar or self.from_seconds)


def completes(one: StageMark, other: StageMark) -> bool:
    """Whether a mark only says how long the stage before it is, or that it returns: "phase two, 12 bars of"."""
    if other.kind == "returns":
        return True
    if other.kind == "moment":
        return one.kind in ("label", "section") and not other.before
    return not (one.bars or one.seconds) and other.kind in ("edge", "lasting") and not other.last


def joined(one: StageMark, other: StageMark) -> StageMark:
    """Two marks that stand together: "then, after thirty seconds"; what is more exact names the stage."""
    kind = other.kind if one.kind in ("following", "opening", "moment") or other.kind == "silent" else one.kind
    return StageMark(
        kind, one.start, other.end, other.name or one.name, other.number or one.number, other.bars or one.bars,
        other.seconds or one.seconds, other.from_bar or one.from_bar, other.from_seconds or one.from_seconds,
        one.last or other.last, one.before or (other.before if other.start <= one.end else 0),
        one.speaks or other.speaks, one.cell or other.cell, one.awaited or other.awaited,
    )
