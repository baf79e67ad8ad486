"""Sounds for tracks that exist: the instrument and effects that a style gives to a role."""

from __future__ import annotations

from collections.abc import Collection

from agent.composer.changing.stage import Stage
from agent.composer.styles import RHYTHMIC, PartStyle, Role, Style
from agent.song.palette import EffectUse, Instrument
from agent.song.track import Track

_KIN: dict[Role, tuple[Role, ...]] = {
    "chords": ("pad", "arp"), "pad": ("chords",), "arp": ("chords", "texture"), "texture": ("arp", "pad"),
    "percussion": ("drums",), "drums": ("percussion",),
}


def part_for(role: Role, style: Style) -> PartStyle | None:
    """The style's part for a role or for the most similar role that it has; None if it has none."""
    for candidate in (role, *_KIN.get(role, ())):
        part = style.part_for(candidate)
        if part is not None:
            return part
    return None


def effects_for(role: Role, style: Style) -> tuple[EffectUse, ...]:
    """The effects that a style gives to a role; empty if it has no such part."""
    part = part_for(role, style)
    return part.effects if part is not None else ()


def sound_for(stage: Stage, track: Track, role: Role, style: Style, used: Collection[str]) -> Instrument | None:
    """The instrument that a track gets in a style; preferably one that is not in `used`.

    None if sounds are to be kept, nothing fits, or locked notes lie outside the range of every choice.
    """
    part = part_for(role, style)
    if part is None or stage.intent.keep_sounds or (role in RHYTHMIC and style.dissolves):
        return None
    known = {instrument.name: instrument for instrument in stage.palette.instruments}
    if track.instrument in part.instruments and track.instrument in known:
        return known[track.instrument]
    guard = stage.sketch.guard
    locked = [
        n.pitch for clip in track.clips for n in clip.notes
        if clip.id in guard.clips or guard.closed(clip.start + n.start)
    ]
    options = [
        instrument for instrument in allowed(stage, part)
        if all(instrument.low <= pitch <= instrument.high for pitch in locked)
    ]
    fresh = [instrument for instrument in options if instrument.name not in used] or options
    return stage.dice.of(f"sound {track.id}").pick(fresh) if fresh else None


def allowed(stage: Stage, part: PartStyle) -> list[Instrument]:
    """The part's instruments that exist and that the request does not exclude."""
    known = {instrument.name: instrument for instrument in stage.palette.instruments}
    return [
        known[name] for name in part.instruments
        if name in known and not any(wish.covers(part.role, known[name].family) for wish in stage.refused)
    ]
