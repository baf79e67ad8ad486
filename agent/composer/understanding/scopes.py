"""Scopes: the places that belong to an operation, as bars and sections of the song."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from agent.composer.understanding.items import PlaceRef
from agent.composer.understanding.tasks import Bars, Edge, Named, Place, Scope
from agent.song.song import Section, Song

_EDGE = 4
"""Bars that the end of a section has at most, where nobody says how many."""


def scope_of(refs: Sequence[PlaceRef], song: Song, *, new: bool) -> tuple[Scope, bool]:
    """The scope of an operation, and whether the place behind it is meant ("after").

    For a `new` section "before" and "after" name its neighbour, for anything else the stretch up to or from there.
    Stretches that overlap other places are intersected with them: "in the verse, from bar 5 on".
    """
    places: list[Place] = []
    excluded: list[Place] = []
    stretches: list[Bars] = []
    after = False
    for ref in refs:
        if ref.relation == "except":
            excluded += ref.places
        elif ref.relation == "in" or new or (ref.relation == "since" and not _single(ref)):
            places += ref.places
            after = after or ref.relation in ("after", "onward")
        else:
            for place in ref.places:
                stretch = _stretch(place, ref, song)
                if isinstance(stretch, Bars):
                    stretches.append(stretch)
                else:
                    places.append(stretch)
    exact = [place for place in places if isinstance(place, Bars)]
    # "Rise, bb. 17-24" says twice where
    places = [p for p in places if not (isinstance(p, Named) and any(inside(bars, p, song) for bars in exact))]
    for stretch in stretches:
        places = _limited(places, stretch, song)
    if new and after and all(isinstance(place, Bars) for place in places):
        # behind a bar is before the next one: no need to say it twice
        places, after = [Bars(p.last + 1, p.last + 1) for p in places if isinstance(p, Bars)], False
    return Scope(tuple(dict.fromkeys(places)), tuple(dict.fromkeys(excluded))), after


def _limited(places: Sequence[Place], stretch: Bars, song: Song) -> list[Place]:
    """What the places share with a stretch; both where they share nothing."""
    shared: list[Place] = []
    for place in (one for many in places for one in _numbers(many, song)):
        bars = bars_of(place, song)
        if bars is not None and bars.first <= stretch.last and stretch.first <= bars.last:
            whole = stretch.first <= bars.first and bars.last <= stretch.last
            shared.append(place if whole else Bars(max(bars.first, stretch.first), min(bars.last, stretch.last)))
    return shared or [*places, stretch]


def from_to(first: Place, last: Place, song: Song, *, without_last: bool) -> Bars | None:
    """The bars from one place to another, with `without_last` only up to it; None if the song lacks them in that
    order."""
    begin = bars_of(_numbers(first, song)[0], song) if _numbers(first, song) else None
    ends = [bars for number in _numbers(last, song) if (bars := bars_of(number, song)) is not None]
    close = next((bars for bars in ends if begin is not None and bars.first > begin.first), None)
    close = close or next((bars for bars in ends if begin is not None and bars.last >= begin.first), None)
    if begin is None or close is None:
        return None
    end = close.first - 1 if without_last else close.last
    return Bars(begin.first, end) if end >= begin.first else None


def between(first: Place, second: Place, song: Song) -> Bars | None:
    """The bars between two places (bar numbers are included themselves); None if they touch or are not found."""
    low, high = (bars_of(place, song) for place in (first, second))
    if low is None or high is None:
        return None
    if isinstance(first, Bars) and isinstance(second, Bars):
        return Bars(low.first, high.last) if high.last > low.last + 1 else None
    return Bars(low.last + 1, high.first - 1) if low.last + 1 < high.first else None


def inside(bars: Place, section: Named, song: Song) -> bool:
    """Whether bars lie in one of the sections of a name."""
    spans = [span for number in _numbers(section, song) if (span := bars_of(number, song)) is not None]
    return isinstance(bars, Bars) and any(span.first <= bars.first and bars.last <= span.last for span in spans)


def just_behind(place: Place, song: Song) -> Place:
    """The bar right behind a place; the place itself if it is not found."""
    bars = bars_of(place, song)
    return Bars(bars.last + 1, bars.last + 1) if bars is not None else place


def only_there(ref: PlaceRef, song: Song) -> PlaceRef:
    """The place `ref` turned into an exception, for a part that is to play only there and so is removed elsewhere;
    "from bar 9" is extended to the end."""
    lasting = ref.relation not in ("in", "since") or (ref.relation == "since" and _single(ref))
    places = tuple(_stretch(place, ref, song) for place in ref.places) if lasting else ref.places
    return replace(ref, places=places, relation="except")


def all_but(places: Sequence[Place], song: Song) -> tuple[Bars, ...]:
    """The bars of the song outside of these places; empty if one of them is not found."""
    numbers = [one for place in places for one in _numbers(place, song)]
    spans = [bars_of(place, song) for place in numbers]
    inner = {bar for span in spans if span is not None for bar in range(span.first, span.last + 1)}
    if not spans or None in spans:
        return ()
    outer = [bar for bar in range(1, song.bars + 1) if bar not in inner]
    edges = [at for at in range(len(outer)) if not at or outer[at] != outer[at - 1] + 1]
    return tuple(
        Bars(outer[first], outer[last - 1]) for first, last in zip(edges, [*edges[1:], len(outer)], strict=True)
    )


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
            last = max(1, bars.first - 1)
            return Bars(1, min(last, song.bars) if song.bars else last)
        case "after":
            return Bars(bars.last + 1, max(whole, bars.last + 1))
        case _:
            return Bars(bars.first, max(whole, bars.last))


def bars_of(place: Place, song: Song) -> Bars | None:
    """The bars of a place (the last of several sections); None if the song has no such section."""
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
    """The first or last bars of the sections that a place names; empty if the song has no such section.

    `kind` is first, last, start, end, first_half or second_half; with `bars` None an edge is a quarter of the section.
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
