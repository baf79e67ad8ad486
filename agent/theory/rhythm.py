"""What the rhythm of notes measures like: swing, groove, looseness, backbeats, and notes struck together."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from statistics import fmean, pstdev

from agent.song.time import PPQ
from agent.theory.sounding import TOGETHER, Sounding

_SNARES = frozenset({37, 38, 39, 40})
_TOMS = frozenset({41, 43, 45, 47, 48, 50})
_FILL_TOMS, _FILL_STROKES = 3, 4
"""Strokes of toms in a bar, and of snare or toms in its second half, that make a fill."""
_STRONG = 60
"""Velocity of a snare from which it is a backbeat and no ghost note."""


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
    """How strong the groove is: the mean distance from the beat (0 on it, 1 on its half, 2 elsewhere) plus swing and
    accents; 0 without notes."""
    if not notes:
        return 0.0
    accents = pstdev([note.velocity for note in notes]) / 40
    return fmean(_depth(note.start) for note in notes) + 4 * (swing(notes) - 0.5) + accents


def looseness(notes: Sequence[Sounding], bpm: float) -> float:
    """Mean distance in milliseconds of the notes from the nearest sixteenth or triplet at the tempo `bpm`; 0 without
    notes."""
    off = [min(_distance(note.start, PPQ // 4), _distance(note.start, PPQ // 6)) for note in notes]
    return fmean(off) * 60_000 / (bpm * PPQ) if off else 0.0


def lateness(notes: Sequence[Sounding], bpm: float) -> float:
    """Mean time in milliseconds by which notes are behind the nearest sixteenth at the tempo `bpm`; below 0 they are
    ahead."""
    step = PPQ // 4
    late = [(note.start + step // 2) % step - step // 2 for note in notes]
    return fmean(late) * 60_000 / (bpm * PPQ) if late else 0.0


def off_grid(notes: Sequence[Sounding], step: int) -> float:
    """Mean distance of the notes from a grid of `step` ticks, as a share (0 to 1) of half a step; 0 without notes."""
    return fmean(_distance(note.start, step) * 2 / step for note in notes) if notes else 0.0


def notes_per_attack(notes: Sequence[Sounding]) -> float:
    """Mean number of notes that begin together; 0 without notes."""
    return len(notes) / len({note.start // TOGETHER for note in notes}) if notes else 0.0


def backbeats(notes: Sequence[Sounding]) -> int:
    """Strong strokes of snare or clap among the notes of drum kits."""
    return sum(note.pitch in _SNARES and note.velocity >= _STRONG for note in notes)


def ghost_notes(notes: Sequence[Sounding]) -> int:
    """Soft strokes of the snare among the notes of drum kits: less than half as loud as its loudest."""
    snares = [note.velocity for note in notes if note.pitch in _SNARES]
    return sum(2 * velocity < max(snares) for velocity in snares)


def accent(notes: Sequence[Sounding], bars: Sequence[int]) -> float:
    """Difference in mean velocity between notes on the first beat of a bar and the others; `bars` are the ascending
    first ticks of the bars."""
    near = [bars[max(0, bisect_right(bars, note.start) - 1) :][:2] for note in notes]
    firsts = [
        note.velocity for note, around in zip(notes, near, strict=True)
        if any(abs(note.start - at) < TOGETHER for at in around)
    ]
    others = sum(n.velocity for n in notes) - sum(firsts)
    count = len(notes) - len(firsts)
    return fmean(firsts) - others / count if firsts and count else 0.0


def with_kick(notes: Sequence[Sounding], kicks: Sequence[int]) -> float:
    """Share of the notes, 0 to 1, that begin together with a kick; `kicks` are the ascending ticks of its strokes. 0
    without notes."""
    near = [kicks[max(0, bisect_right(kicks, note.start) - 1) :][:2] for note in notes]
    struck = sum(any(abs(n.start - at) < TOGETHER for at in around) for n, around in zip(notes, near, strict=True))
    return struck / len(notes) if notes else 0.0


def is_fill(strokes: Sequence[tuple[int, int, int]], start: int, end: int) -> bool:
    """Whether the drum strokes (tick, pitch, velocity) in a bar from tick `start` to `end` are a fill: three strokes on
    toms, or snare and toms that drum through its second half.

    Soft ghost notes do not count, and strokes at one moment count once.
    """
    hands = [stroke for stroke in strokes if stroke[1] in _SNARES or stroke[1] in _TOMS]
    loudest = max((velocity for _, _, velocity in hands), default=0)
    clear = [stroke for stroke in hands if 2 * stroke[2] >= loudest]
    toms = {at // TOGETHER for at, pitch, _ in clear if pitch in _TOMS}
    late = {at // TOGETHER for at, _, _ in clear if at >= (start + end) // 2 - TOGETHER}
    return len(toms) >= _FILL_TOMS or len(late) >= _FILL_STROKES


def fills(notes: Sequence[Sounding], bars: Sequence[tuple[int, int]]) -> int:
    """The number of bars, given as (start, end) in ticks, that hold a fill; `notes` are those of drum kits."""
    inside: dict[int, list[tuple[int, int, int]]] = {}
    starts = [start for start, _ in bars]
    for note in notes:
        inside.setdefault(bisect_right(starts, note.start) - 1, []).append((note.start, note.pitch, note.velocity))
    return sum(is_fill(inside.get(number, ()), *bar) for number, bar in enumerate(bars))


def _distance(at: int, grid: int) -> int:
    return min(at % grid, -at % grid)


def _depth(at: int) -> int:
    """How deep in the beat a moment lies, to the nearest 1/24 of a beat."""
    place = round(at % PPQ * 24 / PPQ) % 24
    return 0 if place in (23, 0, 1) else 1 if place in (11, 12, 13) else 2
