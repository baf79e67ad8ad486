"""What the composer knows of one kind of operation: how it is asked for, done, and proved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Generic, TypeVar

from agent.composer.changing.report.measuring import Served
from agent.composer.changing.stage import Stage
from agent.composer.styles import StyleBook
from agent.composer.understanding.slot_filling import SlotReading
from agent.composer.understanding.tasks import Operation
from agent.plan.plan import Ask

Kind = TypeVar("Kind", bound=Operation)


def unmeasured(served: Served, _operation: Operation, _styles: StyleBook, /) -> list[Ask]:
    """The ask without a measure, for operations that no figure can prove."""
    return served.plain()


@dataclass(frozen=True)
class OperationKind(Generic[Kind]):
    """Everything about one kind of operation.

    `run` carries it out on a stage and raises `Blocked` where the song does not allow it. Kinds of lower `order` are
    run first: tempo, key and form before parts, and what moves bars last. `readings` turn the slots of a phrase into
    operations, by the name that the language file uses. `asks` gives the measures that prove it.

    What it may do: `moves_bars` is true if it moves, inserts or deletes bars; `makes_tracks` if it asks for a part that
    the song lacks; `removes` if it asks for something to be removed or replaced, as only then it may delete music;
    `thins` if it asks for fewer notes (None: as `removes`). `recurs`: it can be done every n bars (`Stage.every`);
    `takes_place`: its place may be right behind the last bar, as for a new section.
    """

    operation: type[Kind]
    order: int
    run: Callable[[Stage, Kind], None]
    readings: Mapping[str, SlotReading] = field(default_factory=lambda: MappingProxyType({}))
    asks: Callable[[Served, Kind, StyleBook], list[Ask]] = unmeasured
    moves_bars: Callable[[Kind], bool] = lambda _: False
    makes_tracks: bool = False
    removes: Callable[[Kind], bool] = lambda _: False
    thins: Callable[[Kind], bool] | None = None
    recurs: bool = False
    takes_place: bool = False

    def asks_for_fewer(self, operation: Kind) -> bool:
        """Whether the request asks for notes to be removed, all of a part or some."""
        return (self.removes if self.thins is None else self.thins)(operation)
