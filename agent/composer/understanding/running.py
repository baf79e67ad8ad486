"""Running orders: sections named one after the other, as "verse, chorus and then the verse again"."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.phrase_sets import PhraseSet, phrase_set
from agent.composer.understanding.items import Item, PlaceRef
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.tasks import Named

_MOST = 60
_LONGEST = 5


def running_at(
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
