"""Lists of what is to stay: "keep the bass and the key", "the key, the form and the drums must not change"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from agent.composer.operation_words import OperationWords
from agent.composer.phrase_sets import phrase_set
from agent.composer.understanding.items import Item
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.matching import Filling, FormFit, Matcher
from agent.composer.understanding.parting import PARTED
from agent.composer.understanding.slots import SlotReader
from agent.composer.understanding.wishes import Wish

Finds = dict[int, FormFit[OperationWords]]
_KEEP = "keep"
_KEPT = OperationWords(operation=_KEEP, forms=("{part}",))
_NAMED = ("part", "aspect")
_LONGEST = 6
"""Items of the longest name of something that is kept."""


class _Thing(Struct, frozen=True):
    """A part or an aspect of the song, and all that its name and what closes the list take."""

    filling: Filling
    end: int


class KeptListReader:
    """Finds the other things that are to stay beside the one that a matched pattern names: "keep the bass, the drums
    and the tempo as they are"."""

    def __init__(self, lexicon: Lexicon, slots: SlotReader, operations: Matcher[OperationWords]) -> None:
        grammar = lexicon.words.grammar
        self._slots = slots
        self._operations = operations
        self._joins = frozenset((*grammar.joins, *grammar.either))
        self._passing = frozenset((*grammar.skip, *grammar.determiners)) - self._joins
        self._closing = phrase_set(lexicon.words.groups.get("as_is", ()))

    def read(self, items: Sequence[Item], finds: Mapping[int, FormFit[OperationWords]]) -> Finds:
        """The matched patterns, by the index of the item where they begin: `finds`, with one for each further thing
        that is kept."""
        made = dict(finds)
        for at, found in finds.items():
            named = [one for one in found.fillings if one.slot in _NAMED]
            if found.payload.operation != _KEEP or not named or made.get(at) is not found:
                continue
            if named[-1].last == found.end or self._closing.length(_texts(items, named[-1].last), 0):
                self._read_on(items, found.end, made)
            if named[0].first == at:
                self._read_back(items, at, made)
        return dict(sorted(made.items()))

    def _read_on(self, items: Sequence[Item], end: int, made: Finds) -> None:
        while (first := self._joined(items, end)) is not None:
            thing = self._at(items, first)
            if thing is None or not self._put(items, first, thing, made):
                return
            end = thing.end

    def _read_back(self, items: Sequence[Item], at: int, made: Finds) -> None:
        while (end := self._joined_before(items, at)) is not None:
            first = next((one for one in range(max(0, end - _LONGEST), end) if self._names(items, one, end)), -1)
            thing = self._at(items, first) if first >= 0 else None
            if thing is None or not self._put(items, first, thing, made):
                return
            at = first

    def _names(self, items: Sequence[Item], first: int, end: int) -> bool:
        """Whether a thing stands from one item to another, and nothing before it that says more of it."""
        before = first
        while before and items[before - 1].kind == "word" and items[before - 1].text in self._passing:
            before -= 1
        thing = self._at(items, first) if not before or self._parts(items[before - 1]) else None
        return thing is not None and thing.end == end

    def _at(self, items: Sequence[Item], at: int) -> _Thing | None:
        """The thing at an item, where nothing more is said of it than that it stays."""
        for slot in reversed(_NAMED):
            found = self._slots.read(slot, items, at, opening=True)
            if found is None or (slot == "part" and not _are_wishes(found[1])):
                continue
            end = found[0] + self._closing.length(_texts(items, found[0]), 0)
            if end >= len(items) or self._parts(items[end]):
                return _Thing(Filling(slot, found[1], at, found[0]), end)
        return None

    def _put(self, items: Sequence[Item], first: int, thing: _Thing, made: Finds) -> bool:
        """Let a thing be kept; False where another form says more of it that no sign parts from it."""
        begun = [at for at in made if first <= at < thing.end]
        beyond = max((made[at].end for at in begun), default=thing.end)
        if beyond > thing.end and items[thing.end].kind not in PARTED:
            return False
        if any(made[at].payload.operation == _KEEP for at in begun):
            return False
        for at in begun:
            del made[at]
        made[first] = FormFit(thing.end, _KEPT, (thing.filling,), 1)
        at = thing.end
        while at < beyond:
            again = self._operations.best(items, at) if items[at].kind in ("word", "place") else None
            if again is not None:
                made[at] = again
            at = again.end if again is not None else at + 1
        return True

    def _joined(self, items: Sequence[Item], at: int) -> int | None:
        """Where what is named next begins behind a comma or a join; None where neither stands at an item."""
        end = at
        while end < len(items) and end < at + 2 and (items[end].kind == "comma" or items[end].text in self._joins):
            end += 1
        if end == at:
            return None
        while end < len(items) and items[end].kind == "word" and items[end].text in self._passing:
            end += 1
        return end if end < len(items) and items[end].kind == "word" else None

    def _joined_before(self, items: Sequence[Item], at: int) -> int | None:
        """Where what is named before a thing ends, with a comma or a join behind it."""
        while at and items[at - 1].kind == "word" and items[at - 1].text in self._passing:
            at -= 1
        end = at
        while end and end > at - 2 and (items[end - 1].kind == "comma" or items[end - 1].text in self._joins):
            end -= 1
        return end if 0 < end < at else None

    def _parts(self, item: Item) -> bool:
        return item.kind in PARTED or item.text in self._joins


def _are_wishes(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(one, Wish) for one in value)


def _texts(items: Sequence[Item], at: int) -> list[str]:
    return [item.text for item in items[at : at + _LONGEST]]
