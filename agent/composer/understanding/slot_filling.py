"""Slot filling: what a form that was found asks for, with its slots filled in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import cast

from msgspec import Struct, field, structs

from agent.composer.operation_words import OperationWords
from agent.composer.understanding.items import Measure, Referring, RemainingParts
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.matching import FormFit
from agent.composer.understanding.operations import Colour, Mix
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish


class Filled(Struct, frozen=True):
    """A matched pattern (`found`) with its slots filled, and what its pronouns may refer to.

    `named` are the parts named last before it, `all_named` all parts of the request, `last` is the operation before it.
    `measure` is how far it goes, None if that is not said.
    """

    found: FormFit[OperationWords]
    lexicon: Lexicon
    named: tuple[Wish, ...] = ()
    measure: Measure | None = None
    all_named: tuple[Wish, ...] = ()
    last: Operation | None = None

    @property
    def words(self) -> OperationWords:
        """The entry of the language file that the pattern belongs to."""
        return self.found.payload

    @property
    def direction(self) -> int:
        """1 for up or more, -1 for down or less."""
        return -1 if self.words.sign < 0 else 1

    def value(self, slot: str) -> object | None:
        """The value of a slot; None if it is not filled."""
        return self.found.value(slot)

    def number(self, slot: str) -> float | None:
        """The number in a slot; None if there is none."""
        value = self.found.value(slot)
        return float(value) if isinstance(value, int | float) else None

    @property
    def parts(self) -> tuple[Wish, ...]:
        """The parts that the pattern is about; empty if it names none."""
        return next((found for slot in ("part", "played", "refused") if (found := self.wishes(slot))), ())

    @property
    def each(self) -> tuple[Wish | None, ...]:
        """The parts that the pattern is about; a single None for the whole song."""
        return self.parts or (None,)

    @property
    def by(self) -> Wish | None:
        """The other part that the pattern names, such as the new player; None for none."""
        other = self.found.value("by")
        return other if isinstance(other, Wish) else None

    def wishes(self, slot: str = "part") -> tuple[Wish, ...]:
        """The wishes in a slot, with pronouns replaced by what was named before."""
        parts = self.found.value(slot)
        if isinstance(parts, Wish):
            return (parts,)
        if not isinstance(parts, tuple):
            return ()
        wishes: list[Wish] = []
        for part in parts:
            if isinstance(part, RemainingParts):
                but = [one for part_ in part.but for one in ([part_] if isinstance(part_, Wish) else self.named)]
                rest = self.lexicon.others(but or self.all_named, part.count)
                wishes += [rest] if rest is not None else []
            else:
                wishes += self.named if isinstance(part, Referring) else [part]
        return tuple(dict.fromkeys(wishes))


class SlotReading(Struct, frozen=True):
    """How an entry of the language file is turned into operations: `fill` does it, and each of its patterns must hold
    one of the slots `needs`.

    One that `follows` continues the operation right before it, and is reported as not done where it cannot.
    """

    fill: Callable[[Filled], tuple[Operation, ...]]
    needs: frozenset[str] = field(default_factory=frozenset)
    follows: bool = False


def operations_of(filled: Filled, readings: Mapping[str, SlotReading]) -> tuple[Operation, ...]:
    """The operations that a filled pattern asks for; empty if what it is about is missing."""
    rest = cast("tuple[object, ...]", filled.value("part") or ())
    if any(isinstance(part, RemainingParts) for part in rest) and not filled.parts:
        return ()
    return readings[filled.words.operation].fill(filled)


def within(number: float, least: float, most: float) -> float:
    """The number, limited to `least` to `most`."""
    return max(least, min(most, number))


def _again(filled: Filled) -> tuple[Operation, ...]:
    return tuple(_repeated(filled, filled.last, wish) for wish in filled.each) if filled.last is not None else ()


def _repeated(filled: Filled, last: Operation, wish: Wish | None) -> Operation:
    """The operation before this one, done to another part or elsewhere; the sign may turn more into less."""
    sign = filled.words.sign
    wish = wish or getattr(last, "wish", None)
    if isinstance(last, Mix):
        return Mix(last.control, abs(last.by) * sign if sign else last.by, wish, None if sign else last.decibels)
    if isinstance(last, Colour) and sign < 0 and last.mood.opposite:
        return Colour(filled.lexicon.words.mood(last.mood.opposite), wish)
    return structs.replace(last, wish=wish) if hasattr(last, "wish") else last


def _nothing(_: Filled) -> tuple[Operation, ...]:
    return ()


GRAMMAR: Mapping[str, SlotReading] = MappingProxyType({
    "again": SlotReading(_again, frozenset({"part", "within"})), "nothing": SlotReading(_nothing),
    "keep": SlotReading(_nothing), "spare": SlotReading(_nothing), "come_back": SlotReading(
        _nothing, frozenset({"source"})
    ),
})
"""Readings that belong to no kind of operation: references, limits, and phrases that ask for nothing."""
