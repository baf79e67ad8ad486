"""Staying: what of a whole song a request wants as it is, and whether a task leaves it so."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from agent.song.song import Song
from agent.song.track import Automation, Track

_LANES = ("volume_db", "pan")


def disturbed(aspects: Sequence[str], before: Song, after: Song) -> str:
    """The first of `aspects` ("form", "meter", "length") in which two songs differ; "" if in none."""
    return next((one for one in aspects if one in _DIFFER and _DIFFER[one](before, after)), "")


def as_mixed(before: Song, after: Song) -> Song:
    """The song `after` with the master and each track that was in `before` mixed as they were there."""
    old = {track.id: track for track in before.tracks}
    tracks = tuple(_mixed_as(old[track.id], track) if track.id in old else track for track in after.tracks)
    master = before.master_effects
    return structs.replace(after, tracks=tracks, master_effects=master, loudness_target=before.loudness_target)


def _mixed_as(old: Track, track: Track) -> Track:
    lanes = [one for one in track.automation if not _is_mixed(one, track)]
    lanes += [one for one in old.automation if _is_mixed(one, old)]
    same = track.automation if set(lanes) == set(track.automation) else tuple(lanes)
    return structs.replace(
        track, volume_db=old.volume_db, pan=old.pan, mute=old.mute, effects=old.effects, automation=same
    )


def _is_mixed(lane: Automation, track: Track) -> bool:
    effects = {effect.id for effect in track.effects}
    return lane.target in _LANES or lane.target.partition(".")[0] in effects


def _form_differs(before: Song, after: Song) -> bool:
    return _form(before) != _form(after)


def _form(song: Song) -> tuple[object, ...]:
    bars = song.bar_map
    sections = tuple((one.name, bars.bar_at(one.start), bars.bar_at(one.start + one.duration)) for one in song.sections)
    return song.bars, sections


def _meter_differs(before: Song, after: Song) -> bool:
    return before.meters != after.meters


def _length_differs(before: Song, after: Song) -> bool:
    """Whether a song lasts longer or shorter by more than a bar: at another tempo no number of bars lasts as long."""
    lasted, lasts = (song.tempo_map.seconds(int(song.end)) for song in (before, after))
    return abs(lasts - lasted) > lasted / max(before.bars, 1)


_DIFFER = {"form": _form_differs, "meter": _meter_differs, "length": _length_differs}
