"""Reshaping notes for a mood or another key: velocities, beats, pitches."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.tones import STEP, Tone
from agent.song.key import Key
from agent.theory.pitch import degree_of, degree_pitch, fold, nearest_in_scale

_HAT = 42


def weighted(tones: Sequence[Tone], energy: float, brightness: float) -> list[Tone]:
    """Louder with energy and brightness, softer without; at least one step of velocity."""
    factor = 1 + 0.22 * energy + 0.12 * brightness
    if factor == 1:
        return list(tones)
    step = 1 if factor > 1 else -1
    return [
        Tone(t.start, t.pitch, t.length, max(1, min(127, _moved(t.velocity, factor, step))))
        for t in tones
    ]


def _moved(velocity: int, factor: float, step: int) -> int:
    moved = round(velocity * factor)
    return moved if moved != velocity else velocity + step


def calmer_beat(tones: Sequence[Tone], clip_start: int) -> list[Tone]:
    """Only the hits on the eighths, and of two drums together the louder."""
    kept: dict[int, Tone] = {}
    for tone in tones:
        at = round((tone.start - clip_start) / STEP)
        if at % 2 == 0 and (at not in kept or tone.velocity > kept[at].velocity):
            kept[at] = tone
    return sorted(kept.values())


def busier_beat(tones: Sequence[Tone], clip_start: int, clip_end: int) -> list[Tone]:
    """Hi-hats added on the eighths where none is played."""
    hats = {round((tone.start - clip_start) / STEP) for tone in tones if tone.pitch in (42, 44, 46, 51)}
    loud = max((tone.velocity for tone in tones), default=90)
    added = [
        Tone(clip_start + at * STEP, _HAT, STEP // 2, max(1, int(loud * (0.62 if at % 4 else 0.74)) + at % 3))
        for at in range(0, (clip_end - clip_start) // STEP, 2)
        if at not in hats
    ]
    return sorted([*tones, *added])


def in_key(tones: Sequence[Tone], old: Key, new: Key) -> list[Tone]:
    """Every degree of the old key becomes that degree of the new one, moved the shorter way."""
    shift = (new.pitch_class - old.pitch_class + 6) % 12 - 6
    return [Tone(t.start, _moved_pitch(t.pitch, old, new, shift), t.length, t.velocity) for t in tones]


def _moved_pitch(pitch: int, old: Key, new: Key, shift: int) -> int:
    degree = degree_of(old, pitch)
    if degree is None:
        return max(0, min(127, pitch + shift))
    octave = (pitch - degree_pitch(old, degree, 0)) // 12
    moved = degree_pitch(new, degree, octave)
    wanted = pitch + shift
    options = [moved + 12 * k for k in (-1, 0, 1)]
    nearest = min(options, key=lambda p: abs(p - wanted))
    return fold(nearest, 0, 127)


def fitted(tones: Sequence[Tone], low: int, high: int, key: Key) -> list[Tone]:
    """Pitches brought into an instrument's range: the whole line by octaves, single strays one by one."""
    if not tones:
        return []
    centre = sum(tone.pitch for tone in tones) / len(tones)
    shift = min((-24, -12, 0, 12, 24), key=lambda s: (_outside(tones, s, low, high), abs(s), abs(centre + s - 64)))
    return [Tone(t.start, _strayed(t.pitch + shift, low, high, key), t.length, t.velocity) for t in tones]


def _outside(tones: Sequence[Tone], shift: int, low: int, high: int) -> int:
    return sum(not low <= tone.pitch + shift <= high for tone in tones)


def _strayed(pitch: int, low: int, high: int, key: Key) -> int:
    if low <= pitch <= high:
        return pitch
    inside = fold(pitch, low, high)
    return inside if low <= inside <= high else nearest_in_scale(key, max(low, min(high, pitch)))
