"""The feel as heard: whether a song swings, how far, and on which notes."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent.song.song import Song
from agent.song.time import PPQ
from agent.theory.sounding import sounding

_ENOUGH = 12
"""Off-beat notes that are needed to hear a feel."""
_LEAST = 0.1
"""Share of the grid from which a delay is meant and no accident."""
_MOST = 0.42
_EVEN = 0.2
"""Share of the straight places between that may be played where eighths swing."""


class Feel(Struct, frozen=True):
    """A swing feel: the second of two notes of `grid` ticks is late by `swing`, a share of `grid`; 0 is straight."""

    swing: float
    grid: int

    @property
    def delay(self) -> int:
        """Ticks by which the second of two notes is late."""
        return round(self.swing * self.grid)


STRAIGHT = Feel(0.0, PPQ // 4)


def feel_of(song: Song) -> Feel:
    """The swing heard in a whole song; straight for compound meters such as 6/8, whose triplets are written out."""
    meter = song.meters[0]
    if meter.unit >= 8 and meter.beats % 3 == 0:
        return STRAIGHT
    places = [note.start % PPQ for note in sounding(song)]
    eighths = _late(places, PPQ // 2)
    between = sum(min(abs(place - 240), abs(place - 720)) <= 40 for place in places)
    late = [place for place in places if PPQ // 2 - 48 <= place <= PPQ // 2 * (1 + _MOST)]
    if eighths >= _LEAST and between <= _EVEN * len(late):
        return Feel(round(eighths, 2), PPQ // 2)
    sixteenths = _late([place % (PPQ // 2) for place in places], PPQ // 4)
    return Feel(round(sixteenths, 2), PPQ // 4) if sixteenths >= _LEAST else STRAIGHT


def _late(places: Sequence[int], grid: int) -> float:
    """The middle delay of the notes on every second place, as a share of the grid; 0 where there are too few."""
    off = sorted(place - grid for place in places if -0.1 * grid <= place - grid <= _MOST * grid)
    return off[len(off) // 2] / grid if len(off) >= _ENOUGH else 0.0
