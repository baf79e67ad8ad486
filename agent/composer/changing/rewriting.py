"""Rewriting clips and tracks that exist: one row for each object that changes, none for one that does not."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.changing.listening import tones_of
from agent.composer.guard import Guard
from agent.composer.rows import CLEARING, Rows
from agent.composer.styles import EffectUse
from agent.composer.tones import Tone, outside, tidy, written
from agent.plan.plan import Inputs
from agent.song.clip import Clip
from agent.song.palette import Palette
from agent.song.track import Track


def free_tones(clip: Clip, guard: Guard) -> tuple[Tone, ...]:
    """The clip's notes that may change."""
    return outside(tones_of(clip), guard.spans)


def is_frozen(track: Track, guard: Guard) -> bool:
    """Whether locked bars hold something of the track, so that it cannot be deleted."""
    starts: list[int] = [clip.start for clip in track.clips]
    starts += [clip.start + note.start for clip in track.clips for note in clip.notes]
    starts += [point.at for lane in track.automation for point in lane.points]
    return any(guard.closed(start) for start in starts)


def remove_track(track: Track, rows: Rows, why: str) -> None:
    """Delete a track; where locked bars hold a part of it, only the rest is silenced."""
    if not is_frozen(track, rows.guard):
        rows.add("delete_track", {"track_id": track.id}, title=f"Remove {track.name}", group=CLEARING, why=why)
        return
    for clip in track.clips:
        rewrite(track, clip, (), rows, group=CLEARING, title=f"Silence {track.name} outside the lock", why=why)


def rewrite(track: Track, clip: Clip, tones: Sequence[Tone], rows: Rows, *, group: str, title: str, why: str) -> None:
    """Give a clip new notes outside locked bars; an emptied clip is deleted."""
    guard = rows.guard
    frozen = [note for note in clip.notes if guard.closed(clip.start + note.start)]
    if sorted(outside(tones, guard.spans)) == sorted(free_tones(clip, guard)):
        return
    new = _clear_of(tidy(outside(tones, guard.spans), clip.start, clip.end), frozen, clip)
    if not new and not frozen and not guard.closed(clip.start):
        rows.add(
            "delete_clip", {"clip_id": clip.id}, title=f"Remove {clip.name} of {track.name}", group=group, why=why
        )
        return
    inputs: Inputs = {"clip_id": clip.id}
    if frozen:
        inputs["remove_notes"] = [note.id for note in clip.notes if not guard.closed(clip.start + note.start)]
        inputs["add_notes"] = written(new, clip.start)
        inputs = {name: value for name, value in inputs.items() if value}
    else:
        inputs["notes"] = written(new, clip.start)
    rows.add("modify_clip", inputs, title=title, group=group, why=why)


def update_sound(track: Track, changes: Inputs, rows: Rows, *, group: str, why: str) -> None:
    """Change a track's instrument and mix in one row; what already is so is left out."""
    current: Inputs = {
        "instrument": track.instrument, "volume_db": track.volume_db, "pan": track.pan, "name": track.name,
    }
    new = {name: value for name, value in changes.items() if current[name] != value}
    if new:
        words = str(new.get("instrument", "")).replace("_", " ")
        title = f"{track.name} on {words}" if words else f"Mix of {track.name}"
        rows.add("update_track", {"track_id": track.id, **new}, title=title, group=group, why=why)


def dress(track: Track, uses: Sequence[EffectUse], rows: Rows, palette: Palette, *, group: str) -> None:
    """Bring a track's effects to what is wanted: those it has are set, the others added."""
    for use in uses:
        present = next((effect for effect in track.effects if effect.name == use.effect), None)
        if present is None:
            rows.effect(track.id, use, owner=track.name, group=group)
            continue
        defaults = {param.name: param.default for param in palette.effect(use.effect).params}
        now = {**defaults, **dict(present.params)}
        params = {name: value for name, value in use.params.items() if now.get(name) != value}
        inputs: Inputs = {"effect_id": present.id}
        if params:
            inputs["params"] = params
        if not present.enabled:
            inputs["enabled"] = True
        if len(inputs) > 1:
            rows.add(
                "update_effect", inputs, title=f"{use.effect.capitalize()} of {track.name}", group=group,
                why="sets what is there already",
            )


def _clear_of(tones: tuple[Tone, ...], frozen: Sequence[object], clip: Clip) -> tuple[Tone, ...]:
    """Tones cut or left out where a locked note of the same pitch sounds."""
    if not frozen:
        return tones
    locked = [(n.pitch, clip.start + n.start, clip.start + n.end) for n in clip.notes if n in frozen]
    kept = []
    for tone in tones:
        starts = [start for pitch, start, _ in locked if pitch == tone.pitch and tone.start < start < tone.end]
        under = any(pitch == tone.pitch and start <= tone.start < end for pitch, start, end in locked)
        length = min([tone.length, *(start - tone.start for start in starts)])
        if not under and length >= 60:
            kept.append(Tone(tone.start, tone.pitch, length, tone.velocity))
    return tuple(kept)
