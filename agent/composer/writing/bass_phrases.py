"""Bass phrases: where a phrase ends the bass leaves its figure: it holds, rests, or runs on while the tune rests."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from agent.composer.dice import Dice
from agent.composer.tones import STEP, Tone
from agent.composer.writing.bass_leads import RootChange, unit_of
from agent.composer.writing.frame import Frame, Player, Scene
from agent.composer.writing.phrased import is_last, rest_of
from agent.theory.pitch import move

_PHRASE = 4
"""Bars of a phrase."""
_EIGHTH = 2 * STEP
_RUNS = (((0, 1), (1, 1), (2, 1), (3, 1)), ((0, 2), (2, 1), (3, 1)), ((0, 1), (1, 1), (2, 2)), ((0, 2), (2, 2)))
"""Notes of a run: start and length in eighths from two beats before the bar line."""
_LEAST = 2
"""Notes that a bar has at least if one of them can be left out."""
_SOFTER = 0.9
_STEP = 2
"""Semitones of a step."""
_LINES = (
    (0, 1, 2, 3), (0, 2, 1, 2), (0, -1, -2, -3), (0, 2, 3, 4), (0, -1, -2, -1), (0, 1, 2, 1), (0, 4, 3, 2),
    (0, -3, -2, -1), (0, 2, 4, 5), (0, 1, 2), (0, -1, -2), (0, 2, 1), (0, 2, 3), (0, -2, -1), (0, 1), (0, -1), (0, 2),
    (0, -2),
)
"""Ways of a bass through a bar, in steps of the key from its root."""


def phrased_bass(
    tones: Sequence[Tone], changes: Sequence[RootChange], player: Player, scene: Scene, frame: Frame,
    tune: Sequence[Tone], dice: Dice,
) -> list[Tone]:
    """The line with other bars at the ends of phrases, as often as the part closes: a run by step to the next root
    where the `tune` rests, else a held root. As often as it phrases, it holds the first note of a second bar and leaves
    out others, and walks in a third, or in the first of another phrase.

    The same dice change the same bars alike. What leads to the next chord stays.
    """
    part = player.style
    result = sorted(tones)
    for number in range(scene.bars if part.phrases or part.closes else 0):
        begin = scene.start + number * scene.bar
        end, place, own = begin + scene.bar, number % _PHRASE, dice.of(f"bar {number}")
        inside = [tone for tone in result if begin <= tone.start < end]
        whole = [change for change in changes if change.span.start <= begin and change.span.end >= end]
        last = is_last(number, scene)
        if not inside or not whole or not number or not own.chance(part.closes if last else part.phrases):
            continue
        if place == 1 and not last:
            bar = _held(inside, end, frame)
        elif not last:
            bar = _walking(whole[0], inside, begin, end, player, frame, own) or inside
        else:
            run = _run(whole[0], inside, end, player, frame, own)
            bar = run if run and rest_of(tune, begin, end) is not None else _held(inside, end, frame)
        result = sorted([*(tone for tone in result if not begin <= tone.start < end), *bar])
    return result


def _held(inside: Sequence[Tone], end: int, frame: Frame) -> list[Tone]:
    """The bar with its first note held until its last beat, where what leads on stays."""
    last = end - unit_of(frame)
    leads = [tone for tone in inside if tone.start >= last]
    if len(inside) - len(leads) < _LEAST:
        return list(inside)
    first = inside[0]
    until = last if leads else last - _EIGHTH
    return [structs.replace(first, length=max(first.length, until - first.start)), *leads]


def _walking(
    change: RootChange, inside: Sequence[Tone], begin: int, end: int, player: Player, frame: Frame, dice: Dice
) -> list[Tone]:
    """The bar as a line of beats from its root by step to the next one; empty where there is no such way."""
    unit = unit_of(frame)
    count, odd = divmod(end - begin, unit)
    lines = [
        [change.root, *(move(frame.key, change.root, step) for step in steps[1:])]
        for steps in _LINES if len(steps) == count
    ]
    low, high = player.instrument.low, player.high
    ways = [
        line for line in lines
        if 1 <= abs(line[-1] - change.target) <= _STEP and all(low <= pitch <= high for pitch in line[1:])
    ]
    if not ways or odd or inside[0].start != begin or not player.style.leads:
        return []
    way = dice.pick(ways)
    velocity = inside[0].velocity
    return [
        Tone(begin + at * unit, pitch, int(unit * player.style.gate), velocity if not at else int(velocity * _SOFTER))
        for at, pitch in enumerate(way)
    ]


def _run(
    change: RootChange, inside: Sequence[Tone], end: int, player: Player, frame: Frame, dice: Dice
) -> list[Tone]:
    """The bar with a run over its last two beats that steps to the next root; empty where there is no way to it."""
    steps = dice.pick(_RUNS)
    begin = end - 2 * unit_of(frame)
    unit = unit_of(frame) // 2
    kept = [tone for tone in inside if tone.start < begin]
    side = -1 if change.target > change.root else 1
    far = dice.pick((side, side, -side))
    pitches = [move(frame.key, change.target, far * number) for number in range(len(steps), 0, -1)]
    low, high = player.instrument.low, player.high
    if not kept or change.target % 12 == change.root % 12 or not all(low <= pitch <= high for pitch in pitches):
        return []
    velocity = max(1, int(kept[-1].velocity * _SOFTER))
    run = [
        Tone(begin + at * unit, pitch, int(length * unit * player.style.gate), velocity)
        for (at, length), pitch in zip(steps, pitches, strict=True)
    ]
    return [*(structs.replace(tone, length=min(tone.length, begin - tone.start)) for tone in kept), *run]
