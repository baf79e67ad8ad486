"""What the rhythm of notes measures like: swing, groove, looseness, backbeats, and notes struck together."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, pstdev

from agent.song.time import PPQ
from agent.theory.sounding import Sounding

_SNARES = frozenset({37, 38, 39, 40})
_STRONG = 60
"""Velocity of a snare from which it is a backbeat and no ghost note."""
_TOGETHER = 60
"""Ticks within which notes are one stroke."""


def swing(notes: Sequence[Sounding]) -> float:
    """Where the second of two eighths (or sixteenths) falls: 0.5 straight, 0.67 a triplet; the more swung of both."""
    found = [0.5]
    for pair in (PPQ, PPQ // 2):
        half = pair // 2
        late = [note.start % pair - half for note in notes if abs(note.start % pair - half) <= pair // 5]
        if late:
            found.append(0.5 + fmean(late) / pair)
    return max(found)


def groove(notes: Sequence[Sounding]) -> float:
    """How much notes groove: their mean depth in the beat (0 on it, 1 on its half, 2 between), swing and accents."""
    if not notes:
        return 0.0
    accents = pstdev([note.velocity for note in notes]) / 40
    return fmean(_depth(note.start) for note in notes) + 4 * (swing(notes) - 0.5) + accents


def looseness(notes: Sequence[Sounding], bpm: float) -> float:
    """Mean distance in milliseconds of the strokes from the nearest sixteenth or triplet."""
    off = [min(_distance(note.start, PPQ // 4), _distance(note.start, PPQ // 6)) for note in notes]
    return fmean(off) * 60_000 / (bpm * PPQ) if off else 0.0


def notes_per_attack(notes: Sequence[Sounding]) -> float:
    """Notes for each moment at which any begins; 0 without notes."""
    return len(notes) / len({note.start // _TOGETHER for note in notes}) if notes else 0.0


def backbeats(notes: Sequence[Sounding]) -> int:
    """Strong strokes of snare or clap among the notes of drum kits."""
    return sum(note.pitch in _SNARES and note.velocity >= _STRONG for note in notes)


def _distance(at: int, grid: int) -> int:
    return min(at % grid, -at % grid)


def _depth(at: int) -> int:
    """How deep in the beat a moment lies, to the nearest 1/24 of a beat."""
    place = round(at % PPQ * 24 / PPQ) % 24
    return 0 if place in (23, 0, 1) else 1 if place in (11, 12, 13) else 2
