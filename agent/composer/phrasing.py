"""Forms of speech: the patterns in which a language file writes what people say.

A form is words and slots: `turn|bring {part} down [by] {decibels}`. `|` separates alternatives (`_` in one is
a space), `[...]` may be missing, `{slot}` is read by the reader of that name, `<group>` stands for the phrases of
the file's table of groups.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias

from msgspec import Struct

from agent.errors import BandleaderError
from agent.message import msg

_PIECE = re.compile(r"\[|\]|\{\w+\}|(?:<\w+>|[^\s\[\]{}<>])+|\S")


class FormError(BandleaderError):
    """Raised for a phrase pattern that cannot be parsed; `what` quotes it."""


class Word(Struct, frozen=True, dict=True):
    """An element that matches one of several phrases, each a row of tokens, the longest first."""

    phrases: tuple[tuple[str, ...], ...]

    @cached_property
    def by_first(self) -> dict[str, tuple[tuple[str, ...], ...]]:
        """The phrases by the token that they begin with."""
        firsts = dict.fromkeys(phrase[0] for phrase in self.phrases)
        return {first: tuple(phrase for phrase in self.phrases if phrase[0] == first) for first in firsts}


class Slot(Struct, frozen=True):
    """An element that a reader of this name fills ("part")."""

    name: str


class Maybe(Struct, frozen=True):
    """Elements that may be missing."""

    elements: tuple[Element, ...]


Element: TypeAlias = Word | Slot | Maybe
Split: TypeAlias = Callable[[str], Sequence[str]]


class FormParser:
    """Parses the phrase patterns of a language; `split` divides phrases into tokens, `groups` has the phrases of each
    `<group>`. Each pattern is parsed once, and each of their words, which many have alike, divided once."""

    def __init__(self, groups: Mapping[str, Sequence[str]], split: Split) -> None:
        self._groups = groups
        self._split = split
        self._known: dict[str, tuple[Element, ...]] = {}
        self._words: dict[str, Word] = {}

    def elements(self, text: str) -> tuple[Element, ...]:
        """The elements of a phrase pattern, cached. Raises `FormError`."""
        if text not in self._known:
            self._known[text] = self._parsed(text)
        return self._known[text]

    def parsed(self) -> dict[str, Any]:
        """All patterns that are parsed so far as plain data, for `take`: words by number, slots by name, and lists of
        what may be missing."""
        numbers: dict[Word, int] = {}

        def plain(element: Element) -> Any:
            match element:
                case Word():
                    return numbers.setdefault(element, len(numbers))
                case Slot(name=name):
                    return name
                case Maybe(elements=elements):
                    return [plain(one) for one in elements]

        forms = {text: [plain(one) for one in elements] for text, elements in self._known.items()}
        return {"words": [[list(phrase) for phrase in word.phrases] for word in numbers], "forms": forms}

    def take(self, parsed: Mapping[str, Any]) -> None:
        """Take over what a parser with the same groups has `parsed`."""
        words = [Word(tuple(tuple(phrase) for phrase in phrases)) for phrases in parsed["words"]]
        slots: dict[str, Slot] = {}

        def element(plain: Any) -> Element:
            if isinstance(plain, int):
                return words[plain]
            if isinstance(plain, str):
                return slots.setdefault(plain, Slot(plain))
            return Maybe(tuple(map(element, plain)))

        self._known.update((text, tuple(map(element, elements))) for text, elements in parsed["forms"].items())

    def _parsed(self, text: str) -> tuple[Element, ...]:
        elements: list[Element] = []
        inner: list[Element] | None = None
        for piece in _PIECE.findall(text):
            into = elements if inner is None else inner
            if piece == "[" and inner is None:
                inner = []
            elif piece == "]" and inner:
                elements.append(Maybe(tuple(inner)))
                inner = None
            elif piece in ("[", "]", "{", "}", "<", ">"):
                raise FormError(
                    msg("the form {text!r} has a {piece!r} too many", text=text, piece=piece),
                    fix=msg("brackets come in pairs, not nested"),
                )
            elif piece.startswith("{"):
                into.append(Slot(piece[1:-1]))
            else:
                into.append(self._word(piece, text))
        if inner is not None:
            raise FormError(msg("the form {text!r} lacks a ']'", text=text))
        if not any(not isinstance(element, Maybe) for element in elements):
            raise FormError(
                msg("the form {text!r} has nothing that must be there", text=text),
                fix=msg("leave a word outside of [ ]"),
            )
        return tuple(elements)

    def _word(self, piece: str, text: str) -> Word:
        if (known := self._words.get(piece)) is not None:
            return known
        phrases: list[str] = []
        for choice in piece.split("|"):
            if choice.startswith("<"):
                if choice[1:-1] not in self._groups:
                    raise FormError(
                        msg("the form {text!r} uses {choice}, which is no group", text=text, choice=choice),
                        fix=msg("add it to [groups]"),
                    )
                phrases += self._groups[choice[1:-1]]
            else:
                phrases.append(choice.replace("_", " "))
        # a lone sign such as a dash is no word to `split`, but one to a form
        cut = {tuple(token.casefold() for token in self._split(phrase)) or (phrase,) for phrase in phrases}
        if ("",) in cut:
            raise FormError(msg("the form {text!r} holds {piece!r}, which is no word", text=text, piece=piece))
        self._words[piece] = Word(tuple(sorted(cut, key=lambda phrase: (-len(phrase), phrase))))
        return self._words[piece]


def words_of(elements: Sequence[Element]) -> set[str]:
    """All tokens that the elements can match."""
    found: set[str] = set()
    for element in elements:
        if isinstance(element, Word):
            found.update(token for phrase in element.phrases for token in phrase)
        elif isinstance(element, Maybe):
            found |= words_of(element.elements)
    return found


def needed(elements: Sequence[Element]) -> tuple[frozenset[str], ...]:
    """For each required word the tokens that it may begin with; a text that has none of them cannot match the
    pattern."""
    return tuple(frozenset(element.by_first) for element in elements if isinstance(element, Word))


def slots_of(elements: Sequence[Element]) -> set[str]:
    """Names of the slots among the elements."""
    found: set[str] = set()
    for element in elements:
        if isinstance(element, Slot):
            found.add(element.name)
        elif isinstance(element, Maybe):
            found |= slots_of(element.elements)
    return found
