"""How edits of tempo, meter, key, loudness, name and form change a song."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from agent.message import msg
from agent.song import edits as e
from agent.song.chart import without_stretch
from agent.song.errors import SongError
from agent.song.key import Key
from agent.song.parts import given, with_track
from agent.song.song import Section, Song
from agent.song.time import MeterChange, TempoChange, distinct_meters, distinct_tempos


def set_tempo(song: Song, edit: e.SetTempo) -> Song:
    """Set the tempo at a beat; a change that repeats the tempo before it is left out."""
    kept = [change for change in song.tempos if change.at != edit.at_beat]
    return replace(song, tempos=distinct_tempos([*kept, TempoChange(edit.at_beat, edit.bpm)]))


def set_time_signature(song: Song, edit: e.SetTimeSignature) -> Song:
    """Set the meter at a beat; a change that repeats the meter before it is left out."""
    kept = [change for change in song.meters if change.at != edit.at_beat]
    return replace(song, meters=distinct_meters([*kept, MeterChange(edit.at_beat, edit.beats, edit.unit)]))


def set_key(song: Song, edit: e.SetKey) -> Song:
    """Set the key."""
    return replace(song, key=Key(edit.tonic, edit.mode))


def set_chords(song: Song, edit: e.SetChords) -> Song:
    """State the chords of a range of the song; chords that reach into it from outside are cut at its edges."""
    start, end = edit.start_time, edit.start_time + edit.duration
    stated = [spec.chord() for spec in edit.chords]
    if any(chord.start < start or chord.end > end for chord in stated):
        raise SongError(
            msg("a chord lies outside the stretch that is set"), fix=msg("set the chords of a longer stretch"),
        )
    kept = without_stretch(song.chords, start, end)
    return replace(song, chords=tuple(sorted([*kept, *stated], key=lambda chord: chord.start)))


def set_loudness(song: Song, edit: e.SetLoudness) -> Song:
    """Set the loudness target."""
    return replace(song, loudness_target=edit.target)


def set_sound_font(song: Song, edit: e.SetSoundFont) -> Song:
    """Let the song, or one track of it, play from a file of its own."""
    if edit.track_id is None:
        return replace(song, soundfont=edit.file)
    return with_track(song, replace(song.track(edit.track_id), soundfont=edit.file))


def rename_song(song: Song, edit: e.RenameSong) -> Song:
    """Set the song's name."""
    return replace(song, name=edit.name)


def add_section(song: Song, edit: e.AddSection) -> Song:
    """Add the section in order of time."""
    section = Section(edit.section_id, edit.name, edit.start_time, edit.duration)
    return _with_sections(song, [*song.sections, section])


def update_section(song: Song, edit: e.UpdateSection) -> Song:
    """Change what the edit sets and leave the rest."""
    section = song.section(edit.section_id)
    fields: dict[str, Any] = given(name=edit.name, start=edit.start_time, duration=edit.duration)
    changed = replace(section, **fields)
    return _with_sections(song, [changed if old.id == section.id else old for old in song.sections])


def delete_section(song: Song, edit: e.DeleteSection) -> Song:
    """Remove the section."""
    gone = song.section(edit.section_id)
    return _with_sections(song, [section for section in song.sections if section.id != gone.id])


def _with_sections(song: Song, sections: list[Section]) -> Song:
    return replace(song, sections=tuple(sorted(sections, key=lambda section: (section.start, section.id))))
