"""Swinging: when notes begin, and nothing else: late on every second place of a grid, or all a little off the beat."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent.composer.changing.hearing.feel_heard import Feel
from agent.composer.changing.hearing.grid import Grid
from agent.composer.changing.notes.timing import apart
from agent.composer.tones import Tone

_TRIPLET, _NEAR = 320, 36
"""Ticks of an eighth triplet, and how near to one a note of a triplet lies."""


class SwingFeel(Struct, frozen=True):
    """Where the second of two notes of `grid` ticks begins, as a share of the pair (`ratio`): 0.5 straight, 0.667
    triplet swing."""

    ratio: float
    grid: int

    @property
    def seam(self) -> float:
        """Ticks from the start of a pair of notes to the second one."""
        return self.ratio * 2 * self.grid


def of_feel(feel: Feel) -> SwingFeel:
    """The swing feel for a `Feel` that was heard in a song."""
    return SwingFeel(0.5 + feel.swing / 2, feel.grid)


def swung(tones: Sequence[Tone], grid: Grid, old: SwingFeel, new: SwingFeel) -> list[Tone]:
    """The tones moved from the swing feel `old` to `new` by stretching time within each pair, so that small deviations
    and the order of notes stay. `grid` gives the song's bars.

    Triplets in a straight song are left alone.
    """
    result = []
    for tone in tones:
        begin, _ = grid.bar(tone.start)
        place = tone.start - begin
        if old.ratio == 0.5 and _in_triplets(place):
            result.append(tone)
            continue
        straight = _warped(place, old.grid, old.seam, float(old.grid))
        at = _warped(straight, new.grid, float(new.grid), new.seam)
        result.append(Tone(begin + round(at), tone.pitch, tone.length, tone.velocity))
    return apart(result)


def shifted(tones: Sequence[Tone], by: int) -> list[Tone]:
    """The tones moved by `by` ticks (negative: earlier, not before tick 0); overlaps of a pitch are cut."""
    return apart([Tone(max(0, tone.start + by), tone.pitch, tone.length, tone.velocity) for tone in tones])


def on_grid(tones: Sequence[Tone], grid: Grid, step: float, amount: float) -> list[Tone]:
    """The tones moved towards the nearest line of a grid of `step` ticks that begins anew in each bar; `amount` is the
    share of the way, 0 to 1."""
    result = []
    for tone in tones:
        begin, end = grid.bar(tone.start)
        place = min(end, begin + round(round((tone.start - begin) / step) * step))
        start = tone.start + round((place - tone.start) * min(1.0, amount))
        result.append(Tone(start, tone.pitch, tone.length, tone.velocity))
    return apart(result)


def _in_triplets(place: int) -> bool:
    return any(abs(place % 960 - third) <= _NEAR for third in (_TRIPLET, 2 * _TRIPLET))


def _warped(place: float, grid: int, old: float, new: float) -> float:
    """A place within pairs of `grid`, whose second note moves from `old` to `new` ticks behind the first."""
    pair, inside = divmod(place, 2 * grid)
    before = inside / old * new
    behind = new + (inside - old) / (2 * grid - old) * (2 * grid - new)
    return pair * 2 * grid + (before if inside < old else behind)
