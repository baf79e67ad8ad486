"""Marks of stages as values, and how two that stand together become one."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

MarkKind = Literal[
    "label", "section", "opening", "middle", "following", "closing", "moment", "silent", "edge", "lasting", "returns",
    "motion",
]


class StageMark(Struct, frozen=True):
    """The tokens `start` to `end` (not included) where a request begins a stage of the piece ("phase 2, 12 bars"): its
    name, length, start and whether it is the last. 0 is not said.

    `number` is that of a label. `bars` and `seconds` are lengths, `from_bar` and `from_seconds` starts; `cell` is the
    length in bars of a riff that the stage repeats. `before` is the number of tokens before the mark that describe the
    stage too; with `speaks` its own tokens also do ("a 4 bar drum intro"). With `awaited` parts excluded until then
    enter ("no drums until 0:30").
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
    speaks: bool = False
    cell: int = 0
    awaited: bool = False

    @property
    def timed(self) -> bool:
        """Whether the mark states the bar or second at which its stage begins."""
        return bool(self.from_bar or self.from_seconds)


def completes(one: StageMark, other: StageMark) -> bool:
    """Whether the mark `other` only gives the length of the stage that `one`, right before it, begins, or says that it
    returns: "phase two, 12 bars of"."""
    if other.kind == "returns":
        return True
    if other.kind == "moment":
        return one.kind in ("label", "section") and not other.before
    return not (one.bars or one.seconds) and other.kind in ("edge", "lasting") and not other.last


def joined(one: StageMark, other: StageMark) -> StageMark:
    """Two adjacent marks ("then, after thirty seconds") as one; where both say something, `other`, the second and more
    exact one, counts."""
    kind = other.kind if one.kind in ("following", "opening", "moment") or other.kind == "silent" else one.kind
    return StageMark(
        kind, one.start, other.end, other.name or one.name, other.number or one.number, other.bars or one.bars,
        other.seconds or one.seconds, other.from_bar or one.from_bar, other.from_seconds or one.from_seconds,
        one.last or other.last, one.before or (other.before if other.start <= one.end else 0),
        one.speaks or other.speaks, one.cell or other.cell, one.awaited or other.awaited,
    )
