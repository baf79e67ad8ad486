"""Pacing: another tempo, for the whole song or a stretch of it, also while the piece lasts as long as before."""

from __future__ import annotations

from collections.abc import Callable
from math import log2

from agent.composer.changing.deeds.lengthening import bars_for, resized, seconds_of
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.changing.time.timeline import Stretched, stretch_time
from agent.composer.understanding.tasks import Retempo
from agent.song.song import Song
from agent.song.time import TempoChange, Ticks, distinct_tempos

SLOWEST, FASTEST = 20.0, 300.0
"""Where relative changes stop; a stated tempo is taken as it is."""
_LEAST = 0.05
"""The smallest factor that is left when a deed goes further than usual."""
_FEW = 8
"""Tempo changes up to which each gets a whole number of BPM; more are a performance and keep their proportions."""
_DOUBLING = 0.03
"""How far, in octaves of tempo, from twice or half as fast a tempo still counts as that."""


def retempo(stage: Stage, deed: Retempo) -> None:
    """The stated tempo, else the song's own by a factor; with `keep_length` the music fills as much time as before."""
    if stage.intent.keep_tempo and stage.whole:
        raise Blocked("the tempo is to stay")
    if deed.keep_length:
        _keeping_length(stage, deed)
    elif deed.bpm is not None:
        at_tempo(stage, deed.bpm, "as you asked")
    else:
        scaled(stage, _factor(stage, deed), "slower" if deed.factor < 1 else "faster")


def at_tempo(stage: Stage, bpm: float, why: str) -> None:
    """A tempo from the start of every span of the stage; what follows keeps its own.

    Tempo changes within a span keep their proportion to the span's first tempo.
    """
    _set(stage, lambda now, first: bpm if now == first else _inside(round(now * bpm / first, 1)), why)


def scaled(stage: Stage, factor: float, why: str) -> None:
    """Every tempo of the stage by a factor, in whole BPM; of a performance with many changes in tenths."""
    digits = None if len(stage.song.tempos) <= _FEW else 1
    _set(stage, lambda now, _: _inside(float(round(now * factor, digits))), why)


def _inside(bpm: float) -> float:
    return max(SLOWEST, min(FASTEST, bpm))


def _factor(stage: Stage, deed: Retempo) -> float:
    return max(_LEAST, 1 + (deed.factor - 1) * stage.amount)


def _set(stage: Stage, new: Callable[[float, float], float], why: str) -> None:
    """Tempi made of the one that was and of the first one of its span."""
    song = stage.song
    spans = ((0, song.end),) if stage.whole else stage.spans
    points = {int(change.at) for change in song.tempos}
    if not stage.whole:
        points |= {at for span in stage.spans for at in span if at < song.end}
    changes = []
    for at in sorted(points):
        bpm = song.tempo_map.bpm(at)
        begin = 0 if stage.whole else next((start for start, end in spans if start <= at < end), -1)
        changes.append(TempoChange(Ticks(at), new(bpm, song.tempo_map.bpm(begin)) if begin >= 0 else bpm))
    stage.sketch.retempo(distinct_tempos(changes), why)


def _keeping_length(stage: Stage, deed: Retempo) -> None:
    """Twice or half as fast, the notes take up twice or half the bars; else the form gets bars that fill the time."""
    song = stage.song
    start = stage.spans[0][0]
    now = song.tempo_map.bpm(start)
    ratio = deed.bpm / now if deed.bpm is not None else _factor(stage, deed)
    octaves = round(log2(ratio))
    why = "the same length at another tempo"
    if stage.whole and octaves and abs(log2(ratio) - octaves) <= _DOUBLING:
        times = 2 if octaves > 0 else -2
        for _ in range(abs(octaves)):
            _stretch(stage, times, why)
        _retempo(stage, deed, why)
        return
    lasted = [song.tempo_map.seconds(end) - song.tempo_map.seconds(begin) for begin, end in stage.spans]
    _retempo(stage, deed, why)
    if stage.whole:
        end = int(stage.song.bar_map.start_of(song.bars + 1))
        resized(stage, 0, end, bars_for(stage.song, 0, end, seconds_of(song)))
        return
    for (begin, end), seconds in reversed(list(zip(stage.spans, lasted, strict=True))):
        resized(stage, begin, end, bars_for(stage.song, begin, end, seconds))


def _retempo(stage: Stage, deed: Retempo, why: str) -> None:
    if deed.bpm is not None:
        at_tempo(stage, deed.bpm, why)
    else:
        scaled(stage, _factor(stage, deed), why)


def _stretch(stage: Stage, times: int, why: str) -> None:
    """All of the song to twice (2) or half (-2) its ticks."""
    song: Song = stage.song
    up, down = (times, 1) if times > 0 else (1, -times)
    stage.sketch.move(stretch_time(song, up, down), Stretched(up, down), why)
