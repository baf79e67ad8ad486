"""A lead sheet as values: bars with what is written in them, in ticks from the bar's start."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from agent.song.chart import ChordSymbol
from agent.song.song import Song
from agent.song.time import MeterChange

Tie = Literal["", "i", "m", "t"]
"""Whether a note is tied to the next one, to both sides, or to the one before."""


class Written(Struct, frozen=True):
    """A note, or a rest if `pitch` is None, from tick `at` of its bar on. `length` is how long it lasts, `written` its
    note value, both in ticks; they differ only in a triplet."""

    at: int
    length: int
    written: int
    pitch: int | None = None
    tie: Tie = ""
    triplet: bool = False


class SheetBar(Struct, frozen=True):
    """A bar of the song; `start` and `length` are in ticks. `chords` begin in it, each with its tick in the bar;
    `section` begins with it; `notes` are empty where the tune rests, and where there is none. `opens_line`: it begins a
    new line on the page."""

    number: int
    start: int
    length: int
    meter: MeterChange
    chords: tuple[tuple[int, str], ...] = ()
    section: str = ""
    notes: tuple[Written, ...] = ()
    opens_line: bool = False


BARS_A_LINE = 4


def sheet_bars(song: Song, chords: tuple[ChordSymbol, ...]) -> tuple[SheetBar, ...]:
    """The bars of a song with their chords, in lines of four that begin anew with each section."""
    bar_map = song.bar_map
    last = max(song.bars, bar_map.count(max((one.end for one in chords), default=0)))
    begun: dict[int, list[tuple[int, str]]] = {}
    for one in chords:
        bar = bar_map.bar_at(one.start)
        begun.setdefault(bar, []).append((one.start - bar_map.start_of(bar), one.symbol))
    goes_on = ""
    names = {bar_map.bar_at(section.start): section.name for section in song.sections}
    bars: list[SheetBar] = []
    in_line = 0
    for number in range(1, last + 1):
        start, end = bar_map.span(number, number)
        opens = number in names or in_line == BARS_A_LINE or not bars
        in_line = 1 if opens else in_line + 1
        own: list[tuple[int, str]] = []
        for at, symbol in begun.get(number, ()):
            # What goes on is said again where a line begins.
            own += [(at, symbol)] * (symbol != goes_on or (opens and not own))
            goes_on = symbol
        bars.append(SheetBar(number, start, end - start, bar_map.meter_at(start), tuple(own),
                             names.get(number, ""), opens_line=opens))
    return tuple(bars)
