"""A chart set on a song: the edits that make the song state its chords."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from agent.message import msg
from agent.song import edits as e
from agent.song.ids import Kind, SectionId, derive
from agent.song.song import Song
from agent.song.time import Ticks
from agent.theory.charts.chart import MOST_BARS, Chart, ChartBar, ChartError, meter_changes, placed


class SetChart(Struct, frozen=True):
    """Edits that set a chart, the bars (first and last, from 1) whose chords they state, and remarks for the person."""

    edits: tuple[e.Edit, ...]
    bars: tuple[int, int]
    remarks: tuple[str, ...] = ()


def set_on(song: Song, chart: Chart, first: int = 1, *, repeat: bool = False) -> SetChart:
    """Set a chart on the bars of a song from `first` on; with `repeat` over and over to the end of the song.

    A song without notes also takes meters, key, tempo and sections from it. Raises `ChartError` where the song's bars
    are of another length than the chart's, and for a `first` beyond the song.
    """
    if not 1 <= first <= max(song.bars, 1):
        raise ChartError(
            msg("the song has no bar {first}", first=first), why=msg("it has {bars} bars", bars=song.bars),
            fix=msg("begin with bar 1"),
        )
    if not song.note_count:
        return _on_empty(song, chart)
    bars = _repeated(chart.bars, song.bars - first + 1) if repeat else chart.bars
    _check_lengths(song, bars, first)
    start, end = song.bar_map.span(first, first + len(bars) - 1)
    stated = _specs(Chart(tuple(bars)), start)
    edit = e.SetChords(start_time=start, duration=Ticks(end - start), chords=stated)
    return SetChart((edit,), (first, first + len(bars) - 1), tuple(_remarks(song, chart, first + len(bars) - 1)))


def _on_empty(song: Song, chart: Chart) -> SetChart:
    edits: list[e.Edit] = []
    starts = [0]
    for bar in chart.bars:
        starts.append(starts[-1] + bar.length)
    for number, (beats, unit) in meter_changes(chart):
        at = Ticks(starts[number - 1])
        edits.append(e.SetTimeSignature(beats=beats, unit=unit, at_beat=at))  # type: ignore[arg-type]
    if chart.key is not None:
        edits.append(e.SetKey(tonic=chart.key.tonic, mode=chart.key.mode))
    if chart.bpm is not None:
        edits.append(e.SetTempo(bpm=chart.bpm))
    edits += [e.DeleteSection(section_id=section.id) for section in song.sections]
    for section in chart.sections:
        begin, end = starts[section.first - 1], starts[section.first - 1 + section.bars]
        made = SectionId(derive(Kind.SECTION, "chart", section.name, section.first))
        edits.append(e.AddSection(
            section_id=made, name=section.name, start_time=Ticks(begin), duration=Ticks(end - begin)
        ))
    whole = max(starts[-1], song.chords[-1].end if song.chords else 0)
    edits.append(e.SetChords(start_time=Ticks(0), duration=Ticks(whole), chords=_specs(chart, 0)))
    return SetChart(tuple(edits), (1, len(chart.bars)), (*chart.assumed, *_doubts(chart)))


def _specs(chart: Chart, start: int) -> tuple[e.ChordSpec, ...]:
    return tuple(e.ChordSpec.of(one) for one in placed(chart, start))


def _doubts(chart: Chart) -> Iterator[str]:
    yield from (one.reason for one in chart.doubts)


def _repeated(bars: Sequence[ChartBar], length: int) -> tuple[ChartBar, ...]:
    return tuple(bars[at % len(bars)] for at in range(min(length, MOST_BARS)))


def _check_lengths(song: Song, bars: Sequence[ChartBar], first: int) -> None:
    for number, bar in enumerate(bars, first):
        start, end = song.bar_map.span(number, number)
        if end - start != bar.length:
            own = song.bar_map.meter_at(start)
            raise ChartError(
                msg(
                    "bar {number} of the chart is in {meter}/{meter_2}, the song in {beats}/{unit}",
                    number=number, meter=bar.meter[0], meter_2=bar.meter[1], beats=own.beats, unit=own.unit,
                ),
                fix=msg(
                    "write {beats}/{unit} before its first chord, or change the song's meter first",
                    beats=own.beats, unit=own.unit,
                ),
            )


def _remarks(song: Song, chart: Chart, last: int) -> Iterator[str]:
    yield from chart.assumed
    yield from _doubts(chart)
    if chart.key is not None and chart.key != song.key:
        yield f"the chart is in {chart.key}, the song in {song.key}: the key stays"
    if chart.bpm is not None and round(chart.bpm) != round(song.bpm):
        yield f"the chart says {chart.bpm:g} BPM, the song has {song.bpm:g}: the tempo stays"
    if last < song.bars:
        yield f"the song has {song.bars} bars: of bars {last + 1}-{song.bars} it says nothing"
    elif last > song.bars:
        yield f"the chart goes on to bar {last}, the notes end in bar {song.bars}"
