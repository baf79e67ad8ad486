"""Chart files: charts as text, ChordPro or MIDI, and the request for a piece over one."""

from __future__ import annotations

import errno
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec import structs

from agent.message import msg
from agent.song.apply import apply_all
from agent.song.chart import ChordSymbol
from agent.song.palette import Palette
from agent.song.song import Song
from agent.theory.charts.chart import LONGEST_TEXT, ChartError
from agent.theory.charts.lines import is_heading
from agent.theory.charts.passages import passages
from agent.theory.charts.reading import read_chart
from agent.theory.charts.setting import set_on
from agent.theory.charts.writing import chart_of, chart_text
from agent.theory.sounding import kit_tracks
from app.atomic_write import read_whole
from app.cli.errors import UsageError
from app.exchange.midi_in import import_midi

_MIDI = (".mid", ".midi")
_HEAD = 4
"""Lines at the head of a written chart that state key, tempo and the like."""
_TOLD = 3
"""Number of lines without chords that are quoted in a remark."""


_PLACE = "bars {first}-{last}: {chords}"
"""The words by which a request gives a song its chords."""


@dataclass(frozen=True)
class OverChart:
    """A request with a chart appended, and remarks for the person about how the chart's file was read."""

    request: str
    remarks: tuple[str, ...] = ()


def text_of(path: Path) -> str:
    """The text of a chart file. Raises `UsageError` if it cannot be read or is not UTF-8."""
    try:
        return read_whole(path, 4 * LONGEST_TEXT).decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise UsageError(
            msg("{path} is not a text", path=path), why=str(problem), fix=msg("save the chart as UTF-8 text"),
        ) from None
    except OSError as problem:
        fix = msg("give a file that holds only the chart") if problem.errno == errno.EFBIG else msg("check the path")
        raise UsageError(msg("cannot read {path}", path=path), why=problem.strerror or str(problem), fix=fix) from None


def over_chart(request: str, path: Path, palette: Palette) -> OverChart:
    """A request with the chart of a file appended; for a MIDI file, with the chords detected in it.

    A file that contains nothing but a chart is appended unchanged, to be read in the meter and key of the request; of
    any other only the bars are, and remarks quote the lines between them. Raises `UsageError` if the file cannot be
    read, and `ChartError` if it contains no chart."""
    if path.suffix.lower() in _MIDI:
        return OverChart(f"{request}\n\n{_heard(path, palette)}")
    text = text_of(path).strip()
    chart = read_chart(text)
    if _is_all(text):
        return OverChart(f"{request}\n\n{text}")
    song = apply_all(Song(name=chart.title or "Untitled"), set_on(Song(), chart).edits)
    stated = {"Title": chart.title, "Key": chart.key, "Tempo": chart.bpm, "Time": chart.meter}
    written = _written(song, song.chords, {name for name, said in stated.items() if said})
    unread = (f"{path.name}: no chords are in {line[:40]!r}" for line in chart.unread[:_TOLD])
    more = len(chart.unread) - _TOLD
    remarks = (*unread, *[f"{path.name}: nor in {more} more lines"] * (more > 0), *(one.reason for one in chart.doubts))
    return OverChart(f"{request}\n\n{written}", (*remarks, *chart.assumed))


def onto_song(request: str, path: Path, song: Song, palette: Palette) -> OverChart:
    """A request that a song with notes follows the chart of a file from its first bar on.

    Remarks say where the two differ in key or tempo, and which bars the chart does not reach. Raises `UsageError` if
    the file cannot be read, and `ChartError` if it contains no chart, or bars of another length than the song's."""
    meter = song.meters[0]
    text = _heard(path, palette) if path.suffix.lower() in _MIDI else text_of(path)
    chart = read_chart(text, song.key, (meter.beats, meter.unit))
    fitting = structs.replace(chart, bars=chart.bars[: song.bars])
    done = set_on(song, fitting)
    cut = len(chart.bars) - len(fitting.bars)
    remarks = (*done.remarks, *[f"the song has {song.bars} bars: the last {cut} of the chart are left out"] * (cut > 0))
    own = structs.replace(fitting, sections=(), key=None, bpm=None)
    written = apply_all(Song(), set_on(Song(), own).edits)
    lines = [line for line in chart_text(written, written.chords).splitlines() if line.startswith("|")]
    chords = " ".join(lines).replace("| |", "|")
    return OverChart(f"{request}\n\n{_PLACE.format(first=1, last=done.bars[1], chords=chords)}", remarks)


def _is_all(text: str) -> bool:
    """Whether a text is one chart from its first to its last character."""
    found = passages(text, is_heading)
    return len(found) == 1 and found[0].sure and found[0].start == 0 and found[0].end == len(text)


def _heard(path: Path, palette: Palette) -> str:
    song = import_midi(path, palette).song
    chords = chart_of(song, tuple(kit_tracks(song, palette))).chords
    if not chords:
        raise ChartError(
            msg("no chords are heard in {path}", path=path.name), fix=msg("give a file with notes, or write the chart"),
        )
    return _written(song, chords, {"Key", "Tempo", "Time"})


def _written(song: Song, chords: Sequence[ChordSymbol], facts: Collection[str]) -> str:
    """The chords bar by bar, under those of the facts that the file states."""
    lines = chart_text(song, chords).splitlines()
    return "\n".join(line for at, line in enumerate(lines) if at >= _HEAD or line.partition(":")[0] in facts).strip()
