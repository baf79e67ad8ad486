"""Voicings: which pitches play a chord, led smoothly from the chord before."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Literal

from agent.message import msg
from agent.song.chord import Chord
from agent.theory.chords import chord_symbol
from agent.theory.errors import TheoryError

Spread = Literal["close", "open", "wide"]
_MUD = 50
"""Below D3 intervals under a fourth sound muddy."""
_TRIAD, _SEVENTH = 3, 11
_HARSH = {1: 1.0, 13: 3.0}
"""What a semitone and a minor ninth inside a voicing cost, in semitones of movement."""
_CLUSTER = 4.0
"""What each second beside another second costs, and one at the bottom."""


def voice(
    chord: Chord,
    around: int,
    previous: tuple[int, ...] | None = None,
    low: int = 0,
    high: int = 127,
    *,
    spread: Spread = "close",
    voices: int | None = None,
    rooted: bool = False,
) -> tuple[int, ...]:
    """Pitches of `chord`, ascending and within `low`-`high`.

    The voicing moves least from `previous` and stays near `around` (without `previous`: nearest to it).
    `close` stays within an octave, `open` drops the second voice from the top by an octave, `wide` lifts
    every other voice by one (so does `open` when the chord names its bass). `voices` sets the number of
    pitches: for fewer than the chord has, the fifth goes first, then the root (the bass has it), or, in a
    `rooted` voicing of three or more, what stands above the seventh; for more, tones are doubled an octave
    up. Ninths may reach beyond the octave where they would else be a cluster. A chord whose `bass` is one
    of its tones has that at the bottom. Where no whole voicing has room, the chord tones that fit are
    returned; `TheoryError` when they are fewer than two.
    """
    return _voiced(chord, around, previous, low, high, spread, voices, rooted)


@lru_cache(maxsize=4096)
def _voiced(
    chord: Chord, around: int, previous: tuple[int, ...] | None, low: int, high: int, spread: Spread,
    voices: int | None, rooted: bool,
) -> tuple[int, ...]:
    # chords that come round are led alike
    tones = _chosen(chord, voices, rooted=rooted)
    bottoms = range(max(0, low), min(127, high) + 1)
    shapes = _shapes(tones, chord, spread, bottoms, voices or len(tones))
    fitting = [shape for shape in shapes if shape[0] >= bottoms.start and shape[-1] < bottoms.stop]
    if fitting:
        return min(fitting, key=lambda shape: (_cost(shape, around, previous), shape))
    if spread != "close":
        return voice(chord, around, previous, low, high, spread="close", voices=voices, rooted=rooted)
    return _squeezed(chord, low, high)


def movement(before: tuple[int, ...], after: tuple[int, ...]) -> int:
    """Semitones that the voices travel: each voice to or from its nearest neighbour, the longer way round."""
    if len(before) == len(after):
        return sum(abs(a - b) for a, b in zip(before, after, strict=True))
    return max(_travel(before, after), _travel(after, before))


def _travel(from_: tuple[int, ...], to: tuple[int, ...]) -> int:
    return sum(min(abs(pitch - other) for other in to) for pitch in from_)


def _chosen(chord: Chord, voices: int | None, *, rooted: bool) -> tuple[int, ...]:
    steps = list(chord.intervals)
    spare = [7, 0] if len(steps) > 3 else [7]
    if rooted and (voices or 0) >= _TRIAD:
        spare = [7, *(step for step in reversed(steps) if step > _SEVENTH)]
    while voices is not None and len(steps) > max(2, voices):
        out = next((step for step in spare if step in steps), steps[-1])
        steps.remove(out)
    return tuple((chord.root + step) % 12 for step in steps)


def _shapes(
    tones: tuple[int, ...], chord: Chord, spread: Spread, bottoms: range, voices: int
) -> Iterator[tuple[int, ...]]:
    for bottom in bottoms:
        if bottom % 12 not in tones or (chord.bass in tones and bottom % 12 != chord.bass):
            continue
        close = tuple(sorted(bottom + (tone - bottom) % 12 for tone in tones))
        yield _doubled(_spread(close, spread, keep_bottom=chord.bass is not None), voices)
        if 14 in chord.intervals and len(close) > 3 and spread == "close":
            # the second voice on top: root, third, seventh, ninth
            yield _doubled(tuple(sorted((close[0], close[1] + 12, *close[2:]))), voices)


def _doubled(shape: tuple[int, ...], voices: int) -> tuple[int, ...]:
    octaves_up = [pitch + 12 * octave for octave in range(1, 11) for pitch in shape]
    spare = [pitch for pitch in dict.fromkeys(octaves_up) if pitch not in shape]
    return tuple(sorted((*shape, *spare[: max(0, voices - len(shape))])))


def _spread(close: tuple[int, ...], spread: Spread, *, keep_bottom: bool) -> tuple[int, ...]:
    if spread == "close" or len(close) < 3:
        return close
    if spread == "open" and not keep_bottom:
        return tuple(sorted((*close[:-2], close[-2] - 12, close[-1])))
    raised = range(1, len(close), 2)
    return tuple(sorted(pitch + 12 if i in raised else pitch for i, pitch in enumerate(close)))


def _cost(shape: tuple[int, ...], around: int, previous: tuple[int, ...] | None) -> float:
    centre = abs(sum(shape) / len(shape) - around)
    mud = sum(4 for a, b in pairwise(shape) if a < _MUD and b - a < 5)
    harsh = sum(_HARSH.get(b - a, 0) for a, b in combinations(shape, 2))
    steps = [b - a <= 2 for a, b in pairwise(shape)]
    harsh += _CLUSTER * (sum(a and b for a, b in pairwise(steps)) + (len(shape) > 3 and steps[0]))
    if not previous:
        return centre + mud + harsh
    return movement(previous, shape) + 0.3 * centre + mud + harsh


def _squeezed(chord: Chord, low: int, high: int) -> tuple[int, ...]:
    pitches = [pitch for pitch in range(max(0, low), min(127, high) + 1) if pitch in chord]
    if len(pitches) < 2:
        name = chord_symbol(chord)
        what = msg("no room for {chord} between pitches {low} and {high}", chord=name, low=low, high=high)
        raise TheoryError(what, fix=msg("widen the range to an octave or more"))
    return tuple(pitches[: len(chord.intervals)])
