"""Steadying: where the tempo slows down little by little, it stays."""

from __future__ import annotations

from itertools import pairwise
from types import MappingProxyType
from typing import Literal

from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.message import msg
from agent.song.song import Song
from agent.song.time import TempoChange, distinct_tempos

_NEAR = 2
"""Bars from one step to the next at most; a tempo that lasts longer is one of its own."""

Way = Literal["slower", "faster"]


class Steady(Operation, frozen=True):
    """Remove gradual slowing (or with `way` "faster" gradual acceleration) of the tempo; sudden changes stay."""

    way: Way = "slower"

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return "no slowing down" if self.way == "slower" else "no speeding up"


def steady(stage: Stage, operation: Steady) -> None:
    """Remove the tempo changes of each such passage; what follows it keeps its tempo. Raises `Blocked` if there is none
    or the request keeps the tempo."""
    if stage.intent.keep_tempo:
        raise Blocked(msg("the tempo is to stay"))
    song = stage.song
    gone = {
        int(change.at) for run in _runs(song, operation.way) if any(stage.inside(int(one.at)) for one in run)
        for change in run
    }
    if not gone:
        raise Blocked(msg("nothing gets {way} little by little there", way=operation.way))
    left = [change for change in song.tempos if int(change.at) not in gone]
    stage.sketch.retempo(distinct_tempos(left), "one tempo, as you asked")


def _runs(song: Song, way: Way) -> list[list[TempoChange]]:
    """The stretches in which the tempo moves one way in steps; one step alone only in the last bars of the song."""
    bars = song.bar_map
    found: list[list[TempoChange]] = []
    for before, change in pairwise(song.tempos):
        moved = change.bpm < before.bpm if way == "slower" else change.bpm > before.bpm
        if not moved:
            continue
        near = bars.bar_at(change.at) - bars.bar_at(before.at) <= _NEAR
        if found and near and found[-1][-1] == before:
            found[-1].append(change)
        else:
            found.append([change])
    ending = int(bars.start_of(max(1, song.bars - _NEAR + 1)))
    return [run for run in found if len(run) > 1 or int(run[0].at) >= ending]


def _read(filled: Filled) -> tuple[Operation, ...]:
    return (Steady("slower" if filled.words.sign < 0 else "faster"),)


KINDS = (
    OperationKind(
        Steady, 14, steady, MappingProxyType({"steady": SlotReading(_read)}), removes=lambda _: True,
    ),
)
