"""From what a hand does to clips and tracks to the edits that the song undergoes."""

from __future__ import annotations

import secrets
from collections.abc import Collection

from msgspec import Struct
from msgspec.structs import replace

from agent.song.clip import Clip
from agent.song.edits import DeleteClip, DuplicateClip, Edit, ModifyClip, NoteSpec, SplitClip, UpdateTrack
from agent.song.ids import ClipId, Kind, TrackId, derive
from agent.song.song import Song
from agent.song.time import Ticks
from agent.song.track import Track
from app.i18n import tr, trn

MAX_NAME = 120
LOWEST = -60.0
HIGHEST = 6.0
"""Top of the volume fader in dB; a song may contain values beyond both ends."""


class HandEdit(Struct, frozen=True):
    """Edits made by hand that become one version of the song, named `label` in the undo history; `made` are the clips
    that they add. Empty `edits`: nothing to do."""

    edits: tuple[Edit, ...] = ()
    label: str = ""
    made: tuple[ClipId, ...] = ()


def fresh_clip_id() -> ClipId:
    """A new random clip id."""
    return ClipId(derive(Kind.CLIP, "hand", secrets.token_hex(16)))


def chosen(song: Song, clips: Collection[ClipId]) -> tuple[tuple[Track, Clip], ...]:
    """The clips with these ids and their tracks, in the song's order; ids that are not in the song (ghosts) are
    ignored."""
    return tuple((track, clip) for track, clip in song.clips() if clip.id in clips)


def reach(song: Song, clips: Collection[ClipId], by: int, lanes: int) -> tuple[int, int]:
    """The shift in ticks and tracks, nearest to the wanted `by` (ticks) and `lanes` (tracks), that keeps all clips in
    the song."""
    found = chosen(song, clips)
    places = {track.id: number for number, track in enumerate(song.tracks)}
    rows = [places[track.id] for track, _ in found]
    if not rows:
        return 0, 0
    by = max(by, -min(clip.start for _, clip in found))
    return by, max(-min(rows), min(lanes, len(song.tracks) - 1 - max(rows)))


def moved(song: Song, clips: Collection[ClipId], by: int, lanes: int = 0, *, copy: bool = False) -> HandEdit:
    """The edit that moves clips, or with `copy` copies of them, by ticks and by tracks (`lanes`), as far as they stay
    in the song."""
    by, lanes = reach(song, clips, by, lanes)
    found = chosen(song, clips)
    if not found or (by == 0 and lanes == 0):
        return HandEdit()
    places = {track.id: number for number, track in enumerate(song.tracks)}
    edits: list[Edit] = []
    made = []
    for track, clip in found:
        target = song.tracks[places[track.id] + lanes].id
        start = Ticks(clip.start + by)
        if copy:
            made.append(fresh_clip_id())
            edits.append(DuplicateClip(
                clip_id=clip.id, new_clip_id=made[-1], start_time=start, to_track_id=target
            ))
        elif target == track.id:
            edits.append(ModifyClip(clip_id=clip.id, start_time=start))
        else:
            edits.append(ModifyClip(clip_id=clip.id, start_time=start, to_track_id=target))
    what = _what(found)
    return HandEdit(tuple(edits), tr("Copy {what}", what=what) if copy else tr("Move {what}", what=what), tuple(made))


def resized(song: Song, clips: Collection[ClipId], by: int) -> HandEdit:
    """The edit that moves the right edge of clips by `by` ticks; notes that no longer fit are cut."""
    found = [(track, clip, Ticks(max(1, clip.duration + by))) for track, clip in chosen(song, clips)]
    edits = tuple(
        ModifyClip(clip_id=clip.id, duration=duration)
        for _, clip, duration in found if duration != clip.duration
    )
    return HandEdit(edits, tr("Resize {what}", what=_what([one[:2] for one in found]))) if edits else HandEdit()


def resized_left(song: Song, clips: Collection[ClipId], by: int) -> HandEdit:
    """The edit that moves the left edge of clips by `by` ticks; notes keep their position in the song, those before the
    edge are cut."""
    edits: list[Edit] = []
    found = chosen(song, clips)
    for _, clip in found:
        step = max(-clip.start, min(clip.duration - 1, by))
        if step:
            edits.append(ModifyClip(
                clip_id=clip.id, start_time=Ticks(clip.start + step), duration=Ticks(clip.duration - step),
                notes=tuple(
                    NoteSpec.of(replace(note, start=Ticks(note.start - step))) for note in clip.notes
                    if note.start >= step
                ),
            ))
    return HandEdit(tuple(edits), tr("Resize {what}", what=_what(found))) if edits else HandEdit()


def split(song: Song, clips: Collection[ClipId], at: int) -> HandEdit:
    """The edit that splits those of the clips that contain tick `at`; `made` are the right halves."""
    found = [(track, clip) for track, clip in chosen(song, clips) if clip.start < at < clip.end]
    if not found:
        return HandEdit()
    made = tuple(fresh_clip_id() for _ in found)
    edits = tuple(
        SplitClip(clip_id=clip.id, new_clip_id=new_id, at_time=Ticks(at))
        for (_, clip), new_id in zip(found, made, strict=True)
    )
    return HandEdit(edits, tr("Split {what}", what=_what(found)), made)


def duplicated(song: Song, clips: Collection[ClipId]) -> HandEdit:
    """The edit that copies clips to right after the range that they cover together."""
    found = chosen(song, clips)
    if not found:
        return HandEdit()
    by = max(clip.end for _, clip in found) - min(clip.start for _, clip in found)
    made = tuple(fresh_clip_id() for _ in found)
    edits = tuple(
        DuplicateClip(clip_id=clip.id, new_clip_id=new_id, start_time=Ticks(clip.start + by))
        for (_, clip), new_id in zip(found, made, strict=True)
    )
    return HandEdit(edits, tr("Duplicate {what}", what=_what(found)), made)


def deleted(song: Song, clips: Collection[ClipId]) -> HandEdit:
    """The edit that deletes clips."""
    found = chosen(song, clips)
    return HandEdit(tuple(DeleteClip(clip_id=clip.id) for _, clip in found), tr("Delete {what}", what=_what(found)))


def renamed(song: Song, clip_id: ClipId, name: str) -> HandEdit:
    """The edit that renames a clip; without edits for an empty or unchanged name."""
    name = name.strip()[:MAX_NAME]
    found = chosen(song, [clip_id])
    if not found or not name or found[0][1].name == name:
        return HandEdit()
    return HandEdit((ModifyClip(clip_id=clip_id, name=name),), tr("Rename clip to {name}", name=name)[:MAX_NAME])


def renamed_track(song: Song, track_id: TrackId, name: str) -> HandEdit:
    """The edit that renames a track; without edits for an empty or unchanged name."""
    name = name.strip()[:MAX_NAME]
    track = find_track(song, track_id)
    if track is None or not name or track.name == name:
        return HandEdit()
    return HandEdit((UpdateTrack(track_id=track_id, name=name),), tr("Rename track to {name}", name=name)[:MAX_NAME])


def muted(song: Song, track_id: TrackId) -> HandEdit:
    """The edit that mutes a track, or unmutes it if it is muted."""
    track = find_track(song, track_id)
    if track is None:
        return HandEdit()
    label = tr("Unmute {name}", name=track.name) if track.mute else tr("Mute {name}", name=track.name)
    return HandEdit((UpdateTrack(track_id=track_id, mute=not track.mute),), label[:MAX_NAME])


def find_track(song: Song, track_id: TrackId | None) -> Track | None:
    """The track of that id; None if the song has none."""
    return next((track for track in song.tracks if track.id == track_id), None)


def _what(found: Collection[tuple[Track, Clip]]) -> str:
    if len(found) == 1:
        return next(clip.name for _, clip in found)[:80]
    return trn("{count} clip", "{count} clips", len(found))
