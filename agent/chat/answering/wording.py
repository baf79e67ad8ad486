"""How figures, places and lists read in an answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from agent.chat.answer import BarsLink
from agent.chat.messages import About
from agent.song.song import Section, Song
from agent.song.track import Track

_FLAT = re.compile(r"(?<=[A-G])b|b(?=\d)")


def spelled(name: str) -> str:
    """A note, key or chord name with the accidental signs ♭ and ♯: B♭, F♯m7."""
    return _FLAT.sub("♭", name).replace("#", "♯")


def listed(words: Iterable[str], join: str = "and") -> str:
    """The words as a list in a sentence, with `join` before the last: "a, b and c"; "" without any."""
    all_words = list(words)
    if len(all_words) < 2:
        return "".join(all_words)
    return f"{', '.join(all_words[:-1])} {join} {all_words[-1]}"


def first_line(request: str) -> str:
    """The first line of a plan's request, with ", and more" if remarks follow it."""
    head, _, more = request.partition("\n")
    return f"{head}, and more" if more else head


def counted(count: int, one: str, many: str = "") -> str:
    """The number `count` with its noun, singular `one` or plural `many` ("": `one` with an s): "1 bar", "4 bars"."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def bars_said(first: int, last: int) -> str:
    """Bars in words: "bar 5", "bars 5–8"."""
    return f"bar {first}" if first == last else f"bars {first}–{last}"


def clock_at(song: Song, bar: int) -> str:
    """When a bar begins: "0:22"."""
    return minutes(song.tempo_map.seconds(song.bar_map.start_of(bar)))


def bars_timed(song: Song, first: int, last: int) -> str:
    """Bars with their time on the clock: "bars 5–8 (0:10–0:20)"."""
    return f"{bars_said(first, last)} ({clock_at(song, first)}–{clock_at(song, last + 1)})"


def decibels(value: float) -> str:
    """A level such as "−2.5 dB" or "+1 dB", without a sign for 0."""
    rounded = round(value, 1)
    return f"{'−' if rounded < 0 else '+' if rounded > 0 else ''}{abs(rounded):g} dB"


def number(value: float) -> str:
    """A number rounded to two decimals, without trailing zeros: "84", "84.5"."""
    return f"{round(value, 2):g}"


def minutes(seconds: float) -> str:
    """A duration as m:ss: "1:32"."""
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02d}"


def called(song: Song, track: Track) -> str:
    """A track's name, with its number behind it where another track has the same."""
    if sum(one.name == track.name for one in song.tracks) < 2:
        return track.name
    return f"{track.name} (track {1 + next(at for at, one in enumerate(song.tracks) if one.id == track.id)})"


def section_bars(song: Song, section: Section) -> tuple[int, int]:
    """First and last bar of a section, both included."""
    bars = song.bar_map
    return bars.bar_at(section.start), bars.bar_at(section.end - 1)


def places(about: About, song: Song) -> tuple[tuple[str, int, int], ...]:
    """(name, first bar, last bar) of each place that the question names; empty if it names none."""
    if about.bars is not None:
        first, last = about.bars
        return ((bars_said(first, last), first, last),)
    found = (song.section(one) for one in about.sections)
    return tuple((f"{one.name} ({bars_said(*section_bars(song, one))})", *section_bars(song, one)) for one in found)


def places_heard(about: About, song: Song) -> tuple[tuple[str, int, int], ...]:
    """The named places as far as the song goes: without those that begin after its last bar."""
    return tuple((name, first, min(last, song.bars)) for name, first, last in places(about, song) if first <= song.bars)


def runs_of(bars: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Ascending numbers as (first, last) runs without gaps."""
    stretches: list[tuple[int, int]] = []
    for bar in bars:
        if stretches and bar == stretches[-1][1] + 1:
            stretches[-1] = (stretches[-1][0], bar)
        else:
            stretches.append((bar, bar))
    return tuple(stretches)


def links_to(stretches: Iterable[tuple[int, int]]) -> tuple[BarsLink, ...]:
    """A link to each (first, last) run of bars."""
    return tuple(BarsLink(first, last) for first, last in stretches)
