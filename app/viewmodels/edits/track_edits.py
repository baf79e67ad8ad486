"""What a hand does to whole tracks on the timeline: colour, pan, place, new ones, copies, and tracks out of a file."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

from msgspec.structs import replace

from agent.song.clip import Clip
from agent.song.edits import (
    AddEffect,
    CreateMidiClip,
    CreateTrack,
    DeleteTrack,
    DuplicateTrack,
    Edit,
    NoteSpec,
    PointSpec,
    SetAutomation,
    UpdateTrack,
)
from agent.song.ids import ClipId, EffectId, Kind, TrackId, derive
from agent.song.palette import Instrument
from agent.song.song import Song
from agent.song.time import Ticks
from agent.song.track import Automation, Track
from app.i18n import tr
from app.viewmodels.edits.clip_edits import MAX_NAME, HandEdit, find_track


def fresh_track_id() -> TrackId:
    """A new random track id."""
    return TrackId(derive(Kind.TRACK, "hand", secrets.token_hex(16)))


def colored(song: Song, track_id: TrackId, color: str) -> HandEdit:
    """The edit that sets the colour of a track and its clips (#RRGGBB)."""
    track = find_track(song, track_id)
    if track is None or track.color == color:
        return HandEdit()
    return HandEdit((UpdateTrack(track_id=track_id, color=color),), _short(tr("Colour of {name}", name=track.name)))


def new_track(instrument: Instrument, after: int | None = None) -> tuple[HandEdit, TrackId]:
    """The edit that adds a track with an instrument, below the track of index `after` or at the end, and the track's
    id."""
    made = fresh_track_id()
    name = instrument.label[:MAX_NAME] or instrument.name
    place = None if after is None else after + 1
    edit = CreateTrack(track_id=made, name=name, instrument=instrument.name, position=place)
    return HandEdit((edit,), _short(tr("Add track {name}", name=name))), made


def deleted_track(song: Song, track_id: TrackId) -> HandEdit:
    """The edit that deletes a track with everything on it."""
    track = find_track(song, track_id)
    if track is None:
        return HandEdit()
    return HandEdit((DeleteTrack(track_id=track_id),), _short(tr("Delete track {name}", name=track.name)))


def duplicated_track(song: Song, track_id: TrackId) -> HandEdit:
    """The edit that inserts a copy of a track below it."""
    track = find_track(song, track_id)
    if track is None:
        return HandEdit()
    edit = DuplicateTrack(track_id=track_id, new_track_id=fresh_track_id())
    return HandEdit((edit,), _short(tr("Duplicate track {name}", name=track.name)))


def placed_track(song: Song, track_id: TrackId, place: int) -> HandEdit:
    """The edit that moves a track to an index among the others, counted from 0 and clamped."""
    names = [track.id for track in song.tracks]
    if track_id not in names:
        return HandEdit()
    place = max(0, min(len(names) - 1, place))
    if names.index(track_id) == place:
        return HandEdit()
    name = song.tracks[names.index(track_id)].name
    return HandEdit((UpdateTrack(track_id=track_id, position=place),), _short(tr("Move track {name}", name=name)))


def brought_in(other: Song, at: Ticks, file: str) -> HandEdit:
    """The edit that adds all tracks of another song at a tick, with clips, effects and automation, but without tempos,
    meters and sections. `file` is named in the label."""
    edits = [edit for track in other.tracks for edit in _track_edits(track, at)]
    return HandEdit(tuple(edits), _short(tr("Bring in {file}", file=file)))


def _track_edits(track: Track, at: Ticks) -> Iterator[Edit]:
    made = fresh_track_id()
    yield CreateTrack(
        track_id=made, name=track.name[:MAX_NAME] or track.instrument, instrument=track.instrument,
        volume_db=track.volume_db, pan=track.pan, mute=track.mute,
    )
    for clip in track.clips:
        yield _clip_edit(clip, made, at)
    effects = {effect.id: EffectId(derive(Kind.EFFECT, made, effect.id)) for effect in track.effects}
    for effect in track.effects:
        yield AddEffect(
            effect_id=effects[effect.id], track_id=made, effect_name=effect.name, params=dict(effect.params),
            enabled=effect.enabled,
        )
    for lane in track.automation:
        effect_id, dot, param = lane.target.partition(".")
        target = f"{effects[EffectId(effect_id)]}.{param}" if dot else lane.target
        yield _curve_edit(replace(lane, target=target), made, at)


def _clip_edit(clip: Clip, track: TrackId, at: Ticks) -> Edit:
    made = ClipId(derive(Kind.CLIP, track, clip.id))
    return CreateMidiClip(
        clip_id=made, track_id=track, start_time=Ticks(clip.start + at), duration=clip.duration, name=clip.name,
        notes=tuple(NoteSpec.of(note) for note in clip.notes),
    )


def _curve_edit(lane: Automation, track: TrackId, at: Ticks) -> Edit:
    points = tuple(PointSpec(Ticks(point.at + at), point.value) for point in lane.points)
    return SetAutomation(track_id=track, target=lane.target, points=points, curve=lane.curve)


def _short(label: str) -> str:
    return label[:MAX_NAME]
