"""The read-only tools of the song service: what a planner or a later step may ask of a song."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from agent.plan.plan import Inputs, Json
from agent.services.schemas import NoInputs
from agent.song.ids import TrackId
from agent.song.palette import EffectKind, Family, Instrument, Palette
from agent.song.song import Song
from agent.song.time import to_beats
from agent.song.track import Track
from agent.theory.description import Description, describe


class GetTrack(Struct, frozen=True, forbid_unknown_fields=True):
    """Which track."""

    track_id: TrackId


class FindTracks(Struct, frozen=True, forbid_unknown_fields=True):
    """All that is given must fit; names fit in part and in any case."""

    name: str | None = None
    family: Family | None = None
    tag: str | None = None


class ListInstruments(Struct, frozen=True, forbid_unknown_fields=True):
    """Which instruments."""

    family: Family | None = None


class ClipView(Struct, frozen=True):
    """A clip in beats, without its notes."""

    clip_id: str
    name: str
    start_time: float
    duration: float
    notes: int


class TrackView(Struct, frozen=True):
    """A track without its notes."""

    track_id: str
    name: str
    instrument: str
    family: str
    volume_db: float
    pan: float
    mute: bool
    clips: tuple[ClipView, ...]
    effects: tuple[str, ...]


class NoteView(Struct, frozen=True):
    """A note in beats, as tools write it."""

    n: int
    s: float
    d: float
    v: int
    id: str


class ClipNotes(Struct, frozen=True):
    """A clip with its notes."""

    clip_id: str
    name: str
    start_time: float
    duration: float
    notes: tuple[NoteView, ...]


class TrackDetail(Struct, frozen=True):
    """A track with all its notes."""

    track: TrackView
    clips: tuple[ClipNotes, ...]


class SongView(Struct, frozen=True):
    """The song without its notes; sections and chords by name, start and length in beats."""

    name: str
    key: str
    bpm: float
    meter: str
    bars: int
    beats: float
    sections: tuple[tuple[str, float, float], ...]
    chords: tuple[tuple[str, float, float], ...]
    tracks: tuple[TrackView, ...]


class TracksFound(Struct, frozen=True):
    """Tracks, in the song's order."""

    items: tuple[TrackView, ...]


class InstrumentsFound(Struct, frozen=True):
    """Instruments, in the order of the list."""

    items: tuple[Instrument, ...]


class EffectsFound(Struct, frozen=True):
    """Effects, in the order of the list."""

    items: tuple[EffectKind, ...]


Read = Callable[[Song, Palette, Any], Struct]


class ReadTool(Struct, frozen=True):
    """A tool that only reads: its input type, its result type, and the function that gives the `answer`. `reads_song`
    is False if it needs only the palette."""

    name: str
    about: str
    inputs: type[Struct]
    result: type[Struct]
    answer: Read
    reads_song: bool = True

    def ask(self, inputs: Inputs, song: Song, palette: Palette) -> Json:
        """The answer as plain JSON (lists in place of tuples), as if it had been stored and loaded."""
        answer = self.answer(song, palette, msgspec.convert(inputs, self.inputs))
        return msgspec.json.decode(msgspec.json.encode(answer))


def view_song(song: Song, palette: Palette) -> SongView:
    """The song as a planner sees it."""
    meter = song.meters[0]
    sections = tuple((s.name, to_beats(s.start), to_beats(s.duration)) for s in song.sections)
    chords = tuple((one.symbol, to_beats(one.start), to_beats(one.duration)) for one in song.chords)
    tracks = tuple(view_track(track, palette) for track in song.tracks)
    bpm, signature = song.bpm, f"{meter.beats}/{meter.unit}"
    return SongView(
        song.name, str(song.key), bpm, signature, song.bars, to_beats(song.end), sections, chords, tracks
    )


def view_track(track: Track, palette: Palette) -> TrackView:
    """The track as a planner sees it; an instrument that is not in the palette has no family."""
    families = [one.family for one in palette.instruments if one.name == track.instrument]
    clips = tuple(
        ClipView(clip.id, clip.name, to_beats(clip.start), to_beats(clip.duration), len(clip.notes))
        for clip in track.clips
    )
    effects = tuple(effect.name for effect in track.effects)
    family = families[0] if families else ""
    return TrackView(
        track.id, track.name, track.instrument, family, track.volume_db, track.pan, track.mute, clips, effects
    )


def _get_track(song: Song, palette: Palette, which: GetTrack) -> TrackDetail:
    track = song.track(which.track_id)
    clips = []
    for clip in track.clips:
        notes = tuple(
            NoteView(note.pitch, to_beats(note.start), to_beats(note.duration), note.velocity, note.id)
            for note in clip.notes
        )
        clips.append(ClipNotes(clip.id, clip.name, to_beats(clip.start), to_beats(clip.duration), notes))
    return TrackDetail(view_track(track, palette), tuple(clips))


def _find_tracks(song: Song, palette: Palette, which: FindTracks) -> TracksFound:
    tags = {instrument.name: instrument.tags for instrument in palette.instruments}
    found = []
    for track in song.tracks:
        view = view_track(track, palette)
        if which.name is not None and which.name.casefold() not in track.name.casefold():
            continue
        if which.family is not None and view.family != which.family:
            continue
        if which.tag is not None and which.tag not in tags.get(track.instrument, ()):
            continue
        found.append(view)
    return TracksFound(tuple(found))


def _list_instruments(_song: Song, palette: Palette, which: ListInstruments) -> InstrumentsFound:
    return InstrumentsFound(
        tuple(one for one in palette.instruments if which.family is None or one.family == which.family)
    )


READ_TOOLS = (
    ReadTool("get_song", "The song: tempo, key, sections, tracks and clips, without notes.",
             NoInputs, SongView, lambda song, palette, _: view_song(song, palette)),
    ReadTool("get_track", "One track with all its notes.", GetTrack, TrackDetail, _get_track),
    ReadTool("find_tracks", "Tracks by part of a name, family of instruments, or tag.",
             FindTracks, TracksFound, _find_tracks),
    ReadTool("list_instruments", "The instruments there are, by family.",
             ListInstruments, InstrumentsFound, _list_instruments, reads_song=False),
    ReadTool("list_effects", "The effects there are, with their parameters.", NoInputs, EffectsFound,
             lambda _song, palette, _: EffectsFound(palette.effects), reads_song=False),
    ReadTool("describe_song", "Density, register, note lengths and key fit of each section and of the whole.",
             NoInputs, Description, lambda song, palette, _: describe(song, palette)),
)
"""All questions, in the order in which they are listed."""
