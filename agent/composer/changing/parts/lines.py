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
    """All tones moved by the same octaves, the fewest that leave the fewest outside; those are folded one by one."""
    if not tones:
        return []
    shift = min(_OCTAVES, key=lambda by: (sum(not low <= tone.pitch + by <= high for tone in tones), abs(by)))
    return [structs.replace(tone, pitch=_inside(tone.pitch + shift, low, high, key)) for tone in tones]


def fits(tones: Sequence[Tone], by: int, instrument: Instrument) -> float:
    """Share of the tones that an instrument can play when they are moved by semitones."""
    inside = sum(instrument.low <= tone.pitch + by <= instrument.high for tone in tones)
    return inside / len(tones) if tones else 0.0


def held_over(tones: Sequence[Tone], end: int) -> list[Tone]:
    """Struck tones played by what holds: each lasts to the next stroke, at most two beats; starts and pitches stay."""
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
    """Tones as an instrument of another family plays them."""
    if now in HELD and was in STRUCK:
        tones = held_over(tones, end)
    if was not in _EVEN or now in _EVEN or len({tone.velocity for tone in tones}) >= _FEWEST:
        return list(tones)
    return by_hand(tones)


def by_hand(tones: Sequence[Tone]) -> list[Tone]:
    """Tones struck a little unevenly, as a hand strikes what was even."""
    return [
        structs.replace(tone, velocity=max(1, min(127, tone.velocity + _WOBBLE[number % len(_WOBBLE)])))
        for number, tone in enumerate(tones)
    ]


def moved(tone: Tone, semitones: int, key: Key) -> Tone:
    """A tone an interval away: octaves exactly, other intervals by steps of the key."""
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
