"""An index of forms of speech by what they begin with, made once for a language."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass
from typing import Generic, TypeVar

from agent.composer.phrasing import Element, Maybe, Slot, Word, needed

P = TypeVar("P")


@dataclass(frozen=True)
class IndexedForm(Generic[P]):
    """A form with one of the ways in which it may begin, its place in their order, and what it stands for."""

    order: int
    elements: tuple[Element, ...]
    payload: P
    needs: tuple[frozenset[str], ...]
    """For each of its words the tokens of which a text must hold one."""

    def may_stand_in(self, texts: Set[str]) -> bool:
        """Whether none of its words is wholly missing among the tokens of a text."""
        for need in self.needs:  # noqa: SIM110 - asked of every form at every place
            if need.isdisjoint(texts):
                return False
        return True


class FormIndex(Generic[P]):
    """Forms by the word or slot that they begin with; of equals the one written first counts."""

    def __init__(self, forms: Iterable[tuple[tuple[Element, ...], P]]) -> None:
        self.by_word: dict[str, list[IndexedForm[P]]] = {}
        self.by_slot: dict[str, list[IndexedForm[P]]] = {}
        order = 0
        for elements, payload in forms:
            for begun in _begun(elements):
                order += 1
                head, form = begun[0], IndexedForm(order, begun, payload, needed(begun[1:]))
                if isinstance(head, Slot):
                    self.by_slot.setdefault(head.name, []).append(form)
                elif isinstance(head, Word):
                    for word in sorted(head.by_first):
                        self.by_word.setdefault(word, []).append(form)


def _begun(elements: tuple[Element, ...]) -> list[tuple[Element, ...]]:
    """The ways in which a form may begin: with or without what may be missing."""
    if elements and isinstance(elements[0], Maybe):
        return [*_begun((*elements[0].elements, *elements[1:])), *_begun(elements[1:])]
    return [elements] if elements else []
