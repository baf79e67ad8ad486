"""A song's chords written as a chart, in text that `read_chart` reads again, or as ChordPro."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from agent.song.chart import ChordSymbol
from agent.song.ids import TrackId
from agent.song.song import Song
from agent.song.time import MeterChange
from agent.theory.charts.chart import bar_starts
from agent.theory.chords import chord_symbol
from agent.theory.harmony import heard_chords

_BARS_A_LINE = 4
_FINENESS = 8
"""Pieces of a beat at most that a chord may begin on in a chart."""
HOLD = "."


class SongChart(Struct, frozen=True):
    """The chords of a song: those that it states (`stated`), otherwise those heard in its notes.

    `certainty` has for each chord the share, 0 to 1, of what sounds there that belongs to the chord; 1 for a stated
    one.
    """

    chords: tuple[ChordSymbol, ...]
    certainty: tuple[float, ...]
    stated: bool


def chart_of(song: Song, kits: Sequence[TrackId] = ()) -> SongChart:
    """The chart of a song; `kits` are its drum tracks, which make no chords."""
    if song.chords:
        return SongChart(song.chords, (1.0,) * len(song.chords), stated=True)
    heard = heard_chords(song, kits)
    chords = tuple(
        ChordSymbol(one.start, one.end - one.start, chord_symbol(one.chord, song.key))  # type: ignore[arg-type]
        for one in heard
    )
    return SongChart(chords, tuple(one.certainty for one in heard), stated=False)


def chart_text(song: Song, chords: Sequence[ChordSymbol]) -> str:
    """The chords bar by bar in lines of four, under the song's sections: `| C | Am7 D7 | G . . F |`. A dot holds the
    chord before it for one more beat; a bar in which no chord begins repeats the chord's symbol or is a dot."""
    bpm = f"{song.bpm:g}"
    head = f"Title: {song.name}\nKey: {song.key}\nTempo: {bpm}\nTime: {_meter(song.meters[0])}\n"
    return head + "".join(f"\n[{name}]\n{lines}" if name else f"\n{lines}" for name, lines in _parts(song, chords))


def chord_pro(song: Song, chords: Sequence[ChordSymbol]) -> str:
    """The chords under the song's sections as a ChordPro file: directives, and a grid for each section."""
    head = [
        f"{{title: {song.name}}}", f"{{key: {song.key.tonic}{'m' if 'minor' in song.key.mode else ''}}}",
        f"{{tempo: {song.bpm:g}}}", f"{{time: {_meter(song.meters[0])}}}",
    ]
    body = []
    for name, lines in _parts(song, chords):
        body += [f"{{comment: {name}}}"] * bool(name) + ["{start_of_grid}", lines.rstrip("\n"), "{end_of_grid}", ""]
    return "\n".join([*head, "", *body])


def _parts(song: Song, chords: Sequence[ChordSymbol]) -> Iterator[tuple[str, str]]:
    """Section names with the lines of their bars; bars outside of all sections have no name."""
    last = max(song.bars, song.bar_map.count(max((one.end for one in chords), default=0)))
    names = [_section(song, bar) for bar in range(1, last + 1)]
    meter = song.meters[0]
    first = 1
    for (name, _), members in groupby(names):
        count = len(list(members))
        lines = []
        for begin in range(first, first + count, _BARS_A_LINE):
            bars = range(begin, min(begin + _BARS_A_LINE, first + count))
            cells = []
            for bar in bars:
                now = song.bar_map.meter_at(song.bar_map.start_of(bar))
                mark = f"{_meter(now)} " if (now.beats, now.unit) != (meter.beats, meter.unit) else ""
                meter = now
                cells.append(f"{mark}{_cell(song, bar, chords)}")
            lines.append(f"| {' | '.join(cells)} |\n")
        yield name, "".join(lines)
        first += count


def _section(song: Song, bar: int) -> tuple[str, int]:
    """The name of the section that holds the start of a bar, and where it begins."""
    at = song.bar_map.start_of(bar)
    found = next((one for one in reversed(song.sections) if one.start <= at < one.end), None)
    return (found.name, found.start) if found is not None else ("", -1)


def _cell(song: Song, bar: int, chords: Sequence[ChordSymbol]) -> str:
    start, end = song.bar_map.span(bar, bar)
    begun = [(max(0, one.start - start), one.symbol) for one in chords if one.start < end and one.end > start]
    if not begun:
        return HOLD
    now = song.bar_map.meter_at(start)
    places = [at for at, _ in begun]
    for pieces in (len(begun), *(now.beats * fine for fine in (1, 2, 4, _FINENESS))):
        grid = bar_starts((now.beats, now.unit), pieces)
        if len(grid) >= len(places) and set(places) <= set(grid) and places[0] == 0:
            return " ".join(dict(begun).get(at, HOLD) for at in grid)
    return " ".join(symbol for _, symbol in begun)


def _meter(meter: MeterChange) -> str:
    return f"{meter.beats}/{meter.unit}"
