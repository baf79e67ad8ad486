"""Fragments: what a clause of a remark holds where it is no request of its own: "only 2 dB", "not in the verse".

Every word of it must be known for what it is; a clause with a strange word is no fragment.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from agent.composer.refining_words import AmendingWords, Saying
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.numbers import counted, number_at
from agent.composer.understanding.tasks import Scope
from agent.composer.understanding.wishes import Wish

Unit = Literal["bpm", "decibels", "steps", "bars", "repeats", "plain"]
Placing = Callable[[str], Scope | None]
"""The place that the words name; None if they name none, or say more than that."""
_LONGEST_PLACE = 8
_LEAST = 4
"""Letters that a word has at least by which a task is known."""


@dataclass(frozen=True)
class Quantity:
    """A number and its unit ("decibels", "bars", …); the unit is "plain" if none is said."""

    unit: Unit
    number: float


@dataclass(frozen=True)
class Fragment:
    """What a clause holds that is no complete request: values, a place (`scope`), parts (`wishes`), what it says of
    them (`sayings`), and the numbers of tasks that it names by one of their words."""

    values: tuple[Quantity, ...] = ()
    scope: Scope | None = None
    wishes: tuple[Wish, ...] = ()
    sayings: frozenset[Saying] = frozenset()
    tasks: frozenset[int] = frozenset()

    @property
    def says_nothing(self) -> bool:
        """Whether the clause names nothing to change, like a lone "no"."""
        return not self._named and self.sayings <= {"not", "only", "instead"}

    @property
    def confirms(self) -> bool:
        """Whether the clause only says that what was spoken of before stays as it is: "that can stay"."""
        return not self._named and bool(self.sayings) and self.sayings <= {"stays", "unchanged"}

    @property
    def _named(self) -> bool:
        return bool(self.values or self.scope or self.wishes or self.tasks)


@dataclass
class _Found:
    values: list[Quantity] = field(default_factory=list)
    scope: Scope | None = None
    wishes: list[Wish] = field(default_factory=list)
    sayings: set[Saying] = field(default_factory=set)
    tasks: set[int] = field(default_factory=set)


@dataclass(frozen=True)
class Fragments:
    """Reads clauses as fragments; `names` are the words by which each task of the plan is known, by its number.

    `degrees` are phrases for how far something should go ("half as much"); a clause with one is about rows of the plan
    and is no fragment.
    """

    language: AmendingWords
    lexicon: Lexicon
    placing: Placing
    names: Mapping[int, frozenset[str]]
    degrees: Collection[str] = ()

    def read(self, tokens: Sequence[str]) -> Fragment | None:
        """The clause as a fragment; None if any of its words is unknown."""
        found = _Found()
        at = 0
        while at < len(tokens):
            step = self._take(tokens, at, found)
            if not step:
                return None
            at += step
        return Fragment(
            tuple(found.values), found.scope, tuple(found.wishes), frozenset(found.sayings), frozenset(found.tasks)
        )

    def _take(self, tokens: Sequence[str], at: int, found: _Found) -> int:
        """Read what begins at a token; its length, 0 where it is unknown."""
        saying, length = self._saying_at(tokens, at)
        value = self._value_at(tokens, at)
        if value is not None and value[0] >= length:
            found.values.append(value[1])
            return value[0]
        placed = self._place_at(tokens, at, saying) if found.scope is None else None
        if placed is not None and placed[0] > length:
            found.scope = placed[1]
            return placed[0]
        wish = self.lexicon.wish_at(tokens, at)
        if wish is not None and wish[0] >= length:
            found.wishes.append(wish[1])
            found.tasks |= self._named(tokens[at])
            return wish[0]
        if length:
            if saying is not None:
                found.sayings.add(saying)
                # in "don't cut anything" the verb of the plan is taken back
                found.tasks |= self._named(tokens[at + length - 1])
            return length
        named = self._named(tokens[at])
        found.tasks |= named
        return int(bool(named))

    def _named(self, token: str) -> set[int]:
        return {task for task, words in self.names.items() if any(_same(token, word) for word in words)}

    def _saying_at(self, tokens: Sequence[str], at: int) -> tuple[Saying | None, int]:
        """The longest phrase of the language at a token; None with a length is filler."""
        best: tuple[Saying | None, int] = (None, 0)
        sayings: tuple[tuple[Saying | None, Iterable[str]], ...] = (
            (None, self.language.filler), *self.language.sayings.items(), ("degree", self.degrees),
        )
        for saying, phrases in sayings:
            for phrase in phrases:
                words = phrase.split()
                if len(words) > best[1] and list(tokens[at : at + len(words)]) == words:
                    best = (saying, len(words))
        return best

    def _value_at(self, tokens: Sequence[str], at: int) -> tuple[int, Quantity] | None:
        sign = tokens[at] in ("+", "-") and at + 1 < len(tokens)
        start = at + int(sign)
        interval = self.lexicon.sense(tokens, at, "interval")
        if interval is not None:
            return interval[0], Quantity("steps", abs(float(interval[1])))
        number = number_at(tokens, start, self.lexicon)
        if number is None:
            return None
        behind = start + number[0]
        step = self.lexicon.sense(tokens, behind, "step") if behind < len(tokens) else None
        if step is not None:
            return behind + step[0] - at, Quantity("steps", number[1] * float(step[1]))
        units: tuple[Unit, ...] = ("bpm", "decibels", "bars")
        for unit in units:
            measured = counted(tokens, start, self.lexicon, (unit,))
            if measured is not None:
                return measured[0] - at, Quantity(unit, measured[1])
        digits = tokens[start][:1].isdecimal()
        return (behind - at, Quantity("plain", number[1])) if digits else None

    def _place_at(self, tokens: Sequence[str], at: int, saying: Saying | None) -> tuple[int, Scope] | None:
        """The longest place at a token; "drop the drums" takes back, and names no drop."""
        named = saying is None and self.lexicon.sense(tokens, at, "section") is not None
        if not named and tokens[at] not in self.language.placing:
            return None
        for end in range(min(len(tokens), at + _LONGEST_PLACE), at, -1):
            if any(self._saying_at(tokens, inner)[0] is not None for inner in range(at + 1, end)):
                continue  # in "in the verse too" the last word is no part of the place
            scope = self.placing(" ".join(tokens[at:end]))
            if scope is not None:
                return end - at, scope
        return None


def _same(one: str, other: str) -> bool:
    """Whether two words are forms of one: fade, fading; swing, swinging."""
    short, long = sorted((one, other), key=len)
    return one == other or (len(short) >= _LEAST and long.startswith(short) and len(long) - len(short) <= len(short))
