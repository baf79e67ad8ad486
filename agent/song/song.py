"""The song: the root of everything that sounds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Annotated

from msgspec import Meta, Struct

from agent.message import msg
from agent.song.chart import ChordSymbol
from agent.song.clip import Clip
from agent.song.errors import SongError
from agent.song.ids import ClipId, EffectId, SectionId, TrackId
from agent.song.key import Key
from agent.song.time import BarMap, Length, MeterChange, Position, TempoChange, TempoMap, Ticks
from agent.song.track import Effect, SoundFontFile, Track

Lufs = Annotated[float, Meta(ge=-40, le=-5)]


class Section(Struct, frozen=True, forbid_unknown_fields=True):
    """A named stretch of the form: intro, verse, drop."""

    id: SectionId
    name: str
    start: Position
    duration: Length

    @property
    def end(self) -> Ticks:
        """First tick after the section."""
        return Ticks(self.start + self.duration)


class Song(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A composition. `loudness_target` is integrated LUFS of the whole mix. `chords` are those stated in its chord
    chart, in order of time and without overlaps; elsewhere no chord is stated. `soundfont` is the file of a SoundFont
    that replaces the built-in bank for the sounds that it has, "" for none."""

    name: str = "Untitled"
    tempos: tuple[TempoChange, ...] = (TempoChange(Ticks(0), 120.0),)
    meters: tuple[MeterChange, ...] = (MeterChange(Ticks(0)),)
    key: Key = Key("C")
    sections: tuple[Section, ...] = ()
    tracks: tuple[Track, ...] = ()
    master_effects: tuple[Effect, ...] = ()
    loudness_target: Lufs = -14.0
    chords: tuple[ChordSymbol, ...] = ()
    soundfont: SoundFontFile = ""

    @cached_property
    def end(self) -> Ticks:
        """First tick after the last clip."""
        return Ticks(max((track.end for track in self.tracks), default=0))

    @cached_property
    def tempo_map(self) -> TempoMap:
        """Converts between ticks and seconds."""
        return TempoMap(self.tempos)

    @cached_property
    def bpm(self) -> float:
        """The song's tempo as a musician would name it, in quarter notes a minute: see `TempoMap.prevailing`."""
        return self.tempo_map.prevailing(0, self.end)

    @cached_property
    def bar_map(self) -> BarMap:
        """Converts between ticks and bars."""
        return BarMap(self.meters)

    @cached_property
    def bars(self) -> int:
        """The number of bars from the beginning to the end of the last clip."""
        return self.bar_map.count(self.end)

    @cached_property
    def note_count(self) -> int:
        """Notes in all tracks."""
        return sum(track.note_count for track in self.tracks)

    def clips(self) -> Iterator[tuple[Track, Clip]]:
        """Every (track, clip) of the song, in the order of tracks and then of time."""
        for track in self.tracks:
            for clip in track.clips:
                yield track, clip

    def track(self, track_id: TrackId) -> Track:
        """The track with that id; `SongError` names the tracks there are."""
        for track in self.tracks:
            if track.id == track_id:
                return track
        names = ", ".join(f"{track.name} ({track.id})" for track in self.tracks[:12]) or "none"
        raise SongError(
            msg("there is no track {track_id!r}", track_id=track_id), why=msg("the song has: {names}", names=names),
        )

    def clip(self, clip_id: ClipId) -> tuple[Track, Clip]:
        """(track, clip): the clip with that id and its track. Raises `SongError` if there is none."""
        for track, clip in self.clips():
            if clip.id == clip_id:
                return track, clip
        raise SongError(
            msg("there is no clip {clip_id!r}", clip_id=clip_id),
            fix=msg("list the song's clips and use one of their ids"),
        )

    def effect(self, effect_id: EffectId) -> tuple[Track | None, Effect]:
        """(track, effect): the effect with that id and its track, None for the master chain. Raises `SongError` if
        there is none."""
        for effect in self.master_effects:
            if effect.id == effect_id:
                return None, effect
        for track in self.tracks:
            for effect in track.effects:
                if effect.id == effect_id:
                    return track, effect
        raise SongError(msg("there is no effect {effect_id!r}", effect_id=effect_id))

    def section(self, section_id: SectionId) -> Section:
        """The section with that id. Raises `SongError` if there is none."""
        for section in self.sections:
            if section.id == section_id:
                return section
        raise SongError(msg("there is no section {section_id!r}", section_id=section_id))
