"""A song described in figures: whole, by section and by track."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Sequence

from msgspec import Struct

from agent.song.ids import SectionId, TrackId
from agent.song.key import Key
from agent.song.palette import Palette
from agent.song.song import Song
from agent.theory.key_finding import FoundKey
from agent.theory.measures import key_fit, key_of, mean_beats, mean_pitch, mean_velocity, per_bar
from agent.theory.sounding import Sounding, kit_tracks, percussive_tracks, sounding


class Portrait(Struct, frozen=True):
    """Figures of a stretch of music; pitches, lengths and key fit leave drums out (0 without others)."""

    bars: int
    notes: int
    onsets_per_bar: float
    percussion_hits: int
    mean_note_beats: float
    low: int
    high: int
    mean_pitch: float
    mean_velocity: float
    key_fit: float


class SectionPortrait(Struct, frozen=True):
    """A section with bars counted from 1, inclusive."""

    id: SectionId
    name: str
    first_bar: int
    last_bar: int
    tracks: tuple[TrackId, ...]
    portrait: Portrait


class TrackPortrait(Struct, frozen=True):
    """A track over the whole song."""

    id: TrackId
    name: str
    instrument: str
    percussive: bool
    portrait: Portrait


class Description(Struct, frozen=True):
    """What `describe` found; `seconds` is the length of the song without tails."""

    key: Key
    found_key: FoundKey
    tempo: float
    seconds: float
    whole: Portrait
    sections: tuple[SectionPortrait, ...]
    tracks: tuple[TrackPortrait, ...]


def describe(song: Song, palette: Palette) -> Description:
    """Figures of the song as it stands, without muted tracks; shares and means are rounded to 3 decimals."""
    notes = sounding(song)
    drums = percussive_tracks(song, palette)
    by_track: dict[TrackId, list[Sounding]] = defaultdict(list)
    for note in notes:
        by_track[note.track].append(note)
    return Description(
        key=song.key,
        found_key=key_of(song, kit_tracks(song, palette)),
        tempo=song.bpm,
        seconds=round(song.tempo_map.seconds(song.end), 3),
        whole=_portrait(notes, song.bars, song.key, drums),
        sections=tuple(_sections(song, notes, drums)),
        tracks=tuple(
            TrackPortrait(
                track.id, track.name, track.instrument, track.id in drums,
                _portrait(by_track[track.id], song.bars, song.key, drums),
            )
            for track in song.tracks
        ),
    )


def _sections(song: Song, notes: Sequence[Sounding], drums: Collection[TrackId]) -> list[SectionPortrait]:
    portraits = []
    starts = [note.start for note in notes]
    for section in song.sections:
        first, last = song.bar_map.bar_at(section.start), song.bar_map.bar_at(section.end - 1)
        inside = notes[bisect_left(starts, section.start) : bisect_left(starts, section.end)]
        playing = {note.track for note in inside}
        portraits.append(
            SectionPortrait(
                section.id, section.name, first, last,
                tuple(track.id for track in song.tracks if track.id in playing),
                _portrait(inside, last - first + 1, song.key, drums),
            )
        )
    return portraits


def _portrait(notes: Sequence[Sounding], bars: int, key: Key, drums: Collection[TrackId]) -> Portrait:
    tones = [note for note in notes if note.track not in drums]
    return Portrait(
        bars=bars,
        notes=len(notes),
        onsets_per_bar=round(per_bar(len(notes), bars), 3),
        percussion_hits=len(notes) - len(tones),
        mean_note_beats=round(mean_beats(tones), 3),
        low=min((note.pitch for note in tones), default=0),
        high=max((note.pitch for note in tones), default=0),
        mean_pitch=round(mean_pitch(tones), 3),
        mean_velocity=round(mean_velocity(notes), 3),
        key_fit=round(key_fit(tones, key), 3),
    )

