"""How the energy of the song moves: from section to section, where it jumps, where its climax is, what a place grows
by."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from math import log10

from msgspec.structs import replace

from agent.chat.answer import Answer, Fact, Link, TrackLink
from agent.chat.answering.wording import (
    bars_said,
    bars_timed,
    clock_at,
    counted,
    links_to,
    listed,
    places,
    places_heard,
    section_bars,
    spelled,
)  # fmt: skip
from agent.chat.context import Context
from agent.chat.messages import Question
from agent.song.song import Song
from agent.theory.excerpts import only
from agent.theory.pitch import pitch_name
from agent.theory.sounding import bar_begun
from agent.theory.stretches import MeasuredBars, stretches

_MOST = 12
_WINDOW = 4
"""Bars that are measured at once where there are no sections."""
_JUMP = 2.0
"""Decibels of energy by which a change is a jump."""
_CLEAR = 1.05
_LOUDER = 0.5
_HIGHER = 1.0
_SHORT = 2
"""A named place of no more bars is only a moment: the section around it is meant."""
_ABOUT = 1.0
"""Seconds by which a time that is read off a clock may be early."""
_ONE_MOMENT = re.compile(
    r"\b(seconds?|moment|instant|timestamp|time ?code|minute|point|spot|when|what time|exactly|how long till)\b")
"""Words that ask for a time on the clock."""
_KICKS_IN = re.compile(
    r"\b(?:it|this|song|track|music|everything)(?: \w{1,12})? (?:kicks? in|takes? off|gets? going|gets? started)\b")
"""Words that ask for the greatest rise."""
_FALLS = re.compile(
    r"\b(?:goes?|gets?|falls?|turns?|becomes?|suddenly|drops?|comes?|calms?)(?: \w{1,12})? "
    r"(?:quiet|quieter|soft|softer|calm|calmer|silent|still|down|away)\b")
"""Words that ask for the greatest fall."""
_SOURCE = "Counted from the notes, levels reckoned from faders, their automation and velocities."
_Place = tuple[str, int, int]


def growth(context: Context, question: Question) -> Answer:
    """An answer with the energy of every section, the greatest rise and drop and the climax, whose time comes first if
    the words ask for one moment (that of the rise if they ask when the song kicks in); for a named place what grows in
    it from its beginning to its end, for a moment what is there against what comes before. Of named parts only they are
    measured."""
    about = question.about
    if about.tracks:
        context = replace(context, song=only(context.song, frozenset(about.tracks)))
    song = context.song
    if not song.note_count:
        return Answer("Nothing grows yet: the song has no notes.", (Fact("notes", 0),))
    where = places_heard(about, song)
    if places(about, song) and not where:
        return Answer(f"The song ends before that, after bar {song.bars}.", (Fact("notes", 0),))
    if not where:
        plain = question.words.casefold()
        rises = kicks_in(plain)
        falls = not rises and bool(_FALLS.search(plain))
        at_once = not (rises or falls) and bool(_ONE_MOMENT.search(plain))
        return _whole(context, at_once=at_once, rises=rises, falls=falls)
    name, first, last = where[0]
    if about.moment is not None:
        first = min(song.bar_map.bar_at(song.tempo_map.ticks(about.moment + _ABOUT)), song.bars)
        return _moment(context, first)
    if about.bars is not None and last - first < _SHORT:
        return _moment(context, first)
    return _place(context, name.partition(" (")[0], first, last)


def _whole(context: Context, *, at_once: bool, rises: bool, falls: bool) -> Answer:
    song = context.song
    parts = sections_or_windows(song)
    found = stretches(song, context.palette, [(first, last) for _, first, last in parts])
    names = [name for name, _, _ in parts]
    if len(found) < 2:
        return _place(context, names[0], parts[0][1], parts[0][2])
    peak = max(range(len(found)), key=lambda at: energy(found[at]))
    bars = bars_said(found[peak].first, found[peak].last)
    begins = clock_at(song, found[peak].first)
    climax = f"The climax is {names[peak]} ({f'{bars}, ' if names[peak] != bars else ''}from {begins})"
    if at_once:
        where = f"{names[peak]} ({bars})" if names[peak] != bars else bars
        climax = f"At {begins}, the beginning of bar {found[peak].first}: there the climax, {where}, begins"
    shown = "; ".join(f"{name} {_figures(one)}" for name, one in zip(names[:_MOST], found[:_MOST], strict=True))
    more = f"; and {len(found) - _MOST} more" if len(found) > _MOST else ""
    jumps = [(energy(other) - energy(one), at + 1) for at, (one, other) in enumerate(pairwise(found))]
    rise, drop = max(jumps), min(jumps)
    told = [_jump(song, names, found, at, rises=change > 0) for change, at in (rise, drop) if abs(change) >= _JUMP]
    text = f"{climax}, by notes and level. In order, notes a bar, parts and level: {shown}{more}."
    facts = (
        Fact("climax", names[peak]), Fact("climax bar", found[peak].first, "bar"),
        *(Fact(f"notes a bar, {name}", round(one.density, 1)) for name, one in zip(names, found, strict=True)),
    )
    jumped = [(found[at].first, found[at].first) for _, at in (rise, drop)]
    links = links_to([(found[peak].first, found[peak].last), *jumped])
    if rises and rise[0] >= _JUMP:
        into = found[rise[1]].first
        text = f"At {clock_at(song, into)}, the beginning of bar {into}: there it rises most. {text}"
    if falls and drop[0] <= -_JUMP:
        low = found[drop[1]]
        after = f", until {names[drop[1] + 1]}" if drop[1] + 1 < len(names) else ", to the end"
        text = (
            f"At {clock_at(song, low.first)}, with {names[drop[1]]} (bar {low.first}): there it falls most, for "
            f"{counted(low.last - low.first + 1, 'bar')} or {_lasting(song, low)}{after}. {text}"
        )
    return Answer(" ".join([text, *told, _SOURCE]), facts, links)


def _lasting(song: Song, one: MeasuredBars) -> str:
    start, end = song.bar_map.span(one.first, one.last)
    return f"{song.tempo_map.seconds(end) - song.tempo_map.seconds(start):.0f} s"


def kicks_in(words: str) -> bool:
    """Whether words ask when the song as a whole "kicks in"."""
    return bool(_KICKS_IN.search(words.casefold()))


def energy(one: MeasuredBars) -> float:
    """The energy of bars in dB: their level, and as much for twice the notes as for 3 dB."""
    return one.level + 10 * log10(one.density + 1)


def sections_or_windows(song: Song) -> list[_Place]:
    """The sections, or where there are none stretches of four bars."""
    if song.sections:
        named = [(one.name, *section_bars(song, one)) for one in song.sections]
        return [(name, first, min(last, song.bars)) for name, first, last in named if first <= song.bars] or [
            ("the song", 1, song.bars)]
    size = max(_WINDOW, -(-song.bars // _MOST))
    stops = [(at, min(at + size - 1, song.bars)) for at in range(1, song.bars + 1, size)]
    return [(bars_said(*stop), *stop) for stop in stops]


def _figures(one: MeasuredBars) -> str:
    return f"{_few(one.density)}/{len(one.parts)}/{one.level:.0f} dB".replace("-", "−") if one.notes else "silent"


def _jump(song: Song, names: Sequence[str], found: Sequence[MeasuredBars], at: int, *, rises: bool) -> str:
    one, other = found[at - 1], found[at]
    at_time = f"bar {other.first}, {clock_at(song, other.first)}"
    change = "rise" if rises else "drop"
    return f"The greatest {change} is into {names[at]} ({at_time}): {_against(song, one, other)}."


def _against(song: Song, one: MeasuredBars, other: MeasuredBars) -> str:
    """What comes in and what stops between two stretches, and their notes a bar."""
    new = [song.track(track).name for track in other.parts if track not in one.parts]
    gone = [song.track(track).name for track in one.parts if track not in other.parts]
    said = [f"{listed(new)} {_verb(new, 'comes', 'come')} in"] if new else []
    said += [f"{listed(gone)} {_verb(gone, 'stops', 'stop')}"] if gone else []
    said.append(f"{_few(one.density)} → {_few(other.density)} notes a bar")
    if one.notes and other.notes:
        said.append(f"{other.level - one.level:+.1f} dB".replace("-", "−"))
    return listed(said)


def _moment(context: Context, bar: int) -> Answer:
    """What is different around a bar from what comes before."""
    song = context.song
    parts = sections_or_windows(song)
    if not song.sections:
        around = (max(1, bar - _WINDOW), min(bar + _WINDOW - 1, song.bars))
        parts = [("the bars before", around[0], bar - 1), (f"bar {bar} on", bar, around[1])]
        parts = [one for one in parts if one[1] <= one[2]]
    at = next((at for at, (_, first, last) in enumerate(parts) if first <= bar <= last), None)
    if at is None or at == 0:
        name, first, last = parts[at or 0]
        return _place(context, name, first, last)
    (before, *earlier), (name, *now) = parts[at - 1], parts[at]
    one, other = stretches(song, context.palette, [(earlier[0], earlier[1]), (now[0], now[1])])
    change = energy(other) - energy(one)
    how = "fuller and louder" if change >= _JUMP else "quieter and thinner" if change <= -_JUMP else "about as full"
    than = "as" if abs(change) < _JUMP else "than"
    start = f"bar {other.first}, {clock_at(song, other.first)}"
    where = f"Bar {bar} lies in {name}, which begins in {start}" if song.sections else f"From {start}"
    text = f"{where}: it is {how} {than} {before}. There {_against(song, one, other)}. {_SOURCE}"
    facts = (Fact("notes a bar before", round(one.density, 1)), Fact("notes a bar", round(other.density, 1)),
             Fact("level change", round(other.level - one.level, 1), "dB"))
    return Answer(text, facts, links_to([(one.first, one.last), (other.first, other.last)]))


def _place(context: Context, name: str, first: int, last: int) -> Answer:
    """What grows from the beginning of a place to its end."""
    song = context.song
    size = max(1, (last - first + 1) // 4)
    begin, end = (first, first + size - 1), (last - size + 1, last)
    if begin == end:
        begin = end = (first, last)
    one, other, whole = stretches(song, context.palette, [begin, end, (first, last)])
    if not whole.notes:
        return Answer(f"Nothing is played in {name}.", (Fact("notes", 0),), links_to([(first, last)]))
    grows, falls, stays = _compared(song, one, other)
    bars = f"from {bars_timed(song, *begin)} to {bars_timed(song, *end)}"
    title = f"{name[:1].upper()}{name[1:]}"
    said = [f"What rises in it: {'; '.join(grows)}"] if grows else ["Nothing rises in it"]
    said += [f"what falls: {'; '.join(falls)}"] if falls else []
    said += [f"what stays: {'; '.join(stays)}"] if stays else []
    verdict = "grows" if len(grows) > len(falls) else "falls back" if len(falls) > len(grows) else "keeps its energy"
    begun = {note.track: bar_begun(song, note) for note in reversed(whole.notes)}
    entries = [
        f"{track.name} in bar {begun[track.id]} ({clock_at(song, begun[track.id])})" for track in song.tracks
        if begun.get(track.id, first) > first
    ]
    entering = f" {'Enters' if len(entries) == 1 else 'Enter'} on the way: {listed(entries)}." if entries else ""
    text = f"{title} {verdict} {bars}. {'; '.join(said)}.{entering}{_since(context, whole)} {_SOURCE}"
    facts = (
        Fact("notes a bar at first", round(one.density, 1)), Fact("notes a bar at last", round(other.density, 1)),
        Fact("velocity at first", round(one.velocity)), Fact("velocity at last", round(other.velocity)),
        Fact("parts at first", len(one.parts)), Fact("parts at last", len(other.parts)),
    )
    links: tuple[Link, ...] = (
        *links_to([(first, last)]), *(TrackLink(track, song.track(track).name) for track in whole.parts[:4]))
    return Answer(text, facts, links)


def _since(context: Context, whole: MeasuredBars) -> str:
    """What is different from the section before the one that has these bars."""
    song = context.song
    parts = sections_or_windows(song) if song.sections else []
    at = next((at for at, (_, first, _) in enumerate(parts) if first == whole.first), 0)
    if at == 0:
        return ""
    name, first, last = parts[at - 1]
    before = stretches(song, context.palette, [(first, last)])[0]
    return f" Against {name} before it: {_against(song, before, whole)}."


def _compared(song: Song, one: MeasuredBars, other: MeasuredBars) -> tuple[list[str], list[str], list[str]]:
    """What rises, what falls and what stays between two stretches, each with its figures."""
    rises: list[str] = []
    falls: list[str] = []
    stays: list[str] = []

    def sort(change: float, least: float, text: str) -> None:
        (stays if abs(change) < least else rises if change > 0 else falls).append(text)

    a, b = one.density, other.density
    sort(b - a, (_CLEAR - 1) * max(a, b), f"notes a bar {_few(a)} → {_few(b)}")
    sort(len(other.parts) - len(one.parts), 1, f"parts {len(one.parts)} → {len(other.parts)}")
    if one.notes and other.notes:
        sort(other.velocity - one.velocity, 2, f"velocity {one.velocity:.0f} → {other.velocity:.0f}")
        sort(other.level - one.level, _LOUDER, f"level {other.level - one.level:+.1f} dB".replace("-", "−"))
    if one.top is not None and other.top is not None and one.middle is not None and other.middle is not None:
        tops = f"{spelled(pitch_name(one.top, song.key))} → {spelled(pitch_name(other.top, song.key))}"
        sort(other.middle - one.middle, _HIGHER, f"register (highest note {tops})")
    return rises, falls, stays


def _verb(names: Sequence[str], one: str, many: str) -> str:
    return one if len(names) == 1 else many


def _few(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{round(value, 1):g}"
