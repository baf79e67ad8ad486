"""How figures, places and lists read in an answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from agent.chat.answer import BarsLink
from agent.chat.messages import About
from agent.song.song import Section, Song

_FLAT = re.compile(r"(?<=[A-G])b|b(?=\d)")


def spelled(name: str) -> str:
    """A note, key or chord with the signs of music: B♭, F♯m7."""
    return _FLAT.sub("♭", name).replace("#", "♯")


def listed(words: Iterable[str], join: str = "and") -> str:
    """a, b and c."""
    all_words = list(words)
    if len(all_words) < 2:
        return "".join(all_words)
    return f"{', '.join(all_words[:-1])} {join} {all_words[-1]}"


def first_line(request: str) -> str:
    """What was asked for first: remarks on the plan of it stand in lines behind."""
    head, _, more = request.partition("\n")
    return f"{head}, and more" if more else head


def counted(count: int, one: str, many: str = "") -> str:
    """1 bar, 4 bars."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def bars_said(first: int, last: int) -> str:
    """bar 5, bars 5–8."""
    return f"bar {first}" if first == last else f"bars {first}–{last}"


def decibels(value: float) -> str:
    """−2.5 dB, with its sign where it is not 0."""
    rounded = round(value, 1)
    return f"{'−' if rounded < 0 else '+' if rounded > 0 else ''}{abs(rounded):g} dB"


def number(value: float) -> str:
    """84, 84.5."""
    return f"{round(value, 2):g}"


def minutes(seconds: float) -> str:
    """1:32."""
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02d}"


def section_bars(song: Song, section: Section) -> tuple[int, int]:
    """First and last bar of a section."""
    bars = song.bar_map
    return bars.bar_at(section.start), bars.bar_at(section.end - 1)


def places(about: About, song: Song) -> tuple[tuple[str, int, int], ...]:
    """What the question is limited to: a name, the first and the last bar of each place."""
    if about.bars is not None:
        first, last = about.bars
        return ((bars_said(first, last), first, last),)
    found = (song.section(one) for one in about.sections)
    return tuple((f"{one.name} ({bars_said(*section_bars(song, one))})", *section_bars(song, one)) for one in found)


def runs_of(bars: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Numbers in order as stretches without gaps."""
    stretches: list[tuple[int, int]] = []
    for bar in bars:
        if stretches and bar == stretches[-1][1] + 1:
            stretches[-1] = (stretches[-1][0], bar)
        else:
            stretches.append((bar, bar))
    return tuple(stretches)


def links_to(stretches: Iterable[tuple[int, int]]) -> tuple[BarsLink, ...]:
    """Links to stretches of bars."""
    return tuple(BarsLink(first, last) for first, last in stretches)
