"""Motifs: the ideas of a theme, each a rhythm with its steps, and the order in which a theme says them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Literal, TypeAlias

from msgspec import Struct

from agent.composer.dice import Dice
from agent.composer.styles import TuneStyle
from agent.composer.writing.tune_rhythm import RhythmNote, unit_rhythm

_STEPS = (-2, -1, -1, 0, 0, 1, 1, 2)
_LEAPS = (-4, -3, 3, 4)
_WIDEST = 5
"""Scale steps that a motif strays from its first note."""
_FAR, _FEW, _DRAWS = 3, 4, 8
"""Scale steps that a motif of so many notes reaches at least, and how often one is drawn until it does."""
_LED_OVER = 0.6
"""How often a phrase begins before its bar line."""
_HOOKED, _TOLD = (0, 2, 4, 5), (0, 0, 1, 2, 3, 4, 5, 5)
"""Which of its shapes a theme that is to be remembered has, and any other."""

IdeaName = Literal["hook", "answer", "contrast"]


class Motif(Struct, frozen=True):
    """The rhythm of a two-bar idea (`beats`), and the scale steps from each note to the next (`moves`); further notes
    repeat the steps from the beginning."""

    beats: tuple[RhythmNote, ...]
    moves: tuple[int, ...]


class ThemeTurn(Struct, frozen=True):
    """Two bars of a theme: the idea that they use, moved by `lift` scale steps.

    Turns with the same `name` are equal note for note. `like` names an earlier turn whose notes are kept, moved by
    `lift`, except for the end; if it `answers`, only the first bar is kept, and if it `splits`, that bar sounds twice,
    the second time moved once more. `home` ends on the tonic, others end open; one that `runs` leads into the next
    without a rest.
    """

    name: str
    idea: IdeaName
    lift: int = 0
    like: str = ""
    answers: bool = False
    splits: bool = False
    home: bool = False
    runs: bool = False


Four: TypeAlias = tuple[ThemeTurn, ThemeTurn, ThemeTurn, ThemeTurn]
"""The turns of eight bars."""


class TuneTheme(Struct, frozen=True):
    """The `ideas` of a melody, its `turns` (two bars each) in order, the number of eighths in the upbeat to a phrase
    (`pickup`), whether phrases that end open are held until a short breath before the next (`held`), and whether those
    that come home lean on a neighbour of their last note first (`leans`)."""

    ideas: dict[IdeaName, Motif]
    turns: tuple[ThemeTurn, ...]
    pickup: int
    held: bool = False
    leans: bool = False


def theme_of(
    dice: Dice, patterns: Sequence[str], bar: int, manners: TuneStyle, *, hooked: bool, leans: float = 0.0
) -> TuneTheme:
    """A theme from `patterns`, rhythms of the style as step strings, in bars of `bar` ticks; with `hooked`, as for a
    chorus, its main idea occurs most often. `manners` say how melodies of the style go, `leans` how often one leans on
    the neighbour of its last note."""
    ideas: dict[IdeaName, Motif] = {}
    names: tuple[IdeaName, ...] = ("hook", "answer", "contrast")
    for name in names:
        own = dice.of(name)
        ideas[name] = invent(own, unit_rhythm(own.of("rhythm"), patterns, bar, manners))
    if dice.of("mirror").chance(manners.develops):
        ideas["contrast"] = Motif(ideas["hook"].beats, tuple(-step for step in ideas["hook"].moves))
    shaped = dice.of("shape")
    pickup = shaped.pick((1, 2, 2, 3)) if shaped.chance(_LED_OVER) else 0
    held = dice.of("held").chance(manners.held)
    first = _developed(shaped, manners) if dice.of("develops").chance(manners.develops / (1 + hooked)) else None
    first = first or shape(shaped, manners, hooked=hooked)
    return TuneTheme(ideas, (*first, *_second(shaped, first)), pickup, held, dice.of("leans").chance(leans))


def invent(dice: Dice, beats: tuple[RhythmNote, ...]) -> Motif:
    """A motif with the rhythm `beats`: mostly steps, at most one leap, which is followed by a step back."""
    motif = _drawn(dice, beats)
    for number in range(_DRAWS):
        if len(beats) < _FEW or _reach(motif) >= _FAR:
            break
        motif = _drawn(dice.of(f"draw {number}"), beats)
    return motif


def _reach(motif: Motif) -> int:
    """Scale steps between its lowest and its highest note."""
    places = tuple(accumulate(motif.moves))
    return max(places) - min(places)


def _drawn(dice: Dice, beats: tuple[RhythmNote, ...]) -> Motif:
    notes = len(beats)
    leap_at = dice.whole(1, max(1, notes - 1)) if dice.chance(0.7) else -1
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
    return Motif(beats, tuple(moves))


def shape(dice: Dice, manners: TuneStyle, *, hooked: bool) -> Four:
    """The order of a theme's four turns (two bars each), drawn from usual phrase forms; with `hooked` only from those
    that repeat the main idea most. `manners` say how melodies of the style go."""
    step = dice.pick((1, -1, -1, 2))
    climb = dice.pick((2, 3))
    first = ThemeTurn("A", "hook", runs=dice.chance(manners.long))
    moved = ThemeTurn("S", "hook", step, like="A") if dice.chance(manners.sequence) else ThemeTurn("A", "hook")
    close = ThemeTurn("H", "hook", like="A", home=True)
    reply = ThemeTurn("R", "answer", like="A", answers=True, home=True)
    again = ThemeTurn("A", "hook")
    match dice.pick(_HOOKED if hooked else _TOLD):
        case 0:
            return (first, ThemeTurn("B", "answer", like="A", answers=True), first, reply)
        case 1:
            return (first, close, ThemeTurn("C", "contrast", climb, runs=first.runs), close)
        case 2:
            return (first, moved, first, reply)
        case 3:
            return (first, reply, first, reply)
        case 4:
            return (first, again, first, reply)
        case _:
            return (first, ThemeTurn("B", "answer"), first, ThemeTurn("BH", "answer", like="B", home=True))


def _developed(dice: Dice, manners: TuneStyle) -> Four:
    """Four turns of which none returns note for note: the idea is moved, split, answered or turned upside down."""
    step = dice.pick((1, -1, -1, 2))
    first = ThemeTurn("A", "hook", runs=dice.chance(manners.long))
    moved = ThemeTurn("S", "hook", step, like="A")
    split = ThemeTurn("F", "hook", dice.pick((1, 2, -1)), like="A", splits=True, runs=True)
    other = ThemeTurn("V", "contrast", like="A", answers=True)
    away = ThemeTurn("C", "contrast", dice.pick((1, 2)), runs=first.runs)
    close = ThemeTurn("R", "answer", home=True)
    return dice.pick((
        (first, moved, split, close), (first, other, split, close), (first, other, moved, close),
        (first, moved, away, close), (first, away, moved, ThemeTurn("R", "answer", like="A", answers=True, home=True)),
    ))


def _second(dice: Dice, first: Four) -> Four:
    """The four turns of the second eight bars: something else, and then the first idea again."""
    away = ThemeTurn("M", "contrast", dice.pick((0, 2, 3)), runs=first[0].runs)
    on = dice.pick((ThemeTurn("N", "contrast", dice.pick((1, -1)), like="M"), ThemeTurn("N", "answer", 1)))
    return (away, on, first[0], first[3])
