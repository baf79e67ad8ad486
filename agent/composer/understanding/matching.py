"""Matching: which form of a language begins at a place of a request, and what fills its slots."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from agent.composer.phrasing import Element, Maybe, Slot, Word
from agent.composer.understanding.items import Item

P = TypeVar("P")
_MARKS = ("place", "amount", "condition")
_FAR = 6


class Slots(Protocol):
    """Reads what stands in a slot."""

    def read(self, name: str, items: Sequence[Item], at: int, *, opening: bool) -> tuple[int, object] | None:
        """The end and the value of what is read at an item; None where nothing fits. `opening`: a form begins so."""


@dataclass(frozen=True)
class Found(Generic[P]):
    """A form that fits: where it ends, what it stands for, its slots' values, and how many words it explains."""

    end: int
    payload: P
    values: tuple[tuple[str, object], ...]
    weight: int

    def value(self, name: str) -> object | None:
        """The first value of a slot."""
        return next((value for slot, value in self.values if slot == name), None)

    def all(self, name: str) -> list[object]:
        """Every value of a slot, in order."""
        return [value for slot, value in self.values if slot == name]


_Way = tuple[int, int, tuple[tuple[str, object], ...]]
_Form = tuple[int, tuple[Element, ...], P]


def _begun(elements: tuple[Element, ...]) -> list[tuple[Element, ...]]:
    """The ways in which a form may begin: with or without what may be missing."""
    if elements and isinstance(elements[0], Maybe):
        return [*_begun((*elements[0].elements, *elements[1:])), *_begun(elements[1:])]
    return [elements] if elements else []


class Matcher(Generic[P]):
    """Finds the form that explains most words; of equals the one written first."""

    def __init__(self, forms: Iterable[tuple[tuple[Element, ...], P]], skip: frozenset[str], slots: Slots) -> None:
        self._skip = skip
        self._slots = slots
        self._by_word: dict[str, list[_Form[P]]] = {}
        self._by_slot: dict[str, list[_Form[P]]] = {}
        order = 0
        for elements, payload in forms:
            for begun in _begun(elements):
                order += 1
                form = (order, begun, payload)
                head = begun[0]
                if isinstance(head, Slot):
                    self._by_slot.setdefault(head.name, []).append(form)
                elif isinstance(head, Word):
                    for word in sorted({phrase[0] for phrase in head.phrases}):
                        self._by_word.setdefault(word, []).append(form)

    def best(self, items: Sequence[Item], at: int, opening_slot: str = "") -> Found[P] | None:
        """The best form at an item; with `opening_slot` only forms that begin with that slot."""
        forms = [] if opening_slot else list(self._by_word.get(items[at].text, ()))
        for slot, begun in self._by_slot.items():
            if slot == opening_slot or not opening_slot:
                # a slot that fits nothing here spares all the forms that begin with it
                fits = self._slots.read(slot, items, at, opening=True) is not None
                forms += begun if fits else []
        best: Found[P] | None = None
        for _, elements, payload in sorted(forms, key=lambda form: form[0]):
            way = self._way(elements, items, at, opening=True)
            if way is not None and (best is None or (way[0], -way[1]) > (best.weight, -best.end)):
                best = Found(way[1], payload, way[2], way[0])
        return best

    def _way(self, elements: tuple[Element, ...], items: Sequence[Item], at: int, *, opening: bool) -> _Way | None:
        if not elements:
            return 0, at, ()
        head, rest = elements[0], elements[1:]
        best: _Way | None = None
        if isinstance(head, Maybe):
            ways = (self._way((*head.elements, *rest), items, at, opening=opening),
                    self._way(rest, items, at, opening=opening))
            return max((way for way in ways if way is not None), key=lambda way: (way[0], -way[1]), default=None)
        for place in self._places(items, at, opening=opening):
            for end, filled in self._step(head, items, place, opening=opening):
                following = self._way(rest, items, end, opening=False)
                if following is None:
                    continue
                # a place fills a slot with one item, which says as much as a word
                weight = following[0] + sum(
                    item.kind == "word" or (filled != () and item.kind == "place") for item in items[place:end]
                )
                if best is None or weight > best[0]:
                    best = (weight, following[1], (*filled, *following[2]))
        return best

    def _step(
        self, head: Element, items: Sequence[Item], at: int, *, opening: bool
    ) -> list[tuple[int, tuple[tuple[str, object], ...]]]:
        if isinstance(head, Word):
            return [
                (at + len(phrase), ())
                for phrase in head.phrases
                if len(phrase) <= len(items) - at
                and all(items[at + k].text == word and items[at + k].kind != "comma" for k, word in enumerate(phrase))
            ]
        assert isinstance(head, Slot)
        read = self._slots.read(head.name, items, at, opening=opening)
        return [(read[0], ((head.name, read[1]),))] if read is not None else []

    def _places(self, items: Sequence[Item], at: int, *, opening: bool) -> range:
        end = at
        if not opening:
            while end < len(items) and end - at < _FAR and self._passed(items[end]):
                end += 1
        return range(at, min(end + 1, len(items)))

    def _passed(self, item: Item) -> bool:
        return item.kind in _MARKS or (item.kind == "word" and item.text in self._skip)
