"""Bass phrases: where a phrase ends the bass leaves its figure: it holds, rests, or runs on while the tune rests."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from agent.composer.dice import Dice
from agent.composer.tones import STEP, Tone
from agent.composer.writing.bass_leads import RootChange, unit_of
from agent.composer.writing.frame import Frame, Player, Scene
from agent.composer.writing.phrased import rest_of
from agent.theory.pitch import move

_PHRASE = 4
"""Bars of a phrase."""
_EIGHTH = 2 * STEP
_RUNS = (((0, 1), (1, 1), (2, 1), (3, 1)), ((0, 2), (2, 1), (3, 1)), ((0, 1), (1, 1), (2, 2)), ((0, 2), (2, 2)))
"""Notes of a run: start and length in eighths from two beats before the bar line."""
_LEAST = 2
"""Notes that a bar has at least if one of them can be left out."""
_SOFTER = 0.9


def phrased_bass(
    tones: Sequence[Tone], changes: Sequence[RootChange], player: Player, scene: Scene, frame: Frame,
    tune: Sequence[Tone], dice: Dice,
) -> list[Tone]:
    """The line with other bars at the ends of phrases, as often as the part phrases: a run by step to the next root
    where the `tune` rests, else a held root. In the second bar of some it holds its first note and leaves out others.

    The same dice change the same bars alike. What leads to the next chord stays.
    """
    share = player.style.phrases
    result = sorted(tones)
    for number in range(scene.bars if share else 0):
        begin = scene.start + number * scene.bar
        end, place, own = begin + scene.bar, number % _PHRASE, dice.of(f"bar {number}")
        inside = [tone for tone in result if begin <= tone.start < end]
        whole = [change for change in changes if change.span.start <= begin and change.span.end >= end]
        if not inside or not whole or place not in (1, _PHRASE - 1) or not own.chance(share):
            continue
        if place == 1:
            bar = _held(inside, end, frame)
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
