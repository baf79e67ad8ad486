"""Matching: which forms of speech stand at a token of a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct

from agent.chat.reading.names import NamedPhrase, SentenceNames
from agent.composer.form_index import FormIndex
from agent.composer.phrasing import Element, Maybe, Slot, Word, needed

P = TypeVar("P")
Form: TypeAlias = tuple[Element, ...]
_GAP = "…"
"""Stands in a form for any words."""


class PartialMatch(Struct, frozen=True):
    """A matched pattern so far: where it ends, the indices of its literal words, and (slot, index, value) of its
    slots."""

    end: int
    own: tuple[int, ...] = ()
    slots: tuple[tuple[str, int, NamedPhrase], ...] = ()


def match(form: Form, names: SentenceNames, start: int) -> PartialMatch | None:
    """The match of a pattern that begins at token `start`; None for none. Gaps are as short and phrases as long as
    possible."""
    return _match(form, names, PartialMatch(start))


def _match(form: Sequence[Element], names: SentenceNames, so_far: PartialMatch) -> PartialMatch | None:
    if not form:
        return so_far
    element, rest = form[0], form[1:]
    match element:
        case Maybe(elements=elements):
            with_it = _match((*elements, *rest), names, so_far)
            return with_it or _match(rest, names, so_far)
        case Word(phrases=phrases):
            if phrases == (("…",),):
                ends = range(so_far.end, len(names.tokens) + 1)
                skipped = (_match(rest, names, PartialMatch(end, so_far.own, so_far.slots)) for end in ends)
                return next((found for found in skipped if found is not None), None)
            for phrase in phrases:
                end = so_far.end + len(phrase)
                if names.tokens[so_far.end : end] == phrase:
                    own = (*so_far.own, *range(so_far.end, end))
                    found = _match(rest, names, PartialMatch(end, own, so_far.slots))
                    if found is not None:
                        return found
            return None
        case Slot(name=name):
            named = names.at(name, so_far.end)
            if named is None:
                return None
            slots = (*so_far.slots, (name, so_far.end, named))
            return _match(rest, names, PartialMatch(so_far.end + named.length, so_far.own, slots))


@dataclass(frozen=True)
class FormMatch(Generic[P]):
    """A pattern that matches, with its number in the order of the language file and its payload."""

    number: int
    found: PartialMatch
    payload: P


class FormTable(Generic[P]):
    """Phrase patterns with a payload each, indexed by what they begin with."""

    def __init__(self, forms: Iterable[tuple[Form, P]]) -> None:
        self._forms = tuple(forms)
        self._needs = tuple(
            tuple(need for need in needed(form) if _GAP not in need) for form, _ in self._forms
        )
        index = FormIndex((form, number) for number, (form, _) in enumerate(self._forms))
        self._by_word = {word: [one.payload for one in alike.forms] for word, alike in index.by_word.items()}
        self._by_slot = {slot: [one.payload for one in alike.forms] for slot, alike in index.by_slot.items()}
        self._anywhere = self._by_word.pop(_GAP, [])

    def matches(self, names: SentenceNames, start: int) -> Iterator[FormMatch[P]]:
        """The patterns that match at token `start`, in the order in which they are written."""
        word = names.tokens[start] if start < len(names.tokens) else ""
        numbers = {*self._anywhere, *self._by_word.get(word, ())}
        for slot, begun in self._by_slot.items():
            if names.at(slot, start) is not None:
                numbers.update(begun)
        for number in sorted(numbers):
            form, payload = self._forms[number]
            # most forms lack a word, which is sooner seen than where
            if not any(need.isdisjoint(names.words) for need in self._needs[number]) and (
                found := match(form, names, start)
            ) is not None:
                yield FormMatch(number, found, payload)

    def starts(self, names: SentenceNames) -> list[int]:
        """Indices of the tokens at which one of the patterns may begin."""
        return [
            at for at, token in enumerate(names.tokens)
            if self._anywhere or token in self._by_word
            or any(names.at(slot, at) is not None for slot in self._by_slot)
        ]

    def first(self, names: SentenceNames, start: int) -> PartialMatch | None:
        """The first pattern that matches at token `start`; None for none."""
        return next((one.found for one in self.matches(names, start)), None)
