"""Scopes on a song: which ticks "the second verse" or "bars 9-16" are."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.composer.changing.hearing.listening import sections_heard
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Span
from agent.composer.changing.time.form import base_name, weight
from agent.composer.understanding.tasks import Bars, Edge, Named, Place, Scope
from agent.message import msg
from agent.song.palette import Palette
from agent.song.song import Section, Song


def spans_of(scope: Scope, song: Song, palette: Palette, *, new: bool = False) -> tuple[Span, ...]:
    """The spans (ticks) of a scope, sorted and without overlaps. Raises `Blocked` where the song has no such section or
    bars.

    In a song without sections the detected ones are used. With `new` the bar right behind the song counts as a place
    too.
    """
    end = int(song.bar_map.start_of(song.bars + 1))
    places = [span for place in scope.places for span in _spans(place, song, palette, new)]
    chosen = _joined(places) if scope.places else ((0, end),)
    for place in scope.excluded:
        for low, high in _spans(place, song, palette, new):
            chosen = _without(chosen, low, high)
    if not chosen:
        raise Blocked(msg("nothing is left of that part of the song"))
    return chosen


def each_span(places: Sequence[Place], song: Song, palette: Palette) -> list[Span]:
    """The span of each place, sorted by time and not joined. Raises `Blocked` where the song has no such place."""
    return sorted({span for place in places for span in _spans(place, song, palette, new=False)})


def assumed(scope: Scope, song: Song, palette: Palette) -> tuple[str, ...]:
    """Short sentences for the answer that say which sections a word was taken for, where no section bears that name;
    empty if none."""
    sections = sections_heard(song, palette)
    said = []
    for place in (*scope.places, *scope.excluded):
        if isinstance(place, Named) and not _alike(place.name.casefold(), sections):
            names = ", ".join(repr(section.name) for section in _sections(place, song, palette))
            said.append(f"{place.name}: here that is {names}")
    return tuple(said)


def sections_of(place: Place, song: Song, palette: Palette) -> list[Section]:
    """The sections that a place names, or that lie within its bars; empty for none."""
    if isinstance(place, Named):
        return _sections(place, song, palette)
    spans = _spans(place, song, palette, new=False)
    return [s for s in song.sections for start, end in spans if start <= s.start and s.end <= end]


def _spans(place: Place, song: Song, palette: Palette, new: bool) -> list[Span]:
    match place:
        case Bars():
            if place.first > song.bars + new:
                few = msg("the song has only one bar") if song.bars == 1 else None
                raise Blocked(few or msg("the song has only {bars} bars", bars=song.bars))
            last = max(place.first, min(place.last, song.bars))
            start, end = song.bar_map.span(place.first, last)
            return [(int(start), int(end))]
        case Edge():
            first = 1 if place.at == "start" else max(1, song.bars - place.bars + 1)
            start, end = song.bar_map.span(first, min(song.bars, first + place.bars - 1))
            return [(int(start), int(end))]
        case Named():
            return [(int(section.start), int(section.end)) for section in _sections(place, song, palette)]


def _sections(place: Named, song: Song, palette: Palette) -> list[Section]:
    """Sections of that name: "verse 2" is the one called so, else the second of those called verse."""
    sections = sections_heard(song, palette)
    word = place.name.casefold()
    exact = [section for section in sections if section.name.casefold() == f"{word} {place.number}"]
    if place.number > 1 and len(exact) == 1:
        return exact
    alike = _alike(word, sections) or _meant_by(word, sections, song)
    if not alike:
        names = ", ".join(dict.fromkeys(section.name for section in sections))
        heard = "its sections are" if song.sections else "it sounds like"
        raise Blocked(f"the song has no {place.name}" + (f"; {heard} {names}" if names else ""))
    if place.number > len(alike):
        times = "once" if len(alike) == 1 else f"{len(alike)} times"
        raise Blocked(msg("the song has {place} only {times}", place=place.name, times=times))
    if place.number == 0:
        return alike
    return [alike[place.number - 1 if place.number > 0 else -1]]


def _alike(word: str, sections: Sequence[Section]) -> list[Section]:
    """Sections whose name holds the word, not as a part of another ("chorus" is no pre-chorus); else as a part."""
    whole = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
    found = [section for section in sections if whole.search(base_name(section.name))]
    found = found or [section for section in sections if section.name.casefold() == word]
    return found or [section for section in sections if len(word) > 1 and word in section.name.casefold()]


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


_FULL = 0.88
"""Share of the strongest section's weight from which another is as strong."""


def _meant_by(word: str, sections: Sequence[Section], song: Song) -> list[Section]:
    """The sections that a form word means by how they sound, where none bears that name; empty where none fits, and for
    fewer than three sections.

    "Intro" is the first, "outro" the last, "chorus" or "drop" the fullest, "break" or "bridge" the thinnest in between,
    "build" what leads to a chorus, "verse" the rest.
    """
    if len(sections) < 3:
        return []
    first, *inner, last = sorted(sections, key=lambda section: section.start)
    weights = {section.id: weight(song, section.start, section.end) for section in sections}
    strongest = max(weights.values())
    full = [section for section in (first, *inner, last) if weights[section.id] >= _FULL * strongest]
    rest = [section for section in inner if section not in full]
    barest = min(rest, key=lambda section: weights[section.id], default=None)
    match word.casefold():
        case "intro":
            return [first] if first not in full else []
        case "outro":
            return [last]
        case "quietest part":
            return [min(sections, key=lambda section: weights[section.id])]
        case "loudest part":
            return [max(sections, key=lambda section: weights[section.id])]
        case "middle part":
            return inner
        case "chorus" | "drop":
            return full
        case "break" | "breakdown" | "bridge":
            return [barest] if barest is not None else []
        case "build" | "pre-chorus":
            starts = {section.start for section in full}
            return [section for section in rest if section.end in starts]
        case "verse":
            return [section for section in rest if section is not barest or len(rest) == 1]
        case _:
            return []
