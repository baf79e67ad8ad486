"""Matching: which form of a language begins at a place of a request, and what fills its slots."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from operator import attrgetter
from typing import Generic, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from agent.composer.form_index import FormIndex, IndexedForm
from agent.composer.phrasing import Element, Maybe, Slot, Word
from agent.composer.understanding.items import Item

P = TypeVar("P")
_MARKS = ("place", "amount", "condition", "often")
_FAR = 6
_order = attrgetter("order")
OWN = "own"
"""The slot for a {part} that the song has."""
WHOLE_LIST = "part list"
"""The slot for a {part} list that does not end where another pattern could begin."""


class Slots(Protocol):
    """Reads the value of a slot ({part}, {bars}, …) from the items of a request. `placed` are the slots that only hold
    places read before."""

    placed: frozenset[str]

    def read(self, name: str, items: Sequence[Item], at: int, *, opening: bool) -> tuple[int, object] | None:
        """(end, value) of the slot `name` at an item; None if nothing fits. `opening`: a pattern begins with it."""


class Filling(Struct, frozen=True):
    """What stands in a slot: its value, and the items `first` to `last` (not included) that it was read from."""

    slot: str
    value: object
    first: int
    last: int


class FormFit(Struct, Generic[P], frozen=True):
    """A matched phrase pattern: where it ends (item, not included), its `payload` (what the pattern stands for), the
    slots' values (`fillings`), and the number of words that it explains (`weight`)."""

    end: int
    payload: P
    fillings: tuple[Filling, ...]
    weight: int

    def value(self, name: str) -> object | None:
        """The first value of a slot; None if it is not filled."""
        return next((filling.value for filling in self.fillings if filling.slot == name), None)

    def all(self, name: str) -> list[object]:
        """All values of a slot, in order."""
        return [filling.value for filling in self.fillings if filling.slot == name]


_Way = tuple[int, int, tuple[Filling, ...]]


class _Standing(Generic[P]):
    """The forms of an index that may stand in rows of one request: most lack a word, which is seen once for all."""

    def __init__(self, texts: Set[str], forms: FormIndex[P]) -> None:
        self.texts = texts
        self._forms = forms
        self._worded: dict[str, Sequence[IndexedForm[P]]] = {}
        begun = {slot: alike.standing_in(texts) for slot, alike in forms.by_slot.items()}
        self.begun = {slot: standing for slot, standing in begun.items() if standing}
        """The forms that begin with a slot, by its name."""

    def worded(self, text: str) -> Sequence[IndexedForm[P]]:
        """The forms that begin with a word."""
        if text not in self._worded:
            alike = self._forms.by_word.get(text)
            self._worded[text] = alike.standing_in(self.texts) if alike is not None else ()
        return self._worded[text]


class Matcher(Generic[P]):
    """Finds the phrase pattern that explains most words; of equals the one written first."""

    def __init__(self, forms: FormIndex[P], skip: frozenset[str], slots: Slots) -> None:
        self._skip = skip
        self._slots = slots
        self._forms = forms
        # a form over an item is asked for by what stands around it too, so each is found once in the row at hand
        self._row: Sequence[Item] = ()
        self._found: dict[tuple[int, str], FormFit[P] | None] = {}
        self._standing: _Standing[P] = _Standing(frozenset(), forms)

    def best(self, items: Sequence[Item], at: int, opening_slot: str = "") -> FormFit[P] | None:
        """The best pattern that matches at an item; None for none. With `opening_slot` only patterns that begin with
        that slot are tried."""
        standing = self._standing_in(items)
        key = (at, opening_slot)
        if key not in self._found:
            self._found[key] = self._best(self._forms_at(standing, items, at, opening_slot), items, at)
        return self._found[key]

    def _forms_at(
        self, standing: _Standing[P], items: Sequence[Item], at: int, opening_slot: str
    ) -> list[IndexedForm[P]]:
        """The forms that may begin at an item."""
        forms = [] if opening_slot else [*standing.worded(items[at].text)]
        word, placed = items[at].kind == "word", self._slots.placed
        for slot, begun in standing.begun.items():
            # a slot that fits nothing here spares all the forms that begin with it
            asked = slot == opening_slot if opening_slot else not (word and slot in placed)
            if asked and self._slots.read(slot, items, at, opening=True) is not None:
                forms += begun
        return forms

    def worded(self, items: Sequence[Item], at: int) -> FormFit[P] | None:
        """The best pattern that matches at an item, of those that begin with a literal word; None for none."""
        return self._best(self._standing_in(items).worded(items[at].text), items, at)

    def _standing_in(self, items: Sequence[Item]) -> _Standing[P]:
        """The forms for a row: those of the last one, whose words another row of the same request has too."""
        if self._row is not items:
            self._row, self._found = items, {}
            texts = {item.text for item in items if item.text and " " not in item.text}
            if not texts <= self._standing.texts:
                self._standing = _Standing(texts | self._standing.texts, self._forms)
        return self._standing

    def _best(self, forms: Iterable[IndexedForm[P]], items: Sequence[Item], at: int) -> FormFit[P] | None:
        best: FormFit[P] | None = None
        for form in sorted(forms, key=_order):
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
            return [(at + len(phrase), ()) for phrase in phrases if _says(items, at, phrase)]
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


def _says(items: Sequence[Item], at: int, phrase: tuple[str, ...]) -> bool:
    """Whether a phrase stands at an item, the first of whose words is there."""
    if items[at].kind == "comma" or len(phrase) > len(items) - at:
        return False
    for k in range(1, len(phrase)):
        item = items[at + k]
        if item.text != phrase[k] or item.kind == "comma":
            return False
    return True
