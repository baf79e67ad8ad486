"""Marks of the ruler: where sections, tempos and time signatures begin, where they may go, and what moving one does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeVar

from msgspec import Struct

from agent.song.edits import Edit, SetTempo, SetTimeSignature
from agent.song.ids import SectionId
from agent.song.song import Song
from agent.song.time import PPQ, MeterChange, TempoChange, Ticks
from app.i18n import tr
from app.viewmodels.edits.clip_edits import HandEdit
from app.viewmodels.edits.frame_edits import (
    deleted_section,
    find_section,
    moved_section,
    unit_of,
    without_meter,
    without_tempo,
)
from app.viewmodels.texts.places import bars_in_words, place_in_words
from app.viewmodels.timeline.layout import grid_at, snapped

MarkKind = Literal["section", "tempo", "meter"]
Change = TypeVar("Change", TempoChange, MeterChange)
_STAND_INS = (2.0, 3.0, 4.0, 5.0)
"""Values of tempo or beats used temporarily while marks change places; one of them is always unused."""
_ORDER: tuple[MarkKind, ...] = ("section", "tempo", "meter")


class Marker(Struct, frozen=True):
    """Something that begins at a tick: a section (by its id), tempo or meter. The song's first tempo and meter have no
    mark."""

    kind: MarkKind
    at: Ticks
    section: SectionId | None = None


def marks_of(song: Song) -> tuple[Marker, ...]:
    """All marks, in order of time."""
    found = [Marker("section", one.start, one.id) for one in song.sections]
    found += [Marker("tempo", one.at) for one in song.tempos[1:]]
    found += [Marker("meter", one.at) for one in song.meters[1:]]
    return tuple(sorted(found, key=lambda mark: (mark.at, _ORDER.index(mark.kind))))


def find_mark(song: Song, mark: Marker | None) -> Marker | None:
    """The mark as the song has it now; None if it does not exist (any more)."""
    if mark is None:
        return None
    if mark.kind == "section":
        section = find_section(song, mark.section)
        return None if section is None else Marker("section", section.start, section.id)
    return next((one for one in marks_of(song) if one == mark), None)


def mark_in_words(song: Song, mark: Marker) -> str:
    """A mark for screen readers: "Tempo 90 BPM from bar 9"."""
    place = _where(song, mark.at)
    if mark.kind == "section":
        section = find_section(song, mark.section)
        return "" if section is None else tr(
            "Section {name}, {bars}", name=section.name, bars=bars_in_words(song.bar_map, section.start, section.end)
        )
    if mark.kind == "tempo":
        return tr("Tempo {bpm} BPM from {place}", bpm=f"{song.tempo_map.bpm(mark.at):g}", place=place)
    meter = song.bar_map.meter_at(mark.at)
    return tr("Time signature {beats}/{unit} from {place}", beats=meter.beats, unit=meter.unit, place=place)


def place_near(song: Song, mark: Marker, wanted: float, per_beat: float, *, free: bool) -> Ticks:
    """The tick to which a mark dragged to tick `wanted` snaps. Tempos snap to beats, or zoomed out (few pixels
    `per_beat`) to bars; sections to bars; with `free` both to any tick. Meters snap to the bars of the meter before
    them."""
    if mark.kind == "meter":
        before = _before(song.meters, mark.at)
        length = before.bar_length
        return Ticks(before.at + max(0, round((wanted - before.at) / length)) * length)
    if free:
        return Ticks(max(0, round(wanted)))
    if mark.kind == "tempo":
        return snapped(song.bar_map, wanted, per_beat, beats=True)
    bar = song.bar_map.bar_at(max(0, round(wanted)))
    start, end = song.bar_map.span(bar, bar)
    return start if wanted - start <= end - wanted else end


def place_beside(song: Song, mark: Marker, steps: int, per_beat: float) -> Ticks:
    """The tick of a mark moved by `steps` by keys: steps of the grid at a zoom of `per_beat` pixels per quarter note
    for tempos, bars for all others."""
    bars = song.bar_map
    if mark.kind == "tempo":
        here = mark.at if steps > 0 else max(0, mark.at - 1)
        step = max(grid_at(bars, here, per_beat), PPQ * 4 // bars.meter_at(here).unit)
        return place_near(song, mark, mark.at + steps * step, per_beat, free=False)
    if mark.kind == "meter":
        return Ticks(max(0, mark.at + steps * _before(song.meters, mark.at).bar_length))
    bar = bars.bar_at(mark.at)
    on_line = bars.start_of(bar) == mark.at
    return bars.start_of(max(1, bar + steps + (steps < 0 and not on_line)))


def refusal(song: Song, mark: Marker, to: int) -> str:
    """Why a mark may not be moved to tick `to`; empty if it may."""
    if mark.kind == "section":
        return ""
    changes: Sequence[TempoChange | MeterChange] = song.tempos if mark.kind == "tempo" else song.meters
    if to <= 0:
        return tr("The song's first tempo stays at bar 1") if mark.kind == "tempo" else tr(
            "The song's first time signature stays at bar 1"
        )
    low, high = sorted((int(mark.at), to))
    between = next((one.at for one in changes if low <= one.at <= high and one.at != mark.at), None)
    if between is None:
        return ""
    place = _where(song, between)
    return tr("A tempo change is in the way, at {place}", place=place) if mark.kind == "tempo" else tr(
        "A time signature is in the way, at {place}", place=place
    )


def moved_mark(song: Song, mark: Marker, to: Ticks) -> HandEdit:
    """The edit that moves a mark to a tick; without edits if it may not be there."""
    if to == mark.at or find_mark(song, mark) is None or refusal(song, mark, to):
        return HandEdit()
    if mark.kind == "section":
        section = find_section(song, mark.section)
        return HandEdit() if section is None else moved_section(song, section.id, to, to + section.duration)
    if mark.kind == "tempo":
        edits, label = _moved_tempo(song, mark.at, to), tr("Move tempo change to {place}", place=_where(song, to))
    else:
        edits, label = _moved_meter(song, mark.at, to), tr("Move time signature to {place}", place=_where(song, to))
    return HandEdit(tuple(edits), label)


def deleted_mark(song: Song, mark: Marker) -> HandEdit:
    """The edit that removes a mark from the song."""
    if mark.kind == "tempo":
        return without_tempo(song, mark.at)
    if mark.kind == "meter":
        return without_meter(song, mark.at)
    return HandEdit() if mark.section is None else deleted_section(song, mark.section)


def _moved_tempo(song: Song, at: Ticks, to: Ticks) -> Iterator[Edit]:
    before, now, after = _around(song.tempos, at)
    # What stands there still repeats an earlier one, and is left out by itself; for a later one another holds the
    # place first, so that no change behind it is left out as one that repeats what is before it.
    if to > at:
        taken = {one.bpm for one in (before, now, after)}
        yield SetTempo(bpm=next(bpm for bpm in _STAND_INS if bpm not in taken), at_beat=to)
        yield SetTempo(bpm=before.bpm, at_beat=at)
    yield SetTempo(bpm=now.bpm, at_beat=to)


def _moved_meter(song: Song, at: Ticks, to: Ticks) -> Iterator[Edit]:
    before, now, after = _around(song.meters, at)
    if to > at:
        taken = {(one.beats, one.unit) for one in (before, now, after)}
        beats = next(int(beats) for beats in _STAND_INS if (int(beats), 4) not in taken)
        yield SetTimeSignature(beats=beats, unit=4, at_beat=to)
        yield SetTimeSignature(beats=before.beats, unit=unit_of(before), at_beat=at)
    yield SetTimeSignature(beats=now.beats, unit=unit_of(now), at_beat=to)


def _before(changes: Sequence[Change], at: int) -> Change:
    """The change before the one at a tick."""
    return [one for one in changes if one.at < at][-1]


def _around(changes: Sequence[Change], at: Ticks) -> tuple[Change, Change, Change]:
    """The change at a tick, between the one before it and the one after it; at the end that is itself."""
    number = [one.at for one in changes].index(at)
    return changes[number - 1], changes[number], changes[min(number + 1, len(changes) - 1)]


def _where(song: Song, at: int) -> str:
    """A place by its bar, and by its beat where it is not the first of it."""
    bars = song.bar_map
    bar = bars.bar_at(at)
    return tr("bar {bar}", bar=bar) if bars.start_of(bar) == at else place_in_words(bars, at)
