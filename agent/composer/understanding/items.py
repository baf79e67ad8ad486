"""Items: a request as a row of words, signs and the phrases that were read as one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from agent.composer.understanding.tasks import Place
from agent.composer.understanding.wishes import Wish

Kind: TypeAlias = Literal["word", "stop", "comma", "break", "aside", "place", "amount", "condition", "often"]
Relation: TypeAlias = Literal["in", "before", "after", "onward", "except", "since"]
_STOPS = (".", ";", "!", "?", ":")


class PlaceRef(Struct, frozen=True):
    """Places named in the request, and their relation to what is done.

    `bare` ones stand without a preposition, as an object ("the chorus louder"); `narrowed`: "only in the chorus";
    `towards`: what happens leads up to them and may lie before them; `into`: something leads into them; `starting`: a
    verb says that they begin ("when the chorus starts"). A `counted` one is a number of bars beside another place ("the
    4 bars before the chorus") and never a point in time.
    """

    places: tuple[Place, ...]
    relation: Relation = "in"
    bare: bool = False
    narrowed: bool = False
    towards: bool = False
    into: bool = False
    counted: bool = False
    starting: bool = False


def determines(items: Sequence[Item], at: int, articles: frozenset[str], told: frozenset[str]) -> bool:
    """Whether the item `at` is an article or demonstrative (one of `articles`) before a noun that means nothing to the
    lexicon: "that hiss". `told` are the words with a meaning."""
    behind = items[at + 1] if at + 1 < len(items) else None
    word = behind.text if behind is not None and behind.kind == "word" else ""
    return items[at].text in articles and word.isalpha() and word not in told


class Measure(Struct, frozen=True):
    """How far an operation goes, as a factor of the usual amount; `exact` if it was a percentage."""

    factor: float
    exact: bool = False


class Referring(Struct, frozen=True):
    """A pronoun for what was named before: it, them, one."""


class RemainingParts(Struct, frozen=True):
    """All parts but those named in the request, or with `but` all but these. With a `count` there must be that many of
    them."""

    but: tuple[Wish | Referring, ...] = ()
    count: int = 0


class If(Struct, frozen=True):
    """A condition: that the song has (`present`) or lacks a part, which may be a pronoun."""

    wish: Wish | Referring
    present: bool


class Often(Struct, frozen=True):
    """How often: once in every `bars` bars."""

    bars: int


Marked: TypeAlias = PlaceRef | Measure | If | Often


class Item(Struct, frozen=True):
    """The tokens `first` to `last` (not included) of a request and what they were read as: a `kind` ("word", "comma",
    "stop", "place", …) and for a place, amount, condition or frequency its `value`."""

    kind: Kind
    text: str
    first: int
    last: int
    value: Marked | None = None


def items_of(tokens: Sequence[str]) -> list[Item]:
    """The items of casefolded tokens: words and punctuation."""
    found: list[Item] = []
    for at, text in enumerate(tokens):
        kind: Kind = "comma" if text == "," else "stop" if text in _STOPS else "word"
        # the colon of "2:30" parts nothing
        if text == ":" and at and tokens[at - 1].isdecimal() and at + 1 < len(tokens) and tokens[at + 1].isdecimal():
            kind = "word"
        found.append(Item(kind, text, at, at + 1))
    return found


def merged(items: Sequence[Item], first: int, last: int, kind: Kind, value: Marked | None) -> Item:
    """The items `first` to `last` (not included) as a single item of that kind with that value."""
    text = " ".join(item.text for item in items[first:last])
    return Item(kind, text, items[first].first, items[last - 1].last, value)
