"""What is heard of a comparison: A, B, or a song of only what differs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Literal

from msgspec.structs import replace

from agent.song.clip import Clip
from agent.song.ids import ClipId, EffectId, Kind, TrackId, derive
from agent.song.song import Song
from agent.song.track import Automation, Track
from app.viewmodels.history import difference
from app.viewmodels.history.comparing import Comparison, DifferingTrack
from app.viewmodels.history.difference import NoteAt
from app.viewmodels.transport.loudness import as_loud_as

Heard = Literal["a", "b", "difference"]


def version_heard(comparison: Comparison, heard: Heard, *, matched: bool) -> Song:
    """The song of A or B; `matched` brings A to the loudness of B."""
    a, b = comparison.a, comparison.b
    if heard != "a":
        return b
    return as_loud_as(a, b) if matched else a


def matched_by(comparison: Comparison) -> float:
    """Decibels by which A is raised to the loudness of B."""
    return comparison.b.loudness_target - comparison.a.loudness_target


def beside_of(track: TrackId) -> TrackId:
    """The id of the extra track on which removed notes of a track are played in the song of the differences."""
    return TrackId(derive(Kind.TRACK, "difference", track))


def difference_song(comparison: Comparison, kinds: Collection[difference.Kind]) -> Song:
    """B with only those notes that differ in one of the ways `kinds`. Removed notes are played as in A, on an extra
    track. A track that differs only apart from its notes is played whole."""
    old = {track.id: track for track in comparison.a.tracks}
    new = {track.id: track for track in comparison.b.tracks}
    tracks: list[Track] = []
    for one in comparison.tracks:
        now, was = new.get(one.id), old.get(one.id)
        if not one.counts.differing:
            tracks += [now] if now is not None else []
            continue
        after = {mark.after.at for mark in one.marks if mark.after is not None and mark.kind in kinds
                 and mark.kind != "same"}
        if now is not None and after:
            tracks.append(replace(now, clips=_only(now, after)))
        before = {mark.before.at for mark in one.marks if mark.before is not None and mark.kind == "removed"
                  and mark.kind in kinds}
        if was is not None and before:
            tracks.append(_beside(replace(was, clips=_only(was, before)), one))
    return replace(comparison.b, tracks=tuple(tracks))


def _only(track: Track, wanted: Collection[NoteAt]) -> tuple[Clip, ...]:
    return tuple(_clips(track, wanted))


def _clips(track: Track, wanted: Collection[NoteAt]) -> Iterator[Clip]:
    for clip in track.clips:
        notes = tuple([note for note in clip.notes if (clip.id, note.id) in wanted])
        if notes:
            yield replace(clip, notes=notes)


def _beside(track: Track, one: DifferingTrack) -> Track:
    """The same with ids of its own, so that it can stand beside the track as it is in B."""
    ids = {effect.id: EffectId(derive(Kind.EFFECT, "difference", effect.id)) for effect in track.effects}
    effects = tuple(replace(effect, id=ids[effect.id]) for effect in track.effects)
    lanes = tuple(_retargeted(lane, ids) for lane in track.automation)
    clips = [replace(clip, id=ClipId(derive(Kind.CLIP, "difference", clip.id))) for clip in track.clips]
    return replace(
        track, id=beside_of(one.id), effects=effects, automation=lanes,
        clips=tuple(sorted(clips, key=lambda clip: (clip.start, clip.id))),
    )


def _retargeted(lane: Automation, ids: Mapping[EffectId, EffectId]) -> Automation:
    head, dot, param = lane.target.partition(".")
    made = ids.get(EffectId(head))
    return replace(lane, target=f"{made}.{param}") if dot and made is not None else lane
