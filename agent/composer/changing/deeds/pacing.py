"""Pacing: another tempo, for the whole song or a stretch of it."""

from __future__ import annotations

from collections.abc import Callable

from agent.composer.changing.stage import Stage
from agent.composer.understanding.tasks import Retempo
from agent.song.time import TempoChange, Ticks, distinct_tempos

SLOWEST, FASTEST = 20.0, 300.0
"""Where relative changes stop; a stated tempo is taken as it is."""


def retempo(stage: Stage, deed: Retempo) -> None:
    """The stated tempo, else the song's own by a factor."""
    if deed.bpm is not None:
        at_tempo(stage, deed.bpm, "as you asked")
    else:
        scaled(stage, 1 + (deed.factor - 1) * stage.amount, "slower" if deed.factor < 1 else "faster")


def at_tempo(stage: Stage, bpm: float, why: str) -> None:
    """One tempo in every span of the stage; what follows keeps its own."""
    _set(stage, lambda _: bpm, why)


def scaled(stage: Stage, factor: float, why: str) -> None:
    """Every tempo of the stage by a factor, in whole BPM."""
    _set(stage, lambda bpm: float(round(max(SLOWEST, min(FASTEST, bpm * factor)))), why)


def _set(stage: Stage, new: Callable[[float], float], why: str) -> None:
    song = stage.song
    points = {int(change.at) for change in song.tempos}
    if not stage.whole:
        points |= {at for span in stage.spans for at in span if at < song.end}
    changes = []
    for at in sorted(points):
        bpm = song.tempo_map.bpm(at)
        changes.append(TempoChange(Ticks(at), new(bpm) if stage.whole or stage.inside(at) else bpm))
    stage.sketch.retempo(distinct_tempos(changes), why)
