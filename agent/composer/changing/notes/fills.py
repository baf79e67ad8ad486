"""Fills: what a drummer plays to lead over into what follows, and which bars hold one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from agent.composer.changing.hearing.grid import Grid
from agent.composer.changing.time.material import KICK, filled, rolled
from agent.composer.tones import STEP, Tone
from agent.theory.rhythm import is_fill

FillKind = Literal["fill", "roll", "toms"]
_FEET = frozenset({35, 36, 44})
"""Kick and pedal hat, which go on under a fill."""
_TOMS = (50, 47, 45, 43)
_SMALL, _BIG = 0.75, 1.2
"""Amounts below which a fill is a beat long, and above which it takes a whole bar."""


def length_of(kind: FillKind, amount: float, grid: Grid, start: int, end: int) -> int:
    """The length in ticks of a fill at the end of the bar from `start` to `end`: its last beat, its second half or all
    of it, as `amount` (1: usual) grows; a fill of the kind "roll" is longer."""
    beats = [*grid.beats(start), end]
    middle = next((at for at in reversed(beats[:-1]) if end - at >= (end - start) // 2), start)
    if amount < _SMALL:
        return end - (middle if kind == "roll" else beats[-2])
    if amount > _BIG or kind == "roll":
        return end - start
    return end - middle


def with_fill(
    kind: FillKind, beat: Sequence[Tone], usual: Sequence[Tone], begin: int, end: int, grid: Grid
) -> list[Tone]:
    """The notes from `begin` to `end` (ticks) with a fill of this `kind` ("fill", "roll", "toms") instead of what the
    drummer's hands play; kick and pedal hi-hat go on.

    `beat` is what plays there, `usual` a sample of the groove for its level and its snare.
    """
    feet = [tone for tone in beat if tone.pitch in _FEET and begin <= tone.start < end]
    strokes = _strokes(kind, usual, begin, end)
    if any(abs(tone.start - begin) < STEP for tone in feet) or kind == "roll":
        strokes = [tone for tone in strokes if tone.pitch != KICK]
    swung = [Tone(grid.swung(t.start), t.pitch, t.length, t.velocity) for t in strokes]
    return sorted([*feet, *(tone for tone in swung if begin <= tone.start < end)])


def _strokes(kind: FillKind, usual: Sequence[Tone], begin: int, end: int) -> list[Tone]:
    if kind == "roll":
        return _even(rolled(usual, begin, end), begin, end)
    fill = filled((), usual, begin, end)
    if kind == "fill":
        return fill
    hands = [tone for tone in fill if tone.pitch != KICK]
    count = max(1, len(hands))
    down = [
        Tone(tone.start, _TOMS[number * len(_TOMS) // count], tone.length, tone.velocity)
        for number, tone in enumerate(hands)
    ]
    return [*(tone for tone in fill if tone.pitch == KICK), *down]


def _even(roll: list[Tone], begin: int, end: int) -> list[Tone]:
    """A roll of less than a bar strikes sixteenths from its beginning."""
    if end - begin > 8 * STEP or not roll:
        return roll
    first, last = roll[0].velocity, roll[-1].velocity
    steps = (end - begin) // STEP
    return [
        Tone(begin + n * STEP, roll[0].pitch, STEP // 2, first + (last - first) * n // max(1, steps - 1))
        for n in range(steps)
    ]


def without_fill(tones: Sequence[Tone], bars: Sequence[tuple[int, int]]) -> dict[tuple[int, int], list[Tone]]:
    """For each (start, end) bar that holds a fill, the notes of the nearest bar of the same length without one, moved
    there.

    On a tie the earlier bar is taken. Bars without a substitute are missing from the result.
    """
    inside = {bar: [tone for tone in tones if bar[0] <= tone.start < bar[1]] for bar in bars}
    plain = [bar for bar, own in inside.items() if own and not holds_fill(own, *bar)]
    found: dict[tuple[int, int], list[Tone]] = {}
    for bar, own in inside.items():
        alike = [other for other in plain if other[1] - other[0] == bar[1] - bar[0]]
        if not alike or not holds_fill(own, *bar):
            continue
        model = min(alike, key=lambda other: (abs(other[0] - bar[0]), other[0] > bar[0]))
        by = bar[0] - model[0]
        found[bar] = [Tone(t.start + by, t.pitch, t.length, t.velocity) for t in inside[model]]
    return found


def holds_fill(tones: Sequence[Tone], start: int, end: int) -> bool:
    """Whether a kit's notes in the bar from `start` to `end` (ticks) close with a fill."""
    return is_fill([(tone.start, tone.pitch, tone.velocity) for tone in tones], start, end)

