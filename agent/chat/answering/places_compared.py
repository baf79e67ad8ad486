"""Which places a question compares."""

from __future__ import annotations

import re

from agent.chat.answering.wording import bars_said, places
from agent.chat.messages import About, Question
from agent.song.ids import SectionId
from agent.song.song import Song

Place = tuple[str, int, int]
"""A name, and the first and last bar."""
_MOST = 10
_BARS = re.compile(
    r"\bbars? (\d{1,6})(?: ?(?:-|–|to|until) ?(\d{1,6}))?|(?<![\d:.,])(\d{1,6}) ?(?:-|–|to|until) ?(\d{1,6})(?![\d:])")
"""Bars, or a range of numbers without the word."""


def compared_places(question: Question, song: Song) -> tuple[Place, ...]:
    """The places to compare, in order of time and within the song, at most ten: all that are named, with the bars that
    only the words name. A single one stands beside those of the same name but for its number, else beside what lies
    before it (after it, if it is the first); without any, all sections are compared."""
    about = question.about
    named = [*places(About(sections=about.sections), song), *places(About(bars=about.bars), song)]
    ranges = bars_in_words(question.words)
    if named or len(ranges) > 1:
        for bars in ranges:
            named += [place for place in places(About(bars=bars), song) if place not in named]
    else:
        named = list(places(About(sections=tuple(one.id for one in song.sections)), song))
    inside = _inside(named, song)
    if len(inside) == 1:
        inside = _inside([*inside, *_beside(about, inside[0], song)], song)
    return inside[:_MOST]


def bars_in_words(words: str) -> tuple[tuple[int, int], ...]:
    """The bars that words name, first and last, in order and each once: "is 5 to 8 the same as bar 13?"."""
    found = (
        (int(one[1]), int(one[2] or one[1])) if one[1] else (int(one[3]), int(one[4]))
        for one in _BARS.finditer(words.casefold())
    )
    return tuple(dict.fromkeys(bars for bars in found if 1 <= bars[0] <= bars[1]))


def _inside(named: list[Place], song: Song) -> tuple[Place, ...]:
    heard = {
        (first, min(last, song.bars)): name for name, first, last in named if 1 <= first <= min(last, song.bars)
    }
    return tuple((name, first, last) for (first, last), name in sorted(heard.items()))


def _beside(about: About, place: Place, song: Song) -> list[Place]:
    """What a place stands beside that is named alone."""
    _, first, last = place
    if len(about.sections) == 1 and about.bars is None:
        own = song.section(about.sections[0])
        alike = [one.id for one in song.sections if _base(one.name) == _base(own.name) and one.id != own.id]
        return list(places(About(sections=tuple(alike or _neighbour(song, own.id))), song))
    size = last - first + 1
    start, end = (first - size, first - 1) if first > size else (last + 1, last + size)
    return [(bars_said(start, end), start, end)]


def _neighbour(song: Song, section: SectionId) -> tuple[SectionId, ...]:
    """The section before, or after the first one."""
    order = [one.id for one in sorted(song.sections, key=lambda one: one.start)]
    at = order.index(section)
    return tuple(order[at - 1 : at] or order[at + 1 : at + 2])


def _base(name: str) -> str:
    return name.casefold().rstrip("0123456789").rstrip()
