"""The chord lane: the chords that a song states, where it states none those that are heard, and what a plan makes
of them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from agent.song.chart import ChordSymbol
from agent.song.chord_symbols import NO_CHORD
from agent.song.song import Song
from agent.song.time import Ticks
from agent.theory.chords import chord_symbol
from agent.theory.harmony import HeardChord
from app.i18n import tr
from app.viewmodels.plan.ghosts import Cause, Kind
from app.viewmodels.texts.places import bars_in_words, place_in_words

UNSURE = 0.6
"""Share of the sounding notes below which a detected chord counts as a guess."""
_FLAT = re.compile(r"(?<=[A-Ha-h])b|b(?=[0-9])")
_ROOT = re.compile(r"[A-H][#b]?")


class LaneChord(Struct, frozen=True):
    """A span of the chord lane in ticks. `symbol` is empty if no chord is known; `certainty`, 0-1, is that of a
    detected chord and None for one that the song states."""

    start: int
    end: int
    symbol: str = ""
    certainty: float | None = None

    @property
    def stated(self) -> bool:
        """Whether the song states the chord."""
        return bool(self.symbol) and self.certainty is None

    @property
    def heard(self) -> bool:
        """Whether the chord is only detected in the notes."""
        return self.certainty is not None


class ChordGhost(Struct, frozen=True):
    """A span whose chord would differ after the plan. `was` is the chord now, `symbol` the one then; each may be empty.
    `cause` is the row that states it, None if it follows from changed notes."""

    start: int
    end: int
    symbol: str
    was: str
    cause: Cause | None = None

    @property
    def kind(self) -> Kind:
        """Whether the chord is added, changed or removed."""
        return "removed" if not self.symbol else "changed" if self.was else "added"


def spans_of(song: Song, heard: Sequence[HeardChord], until: int = 0) -> tuple[LaneChord, ...]:
    """The chord lane from the song's start to its last bar, or to tick `until`, without gaps; `heard` are chords
    detected in the notes. A detected chord over several bars is one span; where none is known each bar is one."""
    known = [LaneChord(one.start, one.end, one.symbol) for one in song.chords]
    end = max(until, song.bar_map.start_of(song.bars + 1), known[-1].end if known else 0)
    spans: list[LaneChord] = []
    told = _merged(song, heard)
    at = place = 0
    for one in (*known, LaneChord(end, end)):
        while place < len(told) and told[place].end <= at:
            place += 1
        spans += _between(song, told[place:bisect_right(told, one.start, key=lambda span: span.start)], at, one.start)
        spans += [one] * (one.end > one.start)
        at = one.end
    return tuple(spans)


def at_tick(spans: Sequence[LaneChord], at: float) -> LaneChord | None:
    """The span that contains a tick; None for none."""
    place = bisect_right(spans, at, key=lambda span: span.start) - 1
    return spans[place] if place >= 0 and at < spans[place].end else None


def within(spans: Sequence[LaneChord], start: float, end: float) -> Sequence[LaneChord]:
    """The spans that overlap the ticks from `start` to `end`."""
    first = max(0, bisect_right(spans, start, key=lambda span: span.start) - 1)
    return spans[first:bisect_right(spans, end, key=lambda span: span.start)]


def ghosts_between(
    now: Sequence[LaneChord], then: Sequence[LaneChord], causes: Mapping[ChordSymbol, Cause]
) -> tuple[ChordGhost, ...]:
    """Where the chords of two lanes differ, the present one (`now`) and that after the plan (`then`), from left to
    right; `causes` are the rows that state chords."""
    found: list[ChordGhost] = []
    for start, end, old, new in _together(now, then):
        was, symbol = ("" if old is None else old.symbol), ("" if new is None else new.symbol)
        if was == symbol:
            continue
        cause = None
        if new is not None and new.stated:
            cause = causes.get(ChordSymbol(Ticks(new.start), Ticks(new.end - new.start), new.symbol))
        elif old is not None and old.stated:
            cause = causes.get(ChordSymbol(Ticks(old.start), Ticks(old.end - old.start), old.symbol))
        last = found[-1] if found else None
        whole = new if symbol else old
        if last is not None and (last.end, last.symbol, last.cause) == (start, symbol, cause) and (
            whole is not None and whole.start <= last.start
        ):
            found[-1] = replace(last, end=end, was=last.was if last.was.endswith(was) else f"{last.was} {was}".strip())
        else:
            found.append(ChordGhost(start, end, symbol, was, cause))
    return tuple(found)


def shown_symbol(symbol: str) -> str:
    """A symbol with musical signs: B♭m7, F♯, G7(♭9)."""
    return _FLAT.sub("♭", symbol).replace("#", "♯")


def shorter_symbols(symbol: str) -> Iterator[str]:
    """A chord symbol in ever shorter forms: whole, without bass, as a triad, as its root."""
    yield shown_symbol(symbol)
    if symbol == NO_CHORD:
        yield "–"
    root = _ROOT.match(symbol)
    if root is not None:
        rest = symbol[root.end():]
        yield shown_symbol(symbol.partition("/")[0])
        minor = rest.startswith("m") and not rest.startswith(("maj", "mM"))
        yield shown_symbol(root[0]) + "m" * minor
        yield shown_symbol(root[0])


def span_in_words(song: Song, span: LaneChord) -> str:
    """A span for screen readers: "Am7, bars 5 to 6, heard in the notes, 92% sure"."""
    parts = [shown_symbol(span.symbol) or tr("No chord"), where_in_words(song, span.start, span.end)]
    if span.certainty is not None:
        parts += [tr("heard in the notes"), tr("{share}% sure", share=round(100 * span.certainty))]
    return tr(", ").join(parts)


def ghost_in_words(song: Song, ghost: ChordGhost) -> str:
    """A proposed chord for screen readers: "Proposed: Dm9, bar 5, original: Dm"."""
    parts = [
        tr("Proposed: {symbol}", symbol=shown_symbol(ghost.symbol) or tr("no chord")),
        where_in_words(song, ghost.start, ghost.end),
        tr("original: {symbol}", symbol=shown_symbol(ghost.was) or tr("no chord")),
    ]
    return tr(", ").join(parts)


def where_in_words(song: Song, start: int, end: int) -> str:
    """A range of ticks by its bars, and by the beat that it begins on if that is not the first of its bar."""
    bars = song.bar_map
    where = bars_in_words(bars, start, end)
    if bars.start_of(bars.bar_at(start)) == start:
        return where
    return tr("{bars} from {place}", bars=where, place=place_in_words(bars, start))


def _merged(song: Song, heard: Sequence[HeardChord]) -> list[LaneChord]:
    """Heard chords with their symbols, neighbours that are the same as one, as sure as both are together."""
    made: list[LaneChord] = []
    for one in heard:
        symbol = chord_symbol(one.chord, song.key)
        last = made[-1] if made else None
        if last is None or last.end != one.start or last.symbol != symbol:
            made.append(LaneChord(one.start, one.end, symbol, one.certainty))
            continue
        before, own = last.end - last.start, one.end - one.start
        sure = ((last.certainty or 0.0) * before + one.certainty * own) / (before + own)
        made[-1] = LaneChord(last.start, one.end, symbol, sure)
    return made


def _between(song: Song, heard: Sequence[LaneChord], start: int, end: int) -> Iterator[LaneChord]:
    """The lane from one stated chord to the next."""
    at = start
    for one in heard:
        first, last = max(at, one.start), min(one.end, end)
        if first < last:
            yield from _bars(song, at, first)
            yield replace(one, start=first, end=last)
            at = last
    yield from _bars(song, at, end)


def _bars(song: Song, start: int, end: int) -> Iterator[LaneChord]:
    """A stretch without chords, bar by bar."""
    bars = song.bar_map
    at = start
    while at < end:
        following = min(end, bars.start_of(bars.bar_at(at) + 1))
        yield LaneChord(at, following)
        at = following


def _together(
    now: Sequence[LaneChord], then: Sequence[LaneChord]
) -> Iterator[tuple[int, int, LaneChord | None, LaneChord | None]]:
    """Both lanes cut at the edges of each."""
    edges = sorted({edge for spans in (now, then) for span in spans for edge in (span.start, span.end)})
    old = new = 0
    for start, end in pairwise(edges):
        while old < len(now) and now[old].end <= start:
            old += 1
        while new < len(then) and then[new].end <= start:
            new += 1
        before = now[old] if old < len(now) and now[old].start <= start else None
        after = then[new] if new < len(then) and then[new].start <= start else None
        yield start, end, before, after
