"""Step strings read as rhythms, and the choice among a part's patterns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.composer.dice import Dice
from agent.composer.tones import STEP

_REST = "."
_HOLD = "-"
_BAR = 16
_TURN, _BUSY = 4, 4
"""Bars after which a hand turns, and strokes from which on a bar is busy."""
_LOUD, _CALMER = 0.65, 2.0
"""Energy of a loud section, and stumbles a bar that a calmer pattern must save there."""


def marks(text: str) -> str:
    """A step string without spaces and bar signs."""
    return text.replace(" ", "").replace("|", "")


def hits(text: str, start: int, end: int, bar: int) -> Iterator[tuple[int, int, str]]:
    """(start tick, length in ticks, mark) of each note of a step string repeated from `start` to `end`.

    A string of whole bars (of `bar` ticks) runs on; of one in rows of sixteen steps a shorter bar cuts each row.
    """
    steps = marks(text)
    return ((at, length, steps[place]) for at, length, place in places(steps, start, end, bar))


def places(text: str, start: int, end: int, bar: int) -> Iterator[tuple[int, int, int]]:
    """(start tick, length in ticks, index of the mark in the string) of each note; otherwise like `hits`."""
    steps = marks(text)
    per_bar = max(1, bar // STEP)
    wide = row_of(steps, bar)
    rows = max(1, len(steps) // wide)
    begun: tuple[int, int] | None = None
    for number in range((end - start) // STEP):
        row, column = divmod(number, per_bar)
        place = ((row % rows) * wide + column % wide) % len(steps)
        mark = steps[place]
        if mark == _HOLD and begun is not None:
            continue
        at = start + row * bar + column * STEP
        if begun is not None:
            yield begun[0], at - begun[0], begun[1]
            begun = None
        if mark not in (_REST, _HOLD):
            begun = (at, place)
    if begun is not None:
        yield begun[0], end - begun[0], begun[1]


def row_of(text: str, bar: int) -> int:
    """Steps per row of a step string: those of a bar of `bar` ticks if it consists of whole bars, otherwise sixteen."""
    per_bar = max(1, bar // STEP)
    return per_bar if len(marks(text)) % per_bar == 0 else _BAR


def bars_of(text: str, bar: int) -> int:
    """The number of bars that a step string lasts; `bar` is in ticks."""
    return max(1, len(marks(text)) // row_of(text, bar))


def choose(patterns: Sequence[str], energy: float, dice: Dice) -> str:
    """The step string for an energy of 0 to 1, from `patterns` that run from calm to busy, with some randomness."""
    place = energy * len(patterns) + dice.between(-0.5, 0.5)
    return patterns[max(0, min(len(patterns) - 1, int(place)))]


def turned(text: str, bar: int, bars: int, dice: Dice, share: float) -> str:
    """The step string extended to four bars with the last one varied, with a probability of `share`; otherwise
    unchanged.

    A calm bar gets a stroke on its last eighth; a busy one loses its last stroke. `bars` are those of the scene.
    """
    steps = marks(text)
    rows, wide = bars_of(steps, bar), row_of(steps, bar)
    whole = _TURN // rows if rows in (1, 2, _TURN) and wide * STEP == bar else 0
    if not whole or bars < _TURN or not dice.of("turn").chance(share):
        return text
    last = steps[-wide:]
    struck = [at for at, mark in enumerate(last) if mark not in (_REST, _HOLD)]
    if len(struck) < _BUSY and (not struck or struck[-1] < wide - 2):
        varied = last[: wide - 2] + "o" + _HOLD
    elif len(struck) >= _BUSY:
        goes_on = _REST if last[struck[-1] - 1] == _REST else _HOLD
        varied = last[: struck[-1]] + goes_on * (wide - struck[-1])
    else:
        return text
    return steps * (whole - 1) + steps[:-wide] + varied


def roaming(
    patterns: Sequence[str], energy: float, bar: int, bars: int, dice: Dice, roams: float, turns: float
) -> str:
    """A step string over `bars`: four bars each of the pattern for an energy or, as often as `roams`, of one beside it,
    as a hand plays that is free. Their last bars are turned as often as `turns`."""
    first = patterns.index(choose(patterns, energy, dice))
    steps = ""
    for number in range(-(-bars // _TURN)):
        own = dice.of(f"block {number}")
        away = own.pick((-1, 1)) if number and own.chance(roams) else 0
        text = patterns[max(0, min(len(patterns) - 1, first + away))]
        rows = bars_of(text, bar)
        if row_of(text, bar) * STEP != bar or _TURN % rows:
            return patterns[first]
        whole = marks(turned(text, bar, _TURN, own, turns))
        steps += whole * (_TURN // bars_of(whole, bar))
    return steps


def locked(patterns: Sequence[str], energy: float, kick: str, dice: Dice) -> str:
    """A pattern for an energy; a neighbouring one if it clashes clearly less with the kick's step string.

    In a loud section a calmer pattern is taken only if the other clashes more than about once a bar.
    """
    first = patterns.index(choose(patterns, energy, dice))
    near = [at for at in (first, first + 1, first - 1) if 0 <= at < len(patterns)]
    calmer = _CALMER if energy >= _LOUD else 0.0

    def cost(at: int) -> float:
        bars = max(1.0, max(len(marks(patterns[at])), len(marks(kick))) / _BAR)
        return stumbles(patterns[at], kick) / bars + (calmer if at < first else 0.0)

    return patterns[min(near, key=cost)]


def stumbles(pattern: str, kick: str) -> int:
    """The number of notes in the pattern that begin a sixteenth next to a kick which the pattern does not share."""
    ours, beat = marks(pattern), marks(kick)
    if not beat:
        return 0
    begins = [at for at, mark in enumerate(ours) if mark not in (_REST, _HOLD)]
    struck = {at for at in range(len(ours)) if beat[at % len(beat)] not in (_REST, _HOLD, "g")}
    alone = struck.difference(begins)
    return sum(at not in struck and bool({at - 1, at + 1} & alone) for at in begins)


def tied(pattern: str, kick: str) -> str:
    """The pattern with notes that begin a sixteenth next to an unshared kick moved onto it; notes on bar lines, and
    steps that lead to a chord, stay."""
    steps, beat = list(marks(pattern)), marks(kick)
    if not beat:
        return "".join(steps)

    def alone(at: int) -> bool:
        inside = 0 < at < len(steps) and at % _BAR
        return bool(inside) and steps[at] in (_REST, _HOLD) and beat[at % len(beat)] not in (_REST, _HOLD, "g")

    for at, mark in enumerate(steps):
        if mark in (_REST, _HOLD, "a") or not at % _BAR or beat[at % len(beat)] not in (_REST, _HOLD, "g"):
            continue
        if alone(at - 1):
            steps[at - 1], steps[at] = mark, _HOLD
        elif alone(at + 1):
            steps[at + 1], steps[at] = mark, _HOLD if steps[at - 1] != _REST else _REST
    return "".join(steps)
