"""Changes: rounds of chords that a kind of music has by custom, in any key."""

from __future__ import annotations

from agent.composer.writing.harmony import is_minor
from agent.song.chord import Chord, Quality
from agent.song.key import Key

BLUES_BARS = 12
_MAJOR: tuple[tuple[int, Quality], ...] = tuple((step, "7") for step in (0, 5, 0, 0, 5, 5, 0, 0, 7, 5, 0, 7))
_MINOR: tuple[tuple[int, Quality], ...] = tuple(
    (step, "7" if step in (7, 8) else "min7") for step in (0, 5, 0, 0, 5, 5, 0, 0, 8, 7, 0, 7)
)
"""Semitones above the tonic and kinds of chord, bar for bar."""


def blues(key: Key) -> tuple[Chord, ...]:
    """The twelve-bar blues in a key, a chord for each bar."""
    steps = _MINOR if is_minor(key.mode) else _MAJOR
    return tuple(Chord((key.pitch_class + step) % 12, quality) for step, quality in steps)
