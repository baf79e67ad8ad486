"""How track edits change a song."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from agent.song import edits as e
from agent.song.clip import Clip, in_order
from agent.song.colors import color_in_turn
from agent.song.ids import ClipId, EffectId, Kind, NoteId, TrackId, derive
from agent.song.parts import given, placed, with_track
from agent.song.rules import check_track
from agent.song.song import Song
from agent.song.track import Track


def create_track(song: Song, edit: e.CreateTrack) -> Song:
    """Add the track at its place, in the next colour unless one is given."""
    track = Track(
        edit.track_id, edit.name, edit.instrument, edit.type, edit.volume_db, edit.pan, edit.mute,
        edit.color or color_in_turn(len(song.tracks)),
    )
    check_track(track)
    return replace(song, tracks=placed(song.tracks, track, edit.position))


def update_track(song: Song, edit: e.UpdateTrack) -> Song:
    """Change what the edit sets and leave the rest."""
    fields: dict[str, Any] = given(
        name=edit.name, instrument=edit.instrument, volume_db=edit.volume_db, pan=edit.pan,
        mute=edit.mute, color=edit.color,
    )
    track = replace(song.track(edit.track_id), **fields)
    song = with_track(song, track)
    if isinstance(edit.position, int):
        others = tuple(other for other in song.tracks if other.id != track.id)
        song = replace(song, tracks=placed(others, track, edit.position))
    return song


def delete_track(song: Song, edit: e.DeleteTrack) -> Song:
    """Remove the track."""
    gone = song.track(edit.track_id)
    return replace(song, tracks=tuple(track for track in song.tracks if track.id != gone.id))


def duplicate_track(song: Song, edit: e.DuplicateTrack) -> Song:
    """Add a copy after the original; all ids in it derive from the new track's."""
    original = song.track(edit.track_id)
    copy = _copy(original, edit.new_track_id, edit.name or f"{original.name} copy"[:120])
    at = [track.id for track in song.tracks].index(original.id) + 1
    return replace(song, tracks=placed(song.tracks, copy, at))


def _copy(track: Track, new_id: TrackId, name: str) -> Track:
    renamed = {effect.id: EffectId(derive(Kind.EFFECT, new_id, effect.id)) for effect in track.effects}
    automation = []
    for lane in track.automation:
        effect_id, dot, param = lane.target.partition(".")
        target = f"{renamed[EffectId(effect_id)]}.{param}" if dot else lane.target
        automation.append(replace(lane, target=target))
    clips = [copy_clip(clip, ClipId(derive(Kind.CLIP, new_id, clip.id))) for clip in track.clips]
    return replace(
        track,
        id=new_id,
        name=name,
        clips=tuple(sorted(clips, key=lambda clip: (clip.start, clip.id))),
        effects=tuple(replace(effect, id=renamed[effect.id]) for effect in track.effects),
        automation=tuple(automation),
    )


def copy_clip(clip: Clip, new_id: ClipId) -> Clip:
    """The clip under a new id; its notes' ids derive from it."""
    notes = [replace(note, id=NoteId(derive(Kind.NOTE, new_id, note.id))) for note in clip.notes]
    return replace(clip, id=new_id, notes=in_order(notes))
