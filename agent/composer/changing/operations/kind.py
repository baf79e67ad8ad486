"""What the composer knows of one kind of operation: how it is asked for, done, and proved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Generic, TypeVar

from agent.composer.changing.stage import Stage
from agent.composer.changing.telling.measuring import Served
from agent.composer.styles import StyleBook
from agent.composer.understanding.slot_filling import SlotReading
from agent.composer.understanding.tasks import Operation
from agent.plan.plan import Ask

Kind = TypeVar("Kind", bound=Operation)


def unmeasured(served: Served, _operation: Operation, _styles: StyleBook, /) -> list[Ask]:
    """The ask alone, where no figure tells whether it was met."""
    return served.plain()


@dataclass(frozen=True)
class OperationKind(Generic[Kind]):
    """One kind of operation, all of it.

    `run` does it on a stage and raises `Blocked` where the song does not allow it; kinds of a lower `order` come first:
    what decides the frame before what plays in it, what moves bars last. `readings` say, by the name that the language
    file uses, how the slots of a form become operations of this kind.
    """

    operation: type[Kind]
    order: int
    run: Callable[[Stage, Kind], None]
    readings: Mapping[str, SlotReading] = field(default_factory=lambda: MappingProxyType({}))
    asks: Callable[[Served, Kind, StyleBook], list[Ask]] = unmeasured
    moves_bars: Callable[[Kind], bool] = lambda _: False
    """Whether bars lie elsewhere afterwards."""
    makes_tracks: bool = False
    """Whether its words ask for a part that is not there."""
    removes: Callable[[Kind], bool] = lambda _: False
    """Whether its words ask that something goes, or becomes something else: only then may it take music away."""
    thins: Callable[[Kind], bool] | None = None
    """Whether its words ask for fewer notes, so that what it takes is no surprise; None where that is so as it
    `removes`."""
    recurs: bool = False
    """Whether it can be done once in so many bars; its function then gets them as `Stage.every`."""
    takes_place: bool = False
    """Whether its place may be right behind the last bar, as that of a new section."""

    def asks_for_fewer(self, operation: Kind) -> bool:
        """Whether its words say that notes go, all of a part or some."""
        return (self.removes if self.thins is None else self.thins)(operation)
