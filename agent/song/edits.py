"""The closed list of edits that a song can undergo: data only.

A drag, a plan step, a tool's schema and a version's difference all use these. Field names are the
argument names of the tools, and `Position`/`Length` fields are written in beats there. A field marked
`MADE` is an id that a step receives from its origin instead of from its inputs.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from agent.song.chart import ChordSymbol, Symbol
from agent.song.clip import Note, Pitch, Velocity
from agent.song.ids import ClipId, EffectId, NoteId, SectionId, TrackId
from agent.song.key import Mode, Tonic
from agent.song.song import Lufs
from agent.song.time import Bpm, Length, Position, Ticks
from agent.song.track import Color, Decibels, Pan, Point, SoundFontFile, TrackType

MADE = "made"
_made = Meta(extra_json_schema={MADE: True})
Name = Annotated[str, Meta(min_length=1, max_length=120)]
Place = Annotated[int, Meta(ge=0, description="0 is first; left out means last")]


class NoteSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """A note as tools write it: n pitch 0-127, s start in beats from the clip's start, d duration in beats,
    v velocity 1-127."""

    n: Pitch
    s: Position
    d: Length
    v: Velocity = 100
    id: Annotated[NoteId, _made] = NoteId("")

    def note(self) -> Note:
        """The note this describes."""
        return Note(self.id, self.n, self.s, self.d, self.v)

    @classmethod
    def of(cls, note: Note) -> NoteSpec:
        """The description of a note."""
        return cls(note.pitch, note.start, note.duration, note.velocity, note.id)


class PointSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """An automation point: beats from the song's start, and the value."""

    at: Position
    value: float

    def point(self) -> Point:
        """The point this describes."""
        return Point(self.at, self.value)


class ChordSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """A chord as tools write it: c symbol (Am7/G, or N.C. for none), s start in beats from the song's start, d duration
    in beats."""

    c: Symbol
    s: Position
    d: Length

    def chord(self) -> ChordSymbol:
        """The chord this describes."""
        return ChordSymbol(self.s, self.d, self.c)

    @classmethod
    def of(cls, chord: ChordSymbol) -> ChordSpec:
        """The description of a chord."""
        return cls(chord.symbol, chord.start, chord.duration)


class _Edit(Struct, frozen=True, forbid_unknown_fields=True, tag_field="edit", omit_defaults=True):
    pass


class CreateTrack(_Edit, frozen=True, kw_only=True, tag="create_track"):
    """Add a track that plays an instrument of the list."""

    track_id: Annotated[TrackId, _made] = TrackId("")
    name: Name
    instrument: Name
    type: TrackType = "midi"
    volume_db: Decibels = 0.0
    pan: Pan = 0.0
    mute: bool = False
    color: Color | None = None
    position: Place | None = None


class UpdateTrack(_Edit, frozen=True, kw_only=True, tag="update_track"):
    """Change a track's name, instrument, mix or place; what is left out stays."""

    track_id: TrackId
    name: Name | UnsetType = UNSET
    instrument: Name | UnsetType = UNSET
    volume_db: Decibels | UnsetType = UNSET
    pan: Pan | UnsetType = UNSET
    mute: bool | UnsetType = UNSET
    color: Color | UnsetType = UNSET
    position: Place | UnsetType = UNSET


class DeleteTrack(_Edit, frozen=True, kw_only=True, tag="delete_track"):
    """Remove a track with all that is on it."""

    track_id: TrackId


class DuplicateTrack(_Edit, frozen=True, kw_only=True, tag="duplicate_track"):
    """Copy a track with its clips, effects and automation; the copy stands after it."""

    track_id: TrackId
    new_track_id: Annotated[TrackId, _made] = TrackId("")
    name: Name | None = None


class CreateMidiClip(_Edit, frozen=True, kw_only=True, tag="create_midi_clip"):
    """Add a clip with notes to a track."""

    clip_id: Annotated[ClipId, _made] = ClipId("")
    track_id: TrackId
    start_time: Position
    duration: Length
    notes: tuple[NoteSpec, ...] = ()
    name: Name | None = None


class ModifyClip(_Edit, frozen=True, kw_only=True, tag="modify_clip"):
    """Change a clip: `notes` replaces all its notes, `add_notes` and `remove_notes` (ids) change some;
    rename, move (`start_time`, `to_track_id`) or resize (`duration`, which cuts notes that no longer fit)."""

    clip_id: ClipId
    notes: tuple[NoteSpec, ...] | UnsetType = UNSET
    add_notes: tuple[NoteSpec, ...] = ()
    remove_notes: tuple[NoteId, ...] = ()
    name: Name | UnsetType = UNSET
    start_time: Position | UnsetType = UNSET
    duration: Length | UnsetType = UNSET
    to_track_id: TrackId | UnsetType = UNSET


Transformation = Literal["transpose", "quantize", "humanize", "scale_velocity", "stretch", "reverse", "thin"]


class TransformClip(_Edit, frozen=True, kw_only=True, tag="transform_clip"):
    """Transform a clip's notes: `transpose` by `semitones`; `quantize` starts to `grid` with `strength` 0-1;
    `humanize` starts by up to `timing` and velocities by up to `velocity` from `seed`; `scale_velocity` by
    `factor`; `stretch` times and length by `factor`; `reverse`; `thin` to the share `keep` 0-1 of the notes,
    strong beats first."""

    clip_id: ClipId
    operation: Transformation
    semitones: Annotated[int, Meta(ge=-60, le=60)] = 0
    grid: Length = Ticks(240)
    strength: Annotated[float, Meta(ge=0, le=1)] = 1.0
    timing: Position = Ticks(0)
    velocity: Annotated[int, Meta(ge=0, le=60)] = 0
    seed: Annotated[int, Meta(ge=0)] = 0
    factor: Annotated[float, Meta(gt=0, le=16)] = 1.0
    keep: Annotated[float, Meta(ge=0, le=1)] = 1.0


class DuplicateClip(_Edit, frozen=True, kw_only=True, tag="duplicate_clip"):
    """Copy a clip to `start_time` (left out: right after it), on its own or another track."""

    clip_id: ClipId
    new_clip_id: Annotated[ClipId, _made] = ClipId("")
    start_time: Position | None = None
    to_track_id: TrackId | None = None


class SplitClip(_Edit, frozen=True, kw_only=True, tag="split_clip"):
    """Cut a clip in two at a time of the song; a note that crosses the cut ends there."""

    clip_id: ClipId
    new_clip_id: Annotated[ClipId, _made] = ClipId("")
    at_time: Position


class DeleteClip(_Edit, frozen=True, kw_only=True, tag="delete_clip"):
    """Remove a clip."""

    clip_id: ClipId


class AddEffect(_Edit, frozen=True, kw_only=True, tag="add_effect"):
    """Add an effect of the list to a track's chain, or to "master"."""

    effect_id: Annotated[EffectId, _made] = EffectId("")
    track_id: TrackId
    effect_name: Name
    params: dict[str, float] = {}
    enabled: bool = True
    position: Place | None = None


class UpdateEffect(_Edit, frozen=True, kw_only=True, tag="update_effect"):
    """Change some parameters of an effect, switch it, or move it in its chain."""

    effect_id: EffectId
    params: dict[str, float] = {}
    enabled: bool | UnsetType = UNSET
    position: Place | UnsetType = UNSET


class RemoveEffect(_Edit, frozen=True, kw_only=True, tag="remove_effect"):
    """Take an effect out of its chain."""

    effect_id: EffectId


class SetAutomation(_Edit, frozen=True, kw_only=True, tag="set_automation"):
    """Replace a track's automation lane for `target` (volume_db, pan, pedal, bend, expression, modulation or
    EFFECT_ID.PARAM); no points removes the lane."""

    track_id: TrackId
    target: Name
    points: tuple[PointSpec, ...]
    curve: Literal["linear", "hold"] = "linear"


class SetTempo(_Edit, frozen=True, kw_only=True, tag="set_tempo"):
    """Set the tempo (quarter notes a minute) from a beat on, up to the next change."""

    bpm: Bpm
    at_beat: Position = Ticks(0)


class SetTimeSignature(_Edit, frozen=True, kw_only=True, tag="set_time_signature"):
    """Set the meter from a beat on, up to the next change; a new bar begins there."""

    beats: Annotated[int, Meta(ge=1, le=32)]
    unit: Literal[1, 2, 4, 8, 16, 32]
    at_beat: Position = Ticks(0)


class SetKey(_Edit, frozen=True, kw_only=True, tag="set_key"):
    """Set the key of the song; notes stay."""

    tonic: Tonic
    mode: Mode


class SetChords(_Edit, frozen=True, kw_only=True, tag="set_chords"):
    """State the chords of a stretch, in place of those that stood there; notes stay. They lie within it, one behind
    another; no chords takes away those that stood there."""

    start_time: Position
    duration: Length
    chords: tuple[ChordSpec, ...]


class SetLoudness(_Edit, frozen=True, kw_only=True, tag="set_loudness"):
    """Set the integrated loudness, in LUFS, that the mix is brought to."""

    target: Lufs


class SetSoundFont(_Edit, frozen=True, kw_only=True, tag="set_sound_font"):
    """Let a track, or without `track_id` the whole song, play from a SoundFont file of the person's own; an empty
    `file` takes it away."""

    track_id: TrackId | None = None
    file: SoundFontFile = ""


class RenameSong(_Edit, frozen=True, kw_only=True, tag="rename_song"):
    """Give the song a name."""

    name: Name


class AddSection(_Edit, frozen=True, kw_only=True, tag="add_section"):
    """Name a stretch of the form."""

    section_id: Annotated[SectionId, _made] = SectionId("")
    name: Name
    start_time: Position
    duration: Length


class UpdateSection(_Edit, frozen=True, kw_only=True, tag="update_section"):
    """Rename, move or resize a section; clips stay."""

    section_id: SectionId
    name: Name | UnsetType = UNSET
    start_time: Position | UnsetType = UNSET
    duration: Length | UnsetType = UNSET


class DeleteSection(_Edit, frozen=True, kw_only=True, tag="delete_section"):
    """Remove a section; clips stay."""

    section_id: SectionId


Edit: TypeAlias = (
    CreateTrack | UpdateTrack | DeleteTrack | DuplicateTrack
    | CreateMidiClip | ModifyClip | TransformClip | DuplicateClip | SplitClip | DeleteClip
    | AddEffect | UpdateEffect | RemoveEffect | SetAutomation
    | SetTempo | SetTimeSignature | SetKey | SetChords | SetLoudness | SetSoundFont | RenameSong
    | AddSection | UpdateSection | DeleteSection
)
