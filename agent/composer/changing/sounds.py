"""Sounds for tracks that exist: the instrument and effects that a style gives to a role."""

from __future__ import annotations

from collections.abc import Collection

from agent.composer.dice import Dice
from agent.composer.guard import Guard
from agent.composer.styles import RHYTHMIC, EffectUse, PartStyle, Role, Style
from agent.composer.understanding.intent import Intent
from agent.song.palette import Instrument, Palette
from agent.song.track import Track

_KIN: dict[Role, tuple[Role, ...]] = {
    "chords": ("pad", "arp"), "pad": ("chords",), "arp": ("chords", "texture"), "texture": ("arp", "pad"),
    "percussion": ("drums",), "drums": ("percussion",),
}


def part_for(role: Role, style: Style) -> PartStyle | None:
    """The style's part for a role, or for its nearest kin."""
    for candidate in (role, *_KIN.get(role, ())):
        part = style.part_for(candidate)
        if part is not None:
            return part
    return None


def effects_for(role: Role, style: Style) -> tuple[EffectUse, ...]:
    """The effects that the style gives to a role."""
    part = part_for(role, style)
    return part.effects if part is not None else ()


def sound_for(
    track: Track, role: Role, style: Style, intent: Intent, palette: Palette, guard: Guard, used: Collection[str],
    dice: Dice,
) -> Instrument | None:
    """The instrument that a track takes on, one that no other track uses where there is a choice.

    None where sounds are to be kept, nothing fits, or locked notes lie outside every choice's range.
    """
    part = part_for(role, style)
    if part is None or intent.keep_sounds or (role in RHYTHMIC and style.dissolves):
        return None
    known = {instrument.name: instrument for instrument in palette.instruments}
    if track.instrument in part.instruments and track.instrument in known:
        return known[track.instrument]
    locked = [n.pitch for clip in track.clips for n in clip.notes if guard.closed(clip.start + n.start)]
    options = [
        known[name] for name in part.instruments
        if name in known
        and not any(wish.covers(role, known[name].family) for wish in intent.refused)
        and all(known[name].low <= pitch <= known[name].high for pitch in locked)
    ]
    fresh = [instrument for instrument in options if instrument.name not in used] or options
    return dice.of(f"sound {track.id}").pick(fresh) if fresh else None
