"""How clip edits change a song."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from agent.message import msg
from agent.song import edits as e
from agent.song.apply_tracks import copy_clip
from agent.song.clip import Clip, Note, in_order
from agent.song.errors import SongError
from agent.song.ids import ClipId
from agent.song.parts import drop_clip, given, put_clip, with_clips
from agent.song.rules import check_clip
from agent.song.song import Song
from agent.song.time import Ticks
from agent.song.track import Track
from agent.song.transform import transformed


def create_clip(song: Song, edit: e.CreateMidiClip) -> Song:
    """Add the clip with its notes."""
    track = song.track(edit.track_id)
    name = edit.name or track.name
    notes = in_order([spec.note() for spec in edit.notes])
    return put_clip(song, track, Clip(edit.clip_id, name, edit.start_time, edit.duration, notes))


def modify_clip(song: Song, edit: e.ModifyClip) -> Song:
    """Change notes first, then name, length and place."""
    track, clip = song.clip(edit.clip_id)
    notes = _edited_notes(clip, edit, track)
    fields: dict[str, Any] = given(name=edit.name, start=edit.start_time, duration=edit.duration)
    changed = replace(clip, notes=notes, **fields)
    if edit.duration is not UNSET and edit.notes is UNSET:
        changed = replace(changed, notes=_cut(changed.notes, changed.duration))
    if edit.to_track_id is UNSET or edit.to_track_id == track.id:
        return put_clip(song, track, changed)
    song = drop_clip(song, track, clip)
    assert isinstance(edit.to_track_id, str)
    return put_clip(song, song.track(edit.to_track_id), changed)


def transform_clip(song: Song, edit: e.TransformClip) -> Song:
    """Transform the notes as the edit's `operation` says; `stretch` also changes the clip's length."""
    track, clip = song.clip(edit.clip_id)
    return put_clip(song, track, transformed(clip, edit))


def duplicate_clip(song: Song, edit: e.DuplicateClip) -> Song:
    """Add the copy at its place."""
    track, clip = song.clip(edit.clip_id)
    target = track if edit.to_track_id is None else song.track(edit.to_track_id)
    start = clip.end if edit.start_time is None else edit.start_time
    return put_clip(song, target, replace(copy_clip(clip, edit.new_clip_id), start=start))


def split_clip(song: Song, edit: e.SplitClip) -> Song:
    """Replace the clip by its two halves; the left one keeps the id, the right one gets the edit's `new_clip_id`."""
    track, clip = song.clip(edit.clip_id)
    at = Ticks(edit.at_time - clip.start)
    if not 0 < at < clip.duration:
        raise SongError(
            msg("clip {clip!r} cannot be split at beat {at_time:g}", clip=clip.name, at_time=edit.at_time / 960),
            why=msg("it lies from beat {start:g} to {end:g}", start=clip.start / 960, end=clip.end / 960),
        )
    left = replace(clip, duration=at, notes=_cut(clip.notes, at))
    right = _right_half(clip, at, edit.new_clip_id)
    for half in (left, right):
        check_clip(half, track)
    rest = [other for other in track.clips if other.id != clip.id]
    return with_clips(song, {track.id: [*rest, left, right]})


def delete_clip(song: Song, edit: e.DeleteClip) -> Song:
    """Remove the clip."""
    track, clip = song.clip(edit.clip_id)
    return drop_clip(song, track, clip)


def _right_half(clip: Clip, at: Ticks, new_id: ClipId) -> Clip:
    notes = [replace(note, start=Ticks(note.start - at)) for note in clip.notes if note.start >= at]
    start, duration = Ticks(clip.start + at), Ticks(clip.duration - at)
    return Clip(new_id, clip.name, start, duration, in_order(notes))


def _edited_notes(clip: Clip, edit: e.ModifyClip, track: Track) -> tuple[Note, ...]:
    if isinstance(edit.notes, tuple):
        notes = {spec.id: spec.note() for spec in edit.notes}
        if len(notes) != len(edit.notes):
            raise SongError(
                msg("track {track!r}, clip {clip!r}: two notes have the same id", track=track.name, clip=clip.name),
            )
    else:
        notes = {note.id: note for note in clip.notes}
    for note_id in edit.remove_notes:
        if notes.pop(note_id, None) is None:
            raise SongError(
                msg(
                    "track {track!r}, clip {clip!r} has no note {note_id!r}",
                    track=track.name, clip=clip.name, note_id=note_id,
                ),
            )
    for spec in edit.add_notes:
        notes[spec.id] = spec.note()
    return in_order(list(notes.values()))


def _cut(notes: tuple[Note, ...], length: Ticks) -> tuple[Note, ...]:
    return tuple(
        note if note.end <= length else replace(note, duration=Ticks(length - note.start))
        for note in notes
        if note.start < length
    )
