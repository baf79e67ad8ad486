"""Compass: lines within the pitches and the difficulty that whoever plays them has."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from msgspec import Struct, structs

from agent.composer.changing.hearing.grid import attacks
from agent.composer.changing.notes.simplifying import simplified
from agent.composer.changing.notes.voices import Voice
from agent.composer.styles import Role
from agent.composer.tones import STEP, Tone
from agent.song.key import Key
from agent.theory.pitch import in_scale

_OCTAVES = (0, -12, 12, -24, 24, -36, 36, -48, 48)
EASY_LEAP = 9
"""The widest leap in a beginner's part, in semitones: a sixth."""
_FINGERS, _HAND = 3, 12
"""Notes of a beginner's chord, and semitones that the hand spans."""
_EASY: dict[Role, tuple[int, int]] = {"lead": (60, 79), "counter": (55, 76), "bass": (36, 55)}
"""The compass of a beginner's part: C4-G5 for a tune, C3-C5 for everything not named here."""
_EASY_ELSE = (48, 72)


def in_compass(tones: Sequence[Tone], low: int, high: int, key: Key) -> list[Tone]:
    """The tones within pitches `low` to `high`: the whole line moved by octaves where most of it lies outside, then
    single notes that remain outside."""
    if not tones:
        return []
    outside = sum(not low <= tone.pitch <= high for tone in tones)
    shift = 0
    if outside * 2 > len(tones):
        shift = min(_OCTAVES, key=lambda by: (sum(not low <= t.pitch + by <= high for t in tones), abs(by)))
    folded = [structs.replace(tone, pitch=_inside(tone.pitch + shift, low, high, key)) for tone in tones]
    return list({(tone.start, tone.pitch): tone for tone in reversed(folded)}.values())[::-1]


def easy_compass(voice: Voice) -> tuple[int, int]:
    """The lowest and highest pitch of a beginner's part for this role, within the instrument's range."""
    low, high = _EASY.get(voice.role, _EASY_ELSE)
    low, high = max(low, voice.low), min(high, voice.high)
    return (low, high) if high - low >= 7 else (voice.low, min(voice.high, voice.low + 19))


def eased(tones: Sequence[Tone], voice: Voice) -> list[Tone]:
    """The part for a beginner: nothing faster than eighths, no leap above a sixth, small chords, within
    `easy_compass`."""
    fewer = simplified(tones, voice, 1.0)
    struck: dict[tuple[int, int], list[Tone]] = {}
    for group in attacks(fewer):
        start, _ = voice.grid.bar(group[0].start)
        struck.setdefault((start, (voice.grid.straight(group[0].start) - start) // (2 * STEP)), group)
    groups = list(struck.values())
    if voice.rhythmic:
        return sorted(tone for group in groups for tone in group)
    low, high = easy_compass(voice)
    inside = in_compass([tone for group in groups for tone in _small(group)], low, high, voice.key)
    return sorted(_near(inside, low, high) if voice.role in ("lead", "counter", "bass") else inside)


def _small(group: Sequence[Tone]) -> list[Tone]:
    """A chord that one hand of a beginner holds: outer voices and one between them."""
    chord = sorted(group, key=lambda tone: tone.pitch)
    while len(chord) > _FINGERS:
        chord.pop(1)
    while len(chord) > 1 and chord[-1].pitch - chord[0].pitch > _HAND:
        chord.pop(0)
    return chord


class _Way(Struct, frozen=True):
    """A line so far: its last pitch, semitones beyond easy leaps, those by which tones moved, and the way before it."""

    pitch: int
    wide: int
    moved: int
    before: _Way | None

    @property
    def cost(self) -> tuple[int, int, int]:
        return self.wide, self.moved, self.pitch


def _near(line: Sequence[Tone], low: int, high: int) -> list[Tone]:
    """The line with each tone in the octave that keeps leaps small in all of it, and else nearest to where it was."""
    tones = sorted(line)
    ways: list[_Way] = []
    for tone in tones:
        options = [pitch for by in _OCTAVES if low <= (pitch := tone.pitch + by) <= high] or [tone.pitch]
        known: Sequence[_Way | None] = ways or (None,)
        ways = [min((_on(way, tone.pitch, pitch) for way in known), key=attrgetter("cost")) for pitch in options]
    way = min(ways, key=attrgetter("cost"), default=None)
    pitches: list[int] = []
    while way is not None:
        pitches.append(way.pitch)
        way = way.before
    return [structs.replace(tone, pitch=pitch) for tone, pitch in zip(tones, reversed(pitches), strict=True)]


def _on(way: _Way | None, written: int, pitch: int) -> _Way:
    moved = abs(pitch - written)
    if way is None:
        return _Way(pitch, 0, moved, None)
    return _Way(pitch, way.wide + max(0, abs(pitch - way.pitch) - EASY_LEAP), way.moved + moved, way)


def _inside(pitch: int, low: int, high: int, key: Key) -> int:
    octaves = [pitch + by for by in range(-120, 121, 12) if low <= pitch + by <= high]
    options = octaves or [p for p in range(low, high + 1) if in_scale(key, p)] or [low, high]
    return min(options, key=lambda p: abs(p - pitch))
