"""Matching: which form of a language begins at a place of a request, and what fills its slots."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from agent.composer.form_index import FormIndex, IndexedForm
from agent.composer.phrasing import Element, Maybe, Slot, Word
from agent.composer.understanding.items import Item

P = TypeVar("P")
_MARKS = ("place", "amount", "condition", "often")
_FAR = 6
OWN = "own"
"""A {part} that the song has."""
WHOLE_LIST = "part list"
"""A {part} that is read on where another form could begin: for forms that go on behind it."""


class Slots(Protocol):
    """Reads what stands in a slot."""

    def read(self, name: str, items: Sequence[Item], at: int, *, opening: bool) -> tuple[int, object] | None:
        """The end and the value of what is read at an item; None where nothing fits. `opening`: a form begins so."""


@dataclass(frozen=True)
class Filling:
    """What stands in a slot: its value, and the items `first` to `last` (not included) that it was read from."""

    slot: str
    value: object
    first: int
    last: int


@dataclass(frozen=True)
class Found(Generic[P]):
    """A form that fits: where it ends, what it stands for, its slots' values, and how many words it explains."""

    end: int
    payload: P
    fillings: tuple[Filling, ...]
    weight: int

    def value(self, name: str) -> object | None:
        """The first value of a slot."""
        return next((filling.value for filling in self.fillings if filling.slot == name), None)

    def all(self, name: str) -> list[object]:
        """Every value of a slot, in order."""
        return [filling.value for filling in self.fillings if filling.slot == name]


_Way = tuple[int, int, tuple[Filling, ...]]


class Matcher(Generic[P]):
    """Finds the form that explains most words; of equals the one written first."""

    def __init__(self, forms: FormIndex[P], skip: frozenset[str], slots: Slots) -> None:
        self._skip = skip
        self._slots = slots
        self._by_word, self._by_slot = forms.by_word, forms.by_slot

    def best(self, items: Sequence[Item], at: int, opening_slot: str = "") -> Found[P] | None:
        """The best form at an item; with `opening_slot` only forms that begin with that slot."""
        forms = [] if opening_slot else list(self._by_word.get(items[at].text, ()))
        for slot, begun in self._by_slot.items():
            if slot == opening_slot or not opening_slot:
                # a slot that fits nothing here spares all the forms that begin with it
                fits = self._slots.read(slot, items, at, opening=True) is not None
                forms += begun if fits else []
        return self._best(forms, items, at)

    def worded(self, items: Sequence[Item], at: int) -> Found[P] | None:
        """The best form at an item of those that begin with a word of their own."""
        return self._best(self._by_word.get(items[at].text, ()), items, at)

    def _best(self, forms: Iterable[IndexedForm[P]], items: Sequence[Item], at: int) -> Found[P] | None:
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
                if following is None or (filled and filled[0].slot == WHOLE_LIST and following[1] == end):
                    continue
                filled = tuple(replace(one, slot="part") if one.slot in (WHOLE_LIST, OWN) else one for one in filled)
                # a name says as much as a word, however long
                named = bool(filled) and filled[0].slot == "name"
                weight = following[0] + (1 if named else self._said(items[place:end], filled))
                if best is None or weight > best[0]:
                    best = (weight, following[1], (*filled, *following[2]))
        return best

    def _said(self, items: Sequence[Item], filled: tuple[Filling, ...]) -> int:
        """How many words are explained. A place in a slot says as much as a word, an article in one nothing."""
        count = sum(
            (item.kind == "word" and not (filled and item.text in self._skip))
            or (filled != () and item.kind == "place")
            for item in items
        )
        return max(count, 1)

    def _step(
        self, head: Element, items: Sequence[Item], at: int, *, opening: bool
    ) -> list[tuple[int, tuple[Filling, ...]]]:
        if isinstance(head, Word):
            first = items[at].text if at < len(items) else ""
            return [
                (at + len(phrase), ())
                for phrase in head.phrases
                if phrase[0] == first and len(phrase) <= len(items) - at
                and all(items[at + k].text == word and items[at + k].kind != "comma" for k, word in enumerate(phrase))
            ]
        assert isinstance(head, Slot)
        names = (head.name, WHOLE_LIST) if head.name == "part" and not opening else (head.name,)
        reads = ((name, self._slots.read(name, items, at, opening=opening)) for name in names)
        return [(read[0], (Filling(name, read[1], at, read[0]),)) for name, read in reads if read is not None]

    def _places(self, items: Sequence[Item], at: int, *, opening: bool) -> range:
        end = at
        if not opening:
            while end < len(items) and end - at < _FAR and self._passed(items[end]):
                end += 1
        return range(at, min(end + 1, len(items)))

    def _passed(self, item: Item) -> bool:
        return item.kind in _MARKS or (item.kind == "word" and item.text in self._skip)
