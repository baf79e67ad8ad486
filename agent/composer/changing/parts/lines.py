"""Whole lines in another instrument's hands: brought into its range by octaves and played as it is played."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec import structs

from agent.composer.tones import Tone
from agent.song.key import Key
from agent.song.palette import Family, Instrument
from agent.song.time import PPQ
from agent.theory.pitch import fold, move, nearest_in_scale

STRUCK: tuple[Family, ...] = ("piano", "keys", "guitar", "pluck", "bass", "percussion")
HELD: tuple[Family, ...] = ("strings", "pad", "choir", "organ", "brass", "woodwind", "lead")
_EVEN: tuple[Family, ...] = ("arp", "fx", "pad", "organ")
"""Families that no hand strikes."""
_OCTAVES = (0, -12, 12, -24, 24, -36, 36)
_LEGATO = 2 * PPQ
"""Ticks to which a struck note is held at most where another instrument takes it over, or a bar's chord longer."""
_STEPS = {3: 2, 4: 2, 5: 3, 7: 4, 8: 5, 9: 5}
"""Scale steps of intervals that follow the key: thirds, fourths, fifths and sixths."""
_FEWEST = 6
_WOBBLE = (0, 3, -2, 4, -4, 1, -1, 2, -3)


def into_range(tones: Sequence[Tone], low: int, high: int, key: Key) -> list[Tone]:
    """All tones moved by the same number of octaves so that the fewest lie outside `low` to `high`; those are moved one
    by one."""
    if not tones:
        return []
    shift = min(_OCTAVES, key=lambda by: (sum(not low <= tone.pitch + by <= high for tone in tones), abs(by)))
    return [structs.replace(tone, pitch=_inside(tone.pitch + shift, low, high, key)) for tone in tones]


def fits(tones: Sequence[Tone], by: int, instrument: Instrument) -> float:
    """The share (0 to 1) of the tones that the instrument can play after a shift of `by` semitones; 0.0 without
    tones."""
    inside = sum(instrument.low <= tone.pitch + by <= instrument.high for tone in tones)
    return inside / len(tones) if tones else 0.0


def held_over(tones: Sequence[Tone], end: int) -> list[Tone]:
    """Short notes lengthened for a sustaining instrument: each lasts until the next attack, at most two beats; `end`
    closes the last."""
    starts = sorted({tone.start for tone in tones})
    following = dict(pairwise([*starts, end]))
    last: dict[int, int] = {}
    longer: list[Tone] = []
    for tone in sorted(tones, reverse=True):
        until = min(following[tone.start], tone.start + _LEGATO)
        length = max(tone.length, until - tone.start)
        again = last.get(tone.pitch)
        if again is not None and again > tone.start:
            length = min(length, again - tone.start)
        last[tone.pitch] = tone.start
        longer.append(structs.replace(tone, length=max(length, 60)))
    return sorted(longer)


def handed_over(tones: Sequence[Tone], was: Family | None, now: Family, end: int) -> list[Tone]:
    """The tones as an instrument of family `now` plays what was written for family `was` (None: unknown): lengthened
    and with uneven velocities where needed."""
    if now in HELD and was in STRUCK:
        tones = held_over(tones, end)
    if was not in _EVEN or now in _EVEN or len({tone.velocity for tone in tones}) >= _FEWEST:
        return list(tones)
    return by_hand(tones)


def by_hand(tones: Sequence[Tone]) -> list[Tone]:
    """The tones with slightly uneven velocities, in place of mechanically even ones."""
    return [
        structs.replace(tone, velocity=max(1, min(127, tone.velocity + _WOBBLE[number % len(_WOBBLE)])))
        for number, tone in enumerate(tones)
    ]


def moved(tone: Tone, semitones: int, key: Key) -> Tone:
    """The tone moved by an interval in semitones: octaves exactly, other intervals to the nearest degree of the key."""
    octaves, rest = divmod(abs(semitones), 12)
    sign = 1 if semitones > 0 else -1
    pitch = tone.pitch + sign * 12 * octaves
    if rest in _STEPS:
        pitch = move(key, pitch, sign * _STEPS[rest])
    elif rest:
        pitch += sign * rest
    return structs.replace(tone, pitch=pitch)


def _inside(pitch: int, low: int, high: int, key: Key) -> int:
    if low <= pitch <= high:
        return pitch
    inside = fold(pitch, low, high)
    return inside if low <= inside <= high else nearest_in_scale(key, max(low, min(high, pitch)))
