"""Placing: parts that are named with a place and without a verb, such as "a choir in the chorus"."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from agent.composer.operation_words import OperationWords
from agent.composer.understanding.items import Item, PlaceRef
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.matching import Filling, FormFit
from agent.composer.understanding.scopes import only_there
from agent.composer.understanding.slots import SlotReader
from agent.composer.understanding.wishes import Wish

_ADDED = OperationWords(operation="add", forms=("{part}",))
_REMOVED = OperationWords(operation="remove", forms=("{part}",))


def place_parts(
    items: list[Item], finds: dict[int, FormFit[OperationWords]], slots: SlotReader, lexicon: Lexicon
) -> dict[int, FormFit[OperationWords]]:
    """The matched patterns (by the item where they begin), with parts named with a place but without a verb ("a choir
    in the chorus"): they are added there, or, with "only", rest everywhere else. `slots` reads the parts.

    A pattern of weight 0 is an order of its own that takes no place from its neighbours.
    """
    found = dict(finds)
    taken = {at for first, one in finds.items() for at in range(first, one.end)}
    for at, one in finds.items():
        wishes = _wishes(one.value("part")) if one.payload.operation in ("add", "keep") else ()
        if wishes and all(lexicon.has(wish) for wish in wishes) and _only(items, one.end):
            found[at] = _resting(items, one.end, wishes, lexicon)
    articles = frozenset(lexicon.words.places.articles)
    at = 0
    while at < len(items):
        read = slots.read("part", items, at, opening=True) if items[at].kind == "word" and at not in taken else None
        wishes = _wishes(read[1]) if read is not None else ()
        end = read[0] if read is not None else at + 1
        place = _place(items, end)
        if wishes and place is not None and not taken & set(range(at, end + 1)):
            definite = at > 0 and items[at - 1].text in articles
            if place.narrowed:
                found[at] = _resting(items, end, wishes, lexicon)
            elif not definite:
                found[at] = FormFit(end + 1, _ADDED, (Filling("part", wishes, at, end),), 0)
        at = end
    return dict(sorted(found.items()))


def _wishes(parts: object) -> tuple[Wish, ...]:
    return tuple(part for part in parts if isinstance(part, Wish)) if isinstance(parts, tuple) else ()


def _place(items: Sequence[Item], at: int) -> PlaceRef | None:
    """The place that follows, where it says in what; before or after what only where it is "only" there."""
    value = items[at].value if at < len(items) else None
    if not isinstance(value, PlaceRef) or value.bare or value.relation == "except":
        return None
    return value if value.relation in ("in", "since") or value.narrowed else None


def _only(items: Sequence[Item], at: int) -> bool:
    place = _place(items, at)
    return place is not None and place.narrowed


def _resting(items: list[Item], at: int, wishes: tuple[Wish, ...], lexicon: Lexicon) -> FormFit[OperationWords]:
    """That the parts rest outside of the place at an item."""
    place = _place(items, at)
    assert place is not None
    items[at] = replace(items[at], value=only_there(place, lexicon.song))
    return FormFit(at + 1, _REMOVED, (Filling("part", wishes, at, at),), 0)
