"""Place slots: places as what an operation takes from, brings to, goes by, or lasts over."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.phrase_sets import PhraseSet, phrase_set
from agent.composer.understanding.items import Item, PlaceRef
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.tasks import Bars, Edge, Named

_ENDS = ("outside", "source", "target", "ahead", "top", "to_end", "until", "from", "onset", "spot")
_STRETCHES = ("span", "till")
"""Slots whose place is where an operation works."""
_NEW = ("running", "in_turn", "sole", "down_to", "edge", "gap", "close")
PLACES = frozenset({"place", "bar", "within", *_ENDS, *_STRETCHES, *_NEW})
"""The slots that `PlaceSlots` reads."""
_BY_NAME = frozenset({"running", "in_turn"})
"""Those in which sections may stand as words."""
AT_PLACES = PLACES - _BY_NAME
"""Those slots that only hold places read before."""


class PlaceSlots:
    """Reads the slots for places from the words of one request."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._between = frozenset(lexicon.words.performing.between)
        self._within = tuple(f"{phrase} " for phrase in lexicon.words.places.within)

    def at(self, name: str, items: Sequence[Item], at: int) -> tuple[int, object] | None:
        """(end, value) of the slot `name`, one of those for places (`PLACES`), at an item; None if no such place is
        there."""
        item = items[at]
        ref = item.value
        if name in _NEW:
            return self._new_place(name, items, at)
        if name in _ENDS:
            return self._end_place(name, ref, at)
        if not isinstance(ref, PlaceRef):
            return None
        if name == "place":
            return (at + 1, ref) if ref.bare else None
        if name == "bar":
            single = all(isinstance(one, Bars) and one.first == one.last for one in ref.places)
            return (at + 1, ref) if ref.bare and single and len(ref.places) == 1 else None
        if name == "within":
            return (at + 1, ref) if ref.relation in ("in", "since") and not ref.bare else None
        wanted = ("before",) if name == "till" else ("in", "since", "onward")
        led = ref.relation in wanted and not ref.bare and not ref.narrowed
        only = item.text.rpartition(" ")[2] in self._lexicon.words.places.only
        return (at + 1, ref) if led and not only else None

    def _led(self, item: Item) -> bool:
        """Whether a preposition stands in a place, behind the word that narrows it."""
        only = self._lexicon.words.places.only
        words = [word for word in item.text.split() if word not in only]
        return " ".join(words).startswith(self._within)

    def _end_place(self, name: str, ref: object, at: int) -> tuple[int, object] | None:
        """Places that say from where, up to where, before or behind what."""
        if name in ("source", "target"):
            return (at + 1, ref) if isinstance(ref, PlaceRef) else None
        if name == "ahead":
            ahead = isinstance(ref, PlaceRef) and (ref.relation == "before" or ref.towards)
            return (at + 1, ref) if ahead else None
        if name == "top":
            top = isinstance(ref, PlaceRef) and all(isinstance(one, Edge) and one.at == "start" for one in ref.places)
            return (at + 1, ref) if top else None
        if name == "to_end":
            # "the intro to the end": with a verb of moving that is where to, else how far
            onward = isinstance(ref, PlaceRef) and ref.relation == "onward" and ref.bare
            return (at + 1, ref) if onward else None
        if name == "until":
            return (at + 1, ref) if isinstance(ref, PlaceRef) and ref.relation == "before" else None
        if name in ("from", "onset"):
            return (at + 1, ref) if isinstance(ref, PlaceRef) and _lasts(ref, point=name == "onset") else None
        if name == "outside":
            return (at + 1, ref) if isinstance(ref, PlaceRef) and ref.relation == "except" else None
        if name == "spot":
            near = isinstance(ref, PlaceRef) and ref.relation in ("before", "after")
            return (at + 1, ref) if near else None
        return None

    def _new_place(self, name: str, items: Sequence[Item], at: int) -> tuple[int, object] | None:
        """Places as objects: what alone stays, what lies between two, an edge, sections one after the other."""
        item = items[at]
        if name in _BY_NAME:
            return _running_at(items, at, self._lexicon, in_turn=name == "in_turn")
        if name == "close":
            ref = item.value
            close = isinstance(ref, PlaceRef) and all(isinstance(one, Edge) and one.at == "end" for one in ref.places)
            return (at + 1, ref) if close else None
        if name == "sole":
            # "only the first 17 bars"; "only in the chorus" says where
            ref = item.value
            sole = isinstance(ref, PlaceRef) and ref.narrowed and ref.relation in ("in", "onward")
            return (at + 1, ref) if sole and not self._led(item) else None
        if name == "down_to":
            ref = item.value
            return (at + 1, ref) if isinstance(ref, PlaceRef) and ref.into and ref.relation == "in" else None
        if name == "edge":
            ref = item.value
            near = isinstance(ref, PlaceRef) and (ref.relation == "before" or _lasts(ref, point=True))
            return (at + 1, ref) if near else None
        if name == "gap":
            ref = item.value
            two = isinstance(ref, PlaceRef) and len(ref.places) == 2 and item.text.split()[0] in self._between
            return (at + 1, ref) if two else None
        return None


def _lasts(ref: PlaceRef, *, point: bool) -> bool:
    """Whether something is said to last from a place on: from the chorus, after bar 8; as a point also on bar 9."""
    one_bar = all(isinstance(place, Bars) and place.first == place.last for place in ref.places)
    return ref.relation in ("since", "after", "onward") or (
        point and ref.relation == "in" and one_bar and not ref.bare and not ref.counted
    )


_MOST = 60
_LONGEST = 5


def _running_at(
    items: Sequence[Item], at: int, lexicon: Lexicon, *, in_turn: bool
) -> tuple[int, tuple[Named, ...]] | None:
    """(end, sections) of a row of sections at an item ("verse, chorus and then the verse again"); None for none.

    With `in_turn` a word must say that one follows the other.
    """
    words = lexicon.words.performing
    between = phrase_set(words.following)
    found: list[Named] = []
    here, end, joined = at, at, at
    while here < min(len(items), at + _MOST):
        sections = _sections(items, here, lexicon)
        if sections is not None:
            end, more = sections
            joined = here if found else joined
            found += more
            here = end
            continue
        step = _step(items, here, between)
        if not step or (not found and items[here].kind != "word"):
            break
        here += step
    said = f" {' '.join(item.text for item in items[at:joined])} "
    if in_turn and not any(f" {phrase} " in said for phrase in words.sequels):
        return None
    return (end, tuple(found)) if found else None


def _sections(items: Sequence[Item], at: int, lexicon: Lexicon) -> tuple[int, list[Named]] | None:
    item = items[at]
    if isinstance(item.value, PlaceRef):
        named = [place for place in item.value.places if isinstance(place, Named)]
        plain = item.value.relation in ("in", "since") and len(named) == len(item.value.places)
        return (at + 1, named) if plain and (item.value.bare or item.value.into) else None
    if item.kind != "word":
        return None
    words = []
    for one in items[at : at + _LONGEST]:
        if one.kind != "word":
            break
        words.append(one.text)
    section = lexicon.sense(words, 0, "section")
    return (at + section[0], [Named(section[1])]) if section is not None else None


def _step(items: Sequence[Item], at: int, between: PhraseSet) -> int:
    """How many items part two sections here; 0 where none does."""
    item = items[at]
    if item.kind == "comma":
        return 1
    if item.kind == "break":
        words = item.text.split()
        return int(bool(words) and between.length(words) == len(words))
    if item.kind != "word":
        return 0
    return between.length([one.text for one in items[at : at + 4] if one.kind == "word"])
