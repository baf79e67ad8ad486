"""Stages in their places: those of a form such as ABA, and those that begin together."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs
from msgspec.structs import replace

from agent.composer.understanding.course import CourseStage
from agent.composer.understanding.gathered import RequestFindings
from agent.composer.understanding.layout import Layout
from agent.composer.understanding.stage_reading import StageRead

_INSIDE = 2
"""Stages that lie within a first one."""
_BRIDGE = "bridge"
"""What B is called in AABA."""


def in_form(read: Sequence[StageRead], layout: Layout) -> list[StageRead]:
    """The stages described as A and B, in the order of the form's letters; a returning letter repeats its stage.

    Unchanged if the request names no form of letters, or does not describe all of them.
    """
    letters = [place.name for place in layout.places if len(place.name) == 1]
    if (bridged := _bridged(read, letters)) is not None:
        return bridged
    told = {one.stage.name: one for one in read if one.stretch.mark.kind == "label"}
    if len(letters) <= len(told) or set(letters) != told.keys() or len(told) != len(read):
        return list(read)
    result: list[StageRead] = []
    for number, letter in enumerate(letters):
        one = told[letter]
        if letter == letters[0] and number:
            one = replace(one, stage=structs.replace(one.stage, returns=True))
        result.append(one)
    return result


def _bridged(read: Sequence[StageRead], letters: Sequence[str]) -> list[StageRead] | None:
    """The stages of AABA of which only the bridge is told; None where it is another form, or more is told."""
    told = [one for one in read if one.stage.name.casefold() == _BRIDGE]
    heads = [one for one in read if one.stretch.head]
    if letters.count("B") != 1 or set(letters) != {"A", "B"} or len(told) != 1 or len(read) != 1 + len(heads):
        return None
    plain = replace(told[0], stage=CourseStage(), owned=frozenset(), own=frozenset(), said=RequestFindings())
    first = heads[0] if heads else plain
    result: list[StageRead] = []
    for number, letter in enumerate(letters):
        again = structs.replace(first.stage, name=letter, returns=number > 0)
        result.append(
            replace(told[0], stage=structs.replace(told[0].stage, name=letter)) if letter == "B"
            else replace(first if not number else plain, stage=again)
        )
    return result


def within_first(read: Sequence[StageRead]) -> list[StageRead]:
    """The stages without a first one that contains all others and so is the piece itself: "a break of 16 bars: the
    first 8 bars build, the drop at bar 9"."""
    if len(read) <= _INSIDE or read[0].stretch.head:
        return list(read)
    whole, opening, second = (one.stage for one in read[: _INSIDE + 1])
    inside = opening.bars and second.from_bar == opening.bars + 1 <= whole.bars
    return list(read[1:] if inside else read)


def lettered(layout: Layout) -> set[int]:
    """Indices of the tokens that name a form of letters (AABA) in the layout."""
    return {at for place in layout.places if len(place.name) == 1 for at in range(place.start, place.end)}


def merged(one: StageRead, other: StageRead) -> StageRead:
    """Two stages that begin together as one, with what both say; where both say something `other`, the second,
    counts."""
    stage, more = one.stage, other.stage
    said = {name: getattr(more, name) or getattr(stage, name) for name in stage.__struct_fields__}
    for name in ("enters", "leaves", "singers", "moods", "settings"):
        said[name] = tuple(dict.fromkeys((*getattr(stage, name), *getattr(more, name))))
    said["steps"] = more.steps if more.steps is not None else stage.steps
    if other.stage.alone and one.stretch.head:
        said["enters"] = ()
    own = one.own | other.own | set(range(other.stretch.begin, other.stretch.end))
    return replace(one, stage=structs.replace(stage, **said), owned=one.owned | other.owned, own=frozenset(own))


def awaited(read: list[StageRead]) -> list[StageRead]:
    """The stages, as read; players named before the first stage who only enter at a later time do not play in the first
    one."""
    if not read or not read[0].stretch.head:
        return read
    coming = [one.stage for one in read[1:] if one.stretch.mark.timed]
    bare = [stage for stage in coming if not structs.replace(stage, enters=()).says_something]
    late = {wish.label for stage in bare for wish in stage.enters}
    first = read[0].stage
    staying = tuple(wish for wish in first.enters if wish.label not in late)
    return [replace(read[0], stage=structs.replace(first, enters=staying)), *read[1:]] if staying else read
