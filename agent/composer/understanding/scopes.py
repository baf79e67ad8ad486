"""Scopes: the places that belong to an operation, as bars and sections of the song."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.composer.understanding.items import PlaceRef
from agent.composer.understanding.tasks import Bars, Edge, Named, Place, Scope
from agent.song.song import Section, Song

_EDGE = 4
"""Bars that the end of a section has at most, where nobody says how many."""


def scope_of(refs: Sequence[PlaceRef], song: Song, *, new: bool) -> tuple[Scope, bool]:
    """The scope of an operation, and whether it means behind it.

    For `new` sections "before" and "after" name the neighbour; for all else the stretch up to it or from it on.
    """
    places: list[Place] = []
    excluded: list[Place] = []
    after = False
    for ref in refs:
        if ref.relation == "except":
            excluded += ref.places
        elif ref.relation == "in" or new or (ref.relation == "since" and not _single(ref)):
            places += ref.places
            after = after or ref.relation in ("after", "onward")
        else:
            places += [_stretch(place, ref, song) for place in ref.places]
    if new and after and all(isinstance(place, Bars) for place in places):
        # behind a bar is before the next one: no need to say it twice
        places, after = [Bars(p.last + 1, p.last + 1) for p in places if isinstance(p, Bars)], False
    return Scope(tuple(dict.fromkeys(places)), tuple(dict.fromkeys(excluded))), after


def only_there(ref: PlaceRef, song: Song) -> PlaceRef:
    """The place as what is left out of, where a part is to play there alone: from bar 9 on is all that follows."""
    lasting = ref.relation not in ("in", "since") or (ref.relation == "since" and _single(ref))
    places = tuple(_stretch(place, ref, song) for place in ref.places) if lasting else ref.places
    return replace(ref, places=places, relation="except")


def _single(ref: PlaceRef) -> bool:
    """Whether it is one bar, from which on something lasts, and no stretch or section, in which it does."""
    return all(isinstance(place, Bars) and place.first == place.last for place in ref.places)


def _stretch(place: Place, ref: PlaceRef, song: Song) -> Place:
    """The bars before, after or from a place on; a place that cannot be found stays itself."""
    bars = bars_of(place, song)
    if bars is None:
        return place
    whole = max(song.bars, 1)
    match ref.relation:
        case "before":
            return Bars(1, max(1, bars.first - 1))
        case "after":
            return Bars(bars.last + 1, max(whole, bars.last + 1))
        case _:
            return Bars(bars.first, max(whole, bars.last))


def bars_of(place: Place, song: Song) -> Bars | None:
    """The bars of a place (of several sections the last); None where the song has no such section."""
    whole = max(song.bars, 1)
    match place:
        case Bars():
            return place
        case Edge("start", bars):
            return Bars(1, bars)
        case Edge("end", bars):
            return Bars(max(1, whole - bars + 1), whole)
        case Named(name, number):
            found = [section for section in song.sections if name.casefold() in section.name.casefold()]
            index = number - 1 if number > 0 else number
            if not found or not -len(found) <= index < len(found):
                return None
            return _section_bars(found[index], song)
    return None


def edges_of(place: Place, kind: str, bars: int | None, song: Song) -> list[Place]:
    """The first or last bars of the sections that a place names; none where the song has no such section.

    `kind` is first, last, start, end, first_half or second_half; without `bars` an edge is a quarter of the section.
    """
    found: list[Place] = []
    for number in _numbers(place, song):
        whole = bars_of(number, song)
        if whole is None:
            continue
        length = whole.last - whole.first + 1
        half = max(1, length // 2)
        wanted = half if kind.endswith("half") else min(length, bars or max(1, min(_EDGE, length // 4)))
        if kind == "second_half":
            wanted = length - half or 1
        early = kind in ("first", "start", "first_half")
        first = whole.first if early else whole.last - wanted + 1
        found.append(Bars(first, first + wanted - 1))
    return found


def _numbers(place: Place, song: Song) -> list[Place]:
    """The sections that a name means, one by one."""
    if not isinstance(place, Named) or place.number:
        return [place]
    count = sum(place.name.casefold() in section.name.casefold() for section in song.sections)
    return [Named(place.name, number + 1) for number in range(count)]


def _section_bars(section: Section, song: Song) -> Bars:
    first = song.bar_map.bar_at(section.start)
    return Bars(first, max(first, song.bar_map.bar_at(section.end - 1)))
