"""An index of forms of speech by what they begin with, made once for a language."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

from agent.composer.phrasing import Element, Maybe, Slot, Word

P = TypeVar("P")
IndexedForm = tuple[int, tuple[Element, ...], P]
"""A form with one of the ways in which it may begin, its place in their order, and what it stands for."""


class FormIndex(Generic[P]):
    """Forms by the word or slot that they begin with; of equals the one written first counts."""

    def __init__(self, forms: Iterable[tuple[tuple[Element, ...], P]]) -> None:
        self.by_word: dict[str, list[IndexedForm[P]]] = {}
        self.by_slot: dict[str, list[IndexedForm[P]]] = {}
        order = 0
        for elements, payload in forms:
            for begun in _begun(elements):
                order += 1
                form = (order, begun, payload)
                head = begun[0]
                if isinstance(head, Slot):
                    self.by_slot.setdefault(head.name, []).append(form)
                elif isinstance(head, Word):
                    for word in sorted({phrase[0] for phrase in head.phrases}):
                        self.by_word.setdefault(word, []).append(form)


def _begun(elements: tuple[Element, ...]) -> list[tuple[Element, ...]]:
    """The ways in which a form may begin: with or without what may be missing."""
    if elements and isinstance(elements[0], Maybe):
        return [*_begun((*elements[0].elements, *elements[1:])), *_begun(elements[1:])]
    return [elements] if elements else []
