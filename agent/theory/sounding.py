"""The notes of a song as they sound: in song time, with their track, without muted tracks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from operator import attrgetter

from msgspec import Struct

from agent.song.ids import TrackId
from agent.song.palette import Family, Palette
from agent.song.song import Song
from agent.song.time import PPQ

TOGETHER = 60
"""Ticks within which notes are one stroke: a strummed chord, hands that are not quite together."""

HAIR = PPQ // 16
"""Ticks by which a note may come before a bar line and still be meant for the bar that follows."""


class Sounding(Struct, frozen=True):
    """A note in song time: `start` and `end` in ticks, `pitch` 0-127 (60 is middle C), `velocity` 1-127."""

    track: TrackId
    pitch: int
    start: int
    end: int
    velocity: int

    @property
    def beats(self) -> float:
        """Length in quarter notes."""
        return (self.end - self.start) / PPQ


def sounding(song: Song, tracks: Collection[TrackId] | None = None) -> tuple[Sounding, ...]:
    """Notes of the unmuted tracks (of `tracks` only, where given), sorted by start, pitch and track order."""
    notes = [
        Sounding(track.id, note.pitch, (start := clip.start + note.start), start + note.duration, note.velocity)
        for track, clip in song.clips()
        if not track.mute and (tracks is None or track.id in tracks)
        for note in clip.notes
    ]
    return tuple(sorted(notes, key=attrgetter("start", "pitch")))


def bar_begun(song: Song, note: Sounding) -> int:
    """The number of the bar that a note is meant to begin in: a hair before a bar line it is the one after it."""
    return song.bar_map.bar_at(note.start + HAIR)


def strokes(notes: Sequence[Sounding]) -> list[list[Sounding]]:
    """The notes, in order of their starts, with those that are struck together in one list."""
    groups: list[list[Sounding]] = []
    for note in notes:
        if groups and note.start - groups[-1][0].start < TOGETHER:
            groups[-1].append(note)
        else:
            groups.append([note])
    return groups


def pitched(song: Song, kits: Collection[TrackId]) -> tuple[Sounding, ...]:
    """Notes outside the drum kits."""
    return tuple(note for note in sounding(song) if note.track not in kits)


def kit_tracks(song: Song, palette: Palette) -> frozenset[TrackId]:
    """Tracks whose pitches are drums; an instrument that the palette lacks is taken as pitched."""
    kits = {instrument.name for instrument in palette.instruments if instrument.is_kit}
    return frozenset(track.id for track in song.tracks if track.instrument in kits)


def family_tracks(song: Song, palette: Palette, *families: Family) -> frozenset[TrackId]:
    """Tracks whose instrument is of one of the families."""
    names = {instrument.name for instrument in palette.instruments if instrument.family in families}
    return frozenset(track.id for track in song.tracks if track.instrument in names)


def percussive_tracks(song: Song, palette: Palette) -> frozenset[TrackId]:
    """Kits and tracks of the families drums and percussion."""
    return kit_tracks(song, palette) | family_tracks(song, palette, "drums", "percussion")
