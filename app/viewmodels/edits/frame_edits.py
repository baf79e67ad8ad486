"""What a hand does to the frame of a song: sections, tempos and meters."""

from __future__ import annotations

import secrets
from typing import Literal

from agent.song.edits import AddSection, DeleteSection, SetTempo, SetTimeSignature, UpdateSection
from agent.song.ids import Kind, SectionId, derive
from agent.song.song import Section, Song
from agent.song.time import MeterChange, TempoChange, Ticks
from app.i18n import tr
from app.viewmodels.edits.clip_edits import MAX_NAME, HandEdit

SLOWEST, FASTEST = 1.0, 999.0
"""Range of tempos that can be set by hand, in quarter notes per minute."""
Unit = Literal[1, 2, 4, 8, 16, 32]
UNITS: tuple[Unit, ...] = (1, 2, 4, 8, 16, 32)
MOST_BEATS = 32


def find_section(song: Song, section: SectionId | None) -> Section | None:
    """The section of that id; None if the song has none."""
    return next((one for one in song.sections if one.id == section), None)


def section_at(song: Song, at: float) -> Section | None:
    """The section that contains a tick, of several the one that begins last; None for none."""
    return next((one for one in reversed(song.sections) if one.start <= at < one.end), None)


def new_section(song: Song, bars: tuple[int, int], name: str) -> tuple[HandEdit, SectionId]:
    """The edit that adds a section over a range of bars (inclusive), and the section's id."""
    start, end = song.bar_map.span(*bars)
    made = SectionId(derive(Kind.SECTION, "hand", secrets.token_hex(16)))
    edit = AddSection(section_id=made, name=name[:MAX_NAME], start_time=start, duration=Ticks(end - start))
    return HandEdit((edit,), tr("Add section {name}", name=name)[:MAX_NAME]), made


def renamed_section(song: Song, section: SectionId, name: str) -> HandEdit:
    """The edit that renames a section; without edits for an empty or unchanged name."""
    found, name = find_section(song, section), name.strip()[:MAX_NAME]
    if found is None or not name or found.name == name:
        return HandEdit()
    edit = UpdateSection(section_id=section, name=name)
    return HandEdit((edit,), tr("Rename section to {name}", name=name)[:MAX_NAME])


def moved_section(song: Song, section: SectionId, start: int, end: int) -> HandEdit:
    """The edit that sets start and end of a section in ticks; it keeps at least one tick."""
    found = find_section(song, section)
    if found is None:
        return HandEdit()
    start = max(0, start)
    end = max(start + 1, end)
    if (found.start, found.end) == (start, end):
        return HandEdit()
    edit = UpdateSection(section_id=section, start_time=Ticks(start), duration=Ticks(end - start))
    return HandEdit((edit,), tr("Move section {name}", name=found.name)[:MAX_NAME])


def deleted_section(song: Song, section: SectionId) -> HandEdit:
    """The edit that deletes a section; its clips stay."""
    found = find_section(song, section)
    if found is None:
        return HandEdit()
    return HandEdit((DeleteSection(section_id=section),), tr("Delete section {name}", name=found.name)[:MAX_NAME])


def tempo_at(song: Song, at: int) -> TempoChange:
    """The tempo change in force at a tick."""
    return [change for change in song.tempos if change.at <= max(0, at)][-1]


def with_tempo(song: Song, at: Ticks, bpm: float) -> HandEdit:
    """The edit that sets the tempo from a tick to the next change, clamped to the allowed range."""
    bpm = round(max(SLOWEST, min(FASTEST, bpm)), 2)
    if tempo_at(song, at).bpm == bpm:
        return HandEdit()
    return HandEdit((SetTempo(bpm=bpm, at_beat=at),), tr("Tempo {bpm} BPM", bpm=f"{bpm:g}"))


def without_tempo(song: Song, at: Ticks) -> HandEdit:
    """The edit that removes the tempo change at a tick; without edits for the song's first, which must stay."""
    if at == 0 or all(change.at != at for change in song.tempos):
        return HandEdit()
    # A change to the tempo before it is none.
    edit = SetTempo(bpm=tempo_at(song, at - 1).bpm, at_beat=at)
    return HandEdit((edit,), tr("Take out tempo change"))


def with_meter(song: Song, at: Ticks, beats: int, unit: Unit) -> HandEdit:
    """The edit that sets the meter from a tick to the next change; a bar begins there."""
    beats = max(1, min(MOST_BEATS, beats))
    now = song.bar_map.meter_at(at)
    if (now.beats, now.unit) == (beats, unit):
        return HandEdit()
    edit = SetTimeSignature(beats=beats, unit=unit, at_beat=at)
    return HandEdit((edit,), tr("Time signature {beats}/{unit}", beats=beats, unit=unit))


def without_meter(song: Song, at: Ticks) -> HandEdit:
    """The edit that removes the meter change at a tick; without edits for the song's first, which must stay."""
    if at == 0 or all(change.at != at for change in song.meters):
        return HandEdit()
    before = song.bar_map.meter_at(at - 1)
    edit = SetTimeSignature(beats=before.beats, unit=unit_of(before), at_beat=at)
    return HandEdit((edit,), tr("Take out time signature"))


def unit_of(meter: MeterChange) -> Unit:
    """The note value of a meter's beat: the denominator."""
    return next((unit for unit in UNITS if unit == meter.unit), 4)
