"""Scopes on a song: which ticks "the second verse" or "bars 9-16" are."""

from __future__ import annotations

from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Span
from agent.composer.understanding.tasks import Bars, Edge, Named, Place, Scope
from agent.song.song import Section, Song


def spans_of(scope: Scope, song: Song) -> tuple[Span, ...]:
    """The spans of a scope, sorted and apart; `Blocked` where the song has no such section or bars."""
    end = int(song.bar_map.start_of(song.bars + 1))
    chosen = _joined([span for place in scope.places for span in _spans(place, song)]) if scope.places else ((0, end),)
    for place in scope.excluded:
        for low, high in _spans(place, song):
            chosen = _without(chosen, low, high)
    if not chosen:
        raise Blocked("nothing is left of that part of the song")
    return chosen


def _spans(place: Place, song: Song) -> list[Span]:
    match place:
        case Bars():
            if place.first > song.bars:
                raise Blocked(f"the song has {song.bars} bars")
            start, end = song.bar_map.span(place.first, min(max(place.last, place.first), song.bars))
            return [(int(start), int(end))]
        case Edge():
            first = 1 if place.at == "start" else max(1, song.bars - place.bars + 1)
            start, end = song.bar_map.span(first, min(song.bars, first + place.bars - 1))
            return [(int(start), int(end))]
        case Named():
            return [(int(section.start), int(section.end)) for section in _sections(place, song)]


def _sections(place: Named, song: Song) -> list[Section]:
    """Sections of that name; "verse 2" is also the second of those called verse."""
    word = place.name.casefold()
    alike = [section for section in song.sections if word in section.name.casefold()]
    if not alike:
        names = ", ".join(dict.fromkeys(section.name for section in song.sections))
        raise Blocked(f"the song has no {place.name}" + (f"; its sections are {names}" if names else ""))
    if place.number > len(alike):
        raise Blocked(f"the song has only {len(alike)} × {place.name}")
    if place.number == 0:
        return alike
    return [alike[place.number - 1 if place.number > 0 else -1]]


def _joined(spans: list[Span]) -> tuple[Span, ...]:
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)


def _without(spans: tuple[Span, ...], low: int, high: int) -> tuple[Span, ...]:
    left: list[Span] = []
    for start, end in spans:
        if start < low:
            left.append((start, min(end, low)))
        if end > high:
            left.append((max(start, high), end))
    return tuple(span for span in left if span[0] < span[1])
