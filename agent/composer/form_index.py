"""An index of forms of speech by what they begin with, made once for a language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from functools import cached_property
from typing import Generic, TypeVar

from msgspec import Struct

from agent.composer.phrasing import Element, Maybe, Slot, Word, needed

P = TypeVar("P")


class IndexedForm(Struct, Generic[P], frozen=True):
    """A phrase pattern (`elements`) with one of the ways in which it may begin; `order` is its position in the language
    file, `payload` what it stands for. `needs` has for each required word the tokens of which a text must have one."""

    order: int
    elements: tuple[Element, ...]
    payload: P
    needs: tuple[frozenset[str], ...]

    def may_stand_in(self, texts: Set[str]) -> bool:
        """Whether a text with the tokens `texts` could contain the pattern: each of its required words can be there."""
        for need in self.needs:  # noqa: SIM110 - asked of many forms with every request
            if need.isdisjoint(texts):
                return False
        return True


class FormsAlike(Generic[P]):
    """Phrase patterns that begin alike, indexed by a word that they require, so that most need not be tried."""

    def __init__(self) -> None:
        self.forms: list[IndexedForm[P]] = []

    @cached_property
    def _needing(self) -> dict[str, list[IndexedForm[P]]]:
        """The forms by each token of the word that has fewest; those without words by none."""
        found: dict[str, list[IndexedForm[P]]] = {"": []}
        for form in self.forms:
            for token in min(form.needs, key=len, default=("",)):
                found.setdefault(token, []).append(form)
        return found

    def standing_in(self, texts: Set[str]) -> Sequence[IndexedForm[P]]:
        """The patterns that a text with the tokens `texts` could contain (see `IndexedForm.may_stand_in`),
        unordered."""
        needing = self._needing
        keyed = {form.order: form for token in needing.keys() & texts for form in needing[token]}
        return [*needing[""], *(form for form in keyed.values() if form.may_stand_in(texts))]


class FormIndex(Generic[P]):
    """Phrase patterns, indexed by the word or slot that they begin with; of equally good matches the one written first
    counts."""

    def __init__(self, forms: Iterable[tuple[tuple[Element, ...], P]]) -> None:
        self.by_word: dict[str, FormsAlike[P]] = {}
        self.by_slot: dict[str, FormsAlike[P]] = {}
        order = 0
        for elements, payload in forms:
            for begun in _begun(elements):
                order += 1
                head, form = begun[0], IndexedForm(order, begun, payload, needed(begun[1:]))
                if isinstance(head, Slot):
                    self.by_slot.setdefault(head.name, FormsAlike()).forms.append(form)
                elif isinstance(head, Word):
                    for word in sorted(head.by_first):
                        self.by_word.setdefault(word, FormsAlike()).forms.append(form)


def _begun(elements: tuple[Element, ...]) -> list[tuple[Element, ...]]:
    """The ways in which a form may begin: with or without what may be missing."""
    if elements and isinstance(elements[0], Maybe):
        return [*_begun((*elements[0].elements, *elements[1:])), *_begun(elements[1:])]
    return [elements] if elements else []
