"""Scopes: the places that belong to a deed, as bars and sections of the song."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.understanding.items import PlaceRef
from agent.composer.understanding.tasks import Bars, Edge, Named, Place, Scope
from agent.song.song import Section, Song


def scope_of(refs: Sequence[PlaceRef], song: Song, *, new: bool) -> tuple[Scope, bool]:
    """The scope of a deed, and whether it means behind it.

    For `new` sections "before" and "after" name the neighbour; for all else the stretch up to it or from it on.
    """
    places: list[Place] = []
    excluded: list[Place] = []
    after = False
    for ref in refs:
        if ref.relation == "except":
            excluded += ref.places
        elif ref.relation == "in" or new:
            places += ref.places
            after = after or ref.relation in ("after", "onward")
        else:
            places += [_stretch(place, ref, song) for place in ref.places]
    if new and after and all(isinstance(place, Bars) for place in places):
        # behind a bar is before the next one: no need to say it twice
        places, after = [Bars(p.last + 1, p.last + 1) for p in places if isinstance(p, Bars)], False
    return Scope(tuple(dict.fromkeys(places)), tuple(dict.fromkeys(excluded))), after


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


def _section_bars(section: Section, song: Song) -> Bars:
    first = song.bar_map.bar_at(section.start)
    return Bars(first, max(first, song.bar_map.bar_at(section.end - 1)))
