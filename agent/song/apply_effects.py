"""How effect and automation edits change a song."""

from __future__ import annotations

from msgspec.structs import replace

from agent.message import msg
from agent.song import edits as e
from agent.song.errors import SongError
from agent.song.ids import MASTER
from agent.song.parts import placed, with_track
from agent.song.song import Song
from agent.song.track import Automation, Effect, Track


def add_effect(song: Song, edit: e.AddEffect) -> Song:
    """Put the effect into the chain of the track or of the master."""
    effect = Effect(edit.effect_id, edit.effect_name, _settings(edit.params), edit.enabled)
    if edit.track_id == MASTER:
        return replace(song, master_effects=placed(song.master_effects, effect, edit.position))
    track = song.track(edit.track_id)
    return with_track(song, replace(track, effects=placed(track.effects, effect, edit.position)))


def update_effect(song: Song, edit: e.UpdateEffect) -> Song:
    """Merge the given parameters into the effect, switch or move it."""
    track, effect = song.effect(edit.effect_id)
    params = _settings({**dict(effect.params), **edit.params})
    enabled = edit.enabled if isinstance(edit.enabled, bool) else effect.enabled
    changed = replace(effect, params=params, enabled=enabled)
    chain = tuple(changed if old.id == effect.id else old for old in _chain(song, track))
    if isinstance(edit.position, int):
        chain = placed(tuple(old for old in chain if old.id != effect.id), changed, edit.position)
    return _with_chain(song, track, chain)


def remove_effect(song: Song, edit: e.RemoveEffect) -> Song:
    """Take the effect and the automation of its parameters away."""
    track, effect = song.effect(edit.effect_id)
    chain = tuple(old for old in _chain(song, track) if old.id != effect.id)
    if track is not None:
        lanes = tuple(lane for lane in track.automation if not lane.target.startswith(f"{effect.id}."))
        track = replace(track, automation=lanes)
    return _with_chain(song, track, chain)


def set_automation(song: Song, edit: e.SetAutomation) -> Song:
    """Replace the track's lane for the edit's target, or remove it if the edit has no points; lanes are kept sorted by
    target. Raises `SongError` for the master, which has no lanes."""
    if edit.track_id == MASTER:
        raise SongError(msg("the master has no automation lanes"), fix=msg("automate the tracks instead"))
    track = song.track(edit.track_id)
    lanes = [lane for lane in track.automation if lane.target != edit.target]
    if edit.points:
        points = tuple(spec.point() for spec in sorted(edit.points, key=lambda spec: spec.at))
        lanes.append(Automation(edit.target, points, edit.curve))
    ordered = tuple(sorted(lanes, key=lambda lane: lane.target))
    return with_track(song, replace(track, automation=ordered))


def _settings(params: dict[str, float]) -> tuple[tuple[str, float], ...]:
    return tuple(sorted((name, float(value)) for name, value in params.items()))


def _chain(song: Song, track: Track | None) -> tuple[Effect, ...]:
    return song.master_effects if track is None else track.effects


def _with_chain(song: Song, track: Track | None, chain: tuple[Effect, ...]) -> Song:
    if track is None:
        return replace(song, master_effects=chain)
    return with_track(song, replace(track, effects=chain))
