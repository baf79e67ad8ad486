"""Motifs: a short rhythm with its steps, what can be made of it, and the order in which a theme uses it."""

from __future__ import annotations

from dataclasses import dataclass

from agent.composer.dice import Dice
from agent.composer.writing.steps import marks

_STEPS = (-2, -1, -1, 1, 1, 2)
_LEAPS = (-4, -3, 3, 4)
_WIDEST = 5
"""Scale steps that a motif strays from its first note."""


@dataclass(frozen=True)
class Motif:
    """A rhythm of one or two bars and the scale steps between its notes."""

    rhythm: str
    moves: tuple[int, ...]

    @property
    def inverted(self) -> Motif:
        """The same rhythm with every step the other way."""
        return Motif(self.rhythm, tuple(-move for move in self.moves))

    @property
    def halved(self) -> Motif:
        """Its first half twice, the second time a step higher."""
        steps = marks(self.rhythm)
        half = steps[: len(steps) // 2]
        notes = sum(mark not in ".-" for mark in half)
        if notes < 2 or half[0] == "-" or len(half) * 2 != len(steps):
            return self
        moves = self.moves[:notes]
        return Motif(half * 2, (*moves, 1 - sum(moves[1:]), *moves[1:]))


@dataclass(frozen=True)
class Turn:
    """How one unit of a phrase is sung: from which motif, moved by which scale steps, and how it ends.

    `home` ends on a tone of rest, `asks` on one that is not; `rests` leaves room before the next unit; `thin` sings
    only its beginning.
    """

    motif: Motif
    lift: int = 0
    home: bool = False
    asks: bool = False
    rests: bool = False
    thin: bool = False


def invent(dice: Dice, rhythms: tuple[str, ...]) -> Motif:
    """A motif: mostly steps, at most one leap, which turns back."""
    rhythm = dice.pick(rhythms)
    notes = sum(mark not in ".-" for mark in marks(rhythm))
    leap_at = dice.whole(1, max(1, notes - 1)) if dice.chance(0.65) else -1
    moves: list[int] = [0]
    drift = 0
    for number in range(1, notes):
        step = dice.pick(_LEAPS) if number == leap_at else dice.pick(_STEPS)
        if number == leap_at + 1 and leap_at > 0:
            step = -1 if moves[-1] > 0 else 1
        if abs(drift + step) > _WIDEST:
            step = -step
        drift += step
        moves.append(step)
    return Motif(rhythm, tuple(moves))


def shape(dice: Dice, first: Motif, second: Motif) -> tuple[Turn, Turn, Turn, Turn]:
    """Four units of a theme: a period, a sequence, a call with its answer, or a mirrored pair."""
    step = dice.pick((1, 1, -1))
    climb = dice.pick((2, 3))
    match dice.whole(0, 4):
        case 0:
            # statement, repeat or sequence, contrast, return
            return (
                Turn(first), Turn(first, dice.pick((0, step)), asks=True, rests=True), Turn(second, climb),
                Turn(first, home=True, rests=True),
            )
        case 1:
            # a sequence that climbs and runs on in halves
            return (
                Turn(first), Turn(first, step), Turn(first.halved, 2 * step if step > 0 else climb),
                Turn(second, home=True, rests=True),
            )
        case 2:
            # call and answer, twice
            return (
                Turn(first, asks=True, rests=True), Turn(second, rests=True), Turn(first, climb, asks=True),
                Turn(second, home=True, rests=True),
            )
        case 3:
            # the motif and its mirror
            return (
                Turn(first), Turn(first.inverted, 1, asks=True, rests=True), Turn(first, climb),
                Turn(first.inverted, home=True, rests=True),
            )
        case _:
            return (
                Turn(first), Turn(second, asks=True, rests=True), Turn(first.halved, climb),
                Turn(first, home=True, rests=True),
            )
