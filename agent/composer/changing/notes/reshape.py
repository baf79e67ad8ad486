"""Reshaping notes: a calmer beat, pitches in another key, and in the range of an instrument."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.tones import STEP, Tone
from agent.song.key import Key
from agent.theory.pitch import degree_of, degree_pitch, fold, nearest_in_scale


def calmer_beat(tones: Sequence[Tone], clip_start: int) -> list[Tone]:
    """Only the hits on eighths counted from `clip_start`; of several drums on one eighth the loudest."""
    kept: dict[int, Tone] = {}
    for tone in tones:
        at = round((tone.start - clip_start) / STEP)
        if at % 2 == 0 and (at not in kept or tone.velocity > kept[at].velocity):
            kept[at] = tone
    return sorted(kept.values())


def in_key(tones: Sequence[Tone], old: Key, new: Key, way: int = 0) -> list[Tone]:
    """The notes moved from the key `old` to the key `new`, degree by degree: by the shorter way (`way` 0), up (1) or
    down (-1)."""
    up = (new.pitch_class - old.pitch_class) % 12
    shift = (up + 6) % 12 - 6 if not way or not up else up if way > 0 else up - 12
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
    """The line brought into pitches `low` to `high`: as a whole by octaves, then single notes that remain outside."""
    return strays_in(tones, octaves_into(tones, low, high), low, high, key)


def octaves_into(tones: Sequence[Tone], low: int, high: int) -> int:
    """The shift in semitones (whole octaves, up to two) by which a line fits the pitches `low` to `high` best; 0 where
    it fits as it is."""
    if not tones:
        return 0
    centre = sum(tone.pitch for tone in tones) / len(tones)
    return min((-24, -12, 0, 12, 24), key=lambda s: (_outside(tones, s, low, high), abs(s), abs(centre + s - 64)))


def strays_in(tones: Sequence[Tone], octaves: int, low: int, high: int, key: Key) -> list[Tone]:
    """The line moved by `octaves` (semitones), then single notes that still lie outside `low` to `high` brought
    inside."""
    return [Tone(t.start, _strayed(t.pitch + octaves, low, high, key), t.length, t.velocity) for t in tones]


def _outside(tones: Sequence[Tone], shift: int, low: int, high: int) -> int:
    return sum(not low <= tone.pitch + shift <= high for tone in tones)


def _strayed(pitch: int, low: int, high: int, key: Key) -> int:
    if low <= pitch <= high:
        return pitch
    inside = fold(pitch, low, high)
    return inside if low <= inside <= high else nearest_in_scale(key, max(low, min(high, pitch)))
