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
class FormFit(Generic[P]):
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


class _Row(Generic[P]):
    """A row of items with the forms of an index that may stand in it: most lack a word, which is seen once for all."""

    def __init__(self, items: Sequence[Item], forms: FormIndex[P]) -> None:
        self.items = items
        self._forms = forms
        self._texts = frozenset(item.text for item in items)
        self._begun: dict[str, list[IndexedForm[P]]] = {}

    def worded(self, at: int) -> list[IndexedForm[P]]:
        """The forms that begin with the word at an item."""
        return [form for form in self._forms.by_word.get(self.items[at].text, ()) if form.may_stand_in(self._texts)]

    def begun(self, slot: str) -> list[IndexedForm[P]]:
        """The forms that begin with a slot."""
        if slot not in self._begun:
            forms = self._forms.by_slot.get(slot, ())
            self._begun[slot] = [form for form in forms if form.may_stand_in(self._texts)]
        return self._begun[slot]


class Matcher(Generic[P]):
    """Finds the form that explains most words; of equals the one written first."""

    def __init__(self, forms: FormIndex[P], skip: frozenset[str], slots: Slots) -> None:
        self._skip = skip
        self._slots = slots
        self._forms = forms
        self._row: _Row[P] = _Row((), forms)

    def best(self, items: Sequence[Item], at: int, opening_slot: str = "") -> FormFit[P] | None:
        """The best form at an item; with `opening_slot` only forms that begin with that slot."""
        row = self._row_of(items)
        forms = [] if opening_slot else row.worded(at)
        for slot in (opening_slot,) if opening_slot else self._forms.by_slot:
            # a slot that fits nothing here spares all the forms that begin with it
            if (begun := row.begun(slot)) and self._slots.read(slot, items, at, opening=True) is not None:
                forms += begun
        return self._best(forms, items, at)

    def worded(self, items: Sequence[Item], at: int) -> FormFit[P] | None:
        """The best form at an item of those that begin with a word of their own."""
        return self._best(self._row_of(items).worded(at), items, at)

    def _row_of(self, items: Sequence[Item]) -> _Row[P]:
        if self._row.items is not items:
            self._row = _Row(items, self._forms)
        return self._row

    def _best(self, forms: Iterable[IndexedForm[P]], items: Sequence[Item], at: int) -> FormFit[P] | None:
        best: FormFit[P] | None = None
        for form in sorted(forms, key=lambda one: one.order):
            way = self._way(form.elements, items, at, opening=True)
            if way is not None and (best is None or (way[0], -way[1]) > (best.weight, -best.end)):
                best = FormFit(way[1], form.payload, way[2], way[0])
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
            phrases = head.by_first.get(items[at].text, ()) if at < len(items) else ()
            return [
                (at + len(phrase), ())
                for phrase in phrases
                if len(phrase) <= len(items) - at
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
