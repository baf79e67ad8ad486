"""`apply(song, edit)`: the only code that changes a song. It returns a new one or raises `SongError`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from agent.song import edits as e
from agent.song.apply_clips import create_clip, delete_clip, duplicate_clip, modify_clip, split_clip, transform_clip
from agent.song.apply_effects import add_effect, remove_effect, set_automation, update_effect
from agent.song.apply_frame import (
    add_section,
    delete_section,
    rename_song,
    set_chords,
    set_key,
    set_loudness,
    set_sound_font,
    set_tempo,
    set_time_signature,
    update_section,
)
from agent.song.apply_tracks import create_track, delete_track, duplicate_track, update_track
from agent.song.rules import check_change
from agent.song.song import Song


def apply(song: Song, edit: e.Edit) -> Song:
    """The song after one edit; the given song must keep every rule and is not changed. Raises `SongError` if the edit
    would break a rule."""
    after = _apply(song, edit)
    check_change(song, after)
    return after


def apply_all(song: Song, edits: Iterable[e.Edit]) -> Song:
    """The song after several edits in order. Raises `SongError` at the first edit that would break a rule."""
    for edit in edits:
        song = apply(song, edit)
    return song


def _apply(song: Song, edit: e.Edit) -> Song:
    match edit:
        case e.CreateTrack() | e.UpdateTrack() | e.DeleteTrack() | e.DuplicateTrack():
            return _apply_to_tracks(song, edit)
        case (
            e.CreateMidiClip() | e.ModifyClip() | e.TransformClip()
            | e.DuplicateClip() | e.SplitClip() | e.DeleteClip()
        ):
            return _apply_to_clips(song, edit)
        case e.AddEffect():
            return add_effect(song, edit)
        case e.UpdateEffect():
            return update_effect(song, edit)
        case e.RemoveEffect():
            return remove_effect(song, edit)
        case e.SetAutomation():
            return set_automation(song, edit)
        case _:
            return _apply_to_frame(song, edit)


def _apply_to_tracks(
    song: Song, edit: e.CreateTrack | e.UpdateTrack | e.DeleteTrack | e.DuplicateTrack
) -> Song:
    match edit:
        case e.CreateTrack():
            return create_track(song, edit)
        case e.UpdateTrack():
            return update_track(song, edit)
        case e.DeleteTrack():
            return delete_track(song, edit)
        case e.DuplicateTrack():
            return duplicate_track(song, edit)
    assert_never(edit)


def _apply_to_clips(
    song: Song,
    edit: e.CreateMidiClip | e.ModifyClip | e.TransformClip | e.DuplicateClip | e.SplitClip | e.DeleteClip,
) -> Song:
    match edit:
        case e.CreateMidiClip():
            return create_clip(song, edit)
        case e.ModifyClip():
            return modify_clip(song, edit)
        case e.TransformClip():
            return transform_clip(song, edit)
        case e.DuplicateClip():
            return duplicate_clip(song, edit)
        case e.SplitClip():
            return split_clip(song, edit)
        case e.DeleteClip():
            return delete_clip(song, edit)
    assert_never(edit)


def _apply_to_frame(
    song: Song,
    edit: e.SetTempo | e.SetTimeSignature | e.SetKey | e.SetChords | e.SetLoudness | e.SetSoundFont
    | e.RenameSong | e.AddSection | e.UpdateSection | e.DeleteSection,
) -> Song:
    match edit:
        case e.SetTempo():
            return set_tempo(song, edit)
        case e.SetTimeSignature():
            return set_time_signature(song, edit)
        case e.SetKey():
            return set_key(song, edit)
        case e.SetChords():
            return set_chords(song, edit)
        case e.SetLoudness():
            return set_loudness(song, edit)
        case e.SetSoundFont():
            return set_sound_font(song, edit)
        case e.RenameSong():
            return rename_song(song, edit)
        case e.AddSection():
            return add_section(song, edit)
        case e.UpdateSection():
            return update_section(song, edit)
        case e.DeleteSection():
            return delete_section(song, edit)
    assert_never(edit)
