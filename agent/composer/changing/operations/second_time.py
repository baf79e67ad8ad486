"""Second time: what is repeated comes back with other players, softer or louder."""

from __future__ import annotations

from types import MappingProxyType
from typing import Literal, cast, get_args

from msgspec.structs import replace

from agent.composer.changing.operations.dynamics import Strike, strike
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.removing import remove, solo
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.changing.time.moves import Inserted
from agent.composer.understanding.operations import Remove, Repeat, Solo
from agent.composer.understanding.sentences import part_of
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish
from agent.message import msg

How = Literal["only", "without", "softer", "louder"]


class SecondTime(Operation, frozen=True):
    """When a repeat plays the bars of the scope again: only the `wishes` play (`how` "only"), or all but they
    ("without"), or they are softer or louder (empty: all parts)."""

    how: How
    wishes: tuple[Wish, ...] = ()

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        label = " and ".join(wish.label for wish in self.wishes)
        if self.how in ("only", "without"):
            return f"the second time {self.how} {label}"
        return f"the second time {part_of(self.wishes[0] if self.wishes else None)}{self.how}"


def second_time(stage: Stage, operation: SecondTime) -> None:
    """Change only the bars that a repeat of this request inserted, or those of the scope if the song plays them twice
    already. Raises `Blocked` if nothing is repeated."""
    length = next((move.length for move in reversed(stage.sketch.moves) if isinstance(move, Inserted)), 0)
    start = stage.spans[0][0] + length
    if not length and not stage.whole:
        # the song plays it twice already, and where was said
        there = stage
    elif not length or start + length > stage.song.bar_map.start_of(stage.song.bars + 1):
        raise Blocked(msg("nothing is repeated"))
    else:
        there = replace(stage, spans=((start, start + length),), whole=False)
    match operation.how:
        case "only":
            solo(there, Solo(operation.wishes))
        case "without":
            for wish in operation.wishes:
                remove(there, Remove(wish))
        case "softer" | "louder":
            for one in operation.wishes or (None,):
                strike(there, Strike("softer" if operation.how == "softer" else "harder", one))


def _read(filled: Filled) -> tuple[Operation, ...]:
    how = filled.words.variant
    if how not in get_args(How) or (how in ("only", "without") and not filled.parts):
        return ()
    return (SecondTime(cast("How", how), filled.parts),)


def _read_both(filled: Filled) -> tuple[Operation, ...]:
    """The repeat, and how it comes back: "repeat bars 1-8 softer"."""
    other = _read(filled)
    return (Repeat(), *other) if other else ()


KINDS = (
    OperationKind(
        SecondTime, 16, second_time,
        MappingProxyType({"second_time": SlotReading(_read), "repeat_other": SlotReading(_read_both)}),
        removes=lambda one: one.how in ("only", "without"),
    ),
)
