"""Articulations: how long notes are held, and which of them are stressed; pitches and starts stay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import structs

from agent.composer.changing.hearing.grid import BEAT, EIGHTH, ONE, Grid, attacks
from agent.composer.changing.notes.voices import louder
from agent.composer.tones import SHORTEST, STEP, Tone
from agent.song.time import PPQ

Stress = Literal["one", "beats", "backbeats", "offbeats"]
_SHORT, _LEAST = 0.45, STEP // 2
"""Share of the time to the next note for which a short note sounds, and its least length in ticks."""
_BREATH = PPQ
"""Ticks of rest that legato leaves as they are, since a phrase ends there."""
_STRESS = 0.22


def short(tones: Sequence[Tone], amount: float, end: int) -> list[Tone]:
    """Staccato: notes of about half the time to the next attack, never longer than they were. `amount` 1 is usual, more
    is shorter; `end` is the tick at which the last note's time ends."""
    share = max(0.15, 1 - (1 - _SHORT) * amount)
    found = []
    for group, following in _groups(tones, end):
        way = min(following - group[0].start, 2 * PPQ)
        for tone in group:
            wanted = max(_LEAST, round(min(way, tone.length) * share))
            found.append(structs.replace(tone, length=min(tone.length, wanted)))
    return sorted(found)


def bound(tones: Sequence[Tone], end: int) -> list[Tone]:
    """Legato: each note lasts until the next attack, or `end`; rests of a beat or more stay, and a note stops before
    its own repetition."""
    found = []
    for group, following in _groups(tones, end):
        for tone in group:
            gap = following - tone.end
            length = following - tone.start if gap < _BREATH else tone.length
            found.append(structs.replace(tone, length=max(SHORTEST, length)))
    return sorted(found)


def ringing(tones: Sequence[Tone], end: int, grid: Grid) -> list[Tone]:
    """Each note lasts until the next attack or the end of the bar after its own, across rests; never beyond `end`."""
    found = []
    for group, following in _groups(tones, end):
        _, bar_end = grid.bar(group[0].start)
        _, stop = grid.bar(bar_end)
        for tone in group:
            until = min(following, stop, end)
            found.append(structs.replace(tone, length=max(tone.length, until - tone.start)))
    return sorted(found)


def stressed(tones: Sequence[Tone], stress: Stress, amount: float, grid: Grid) -> list[Tone]:
    """The tones with louder velocities on the stressed beats and slightly softer ones elsewhere; `amount` 1 is the
    usual difference."""
    up, down = 1 + _STRESS * amount, 1 - 0.25 * _STRESS * amount
    return [louder(tone, up if _on(tone.start, stress, grid) else down) for tone in tones]


def _on(at: int, stress: Stress, grid: Grid) -> bool:
    weight = grid.weight(at)
    match stress:
        case "one":
            return weight == ONE
        case "beats":
            return weight <= BEAT
        case "offbeats":
            return weight == EIGHTH
        case _:
            return grid.place(at) in grid.beats(at)[1::2]


def _groups(tones: Sequence[Tone], end: int) -> list[tuple[list[Tone], int]]:
    """What is struck together, and when the next is struck."""
    struck = attacks(tones)
    following = [*(group[0].start for group in struck[1:]), end]
    return [(group, max(after, group[-1].start + 1)) for group, after in zip(struck, following, strict=True)]
