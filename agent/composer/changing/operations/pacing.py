"""Pacing: another tempo, for the whole song or a stretch of it, also while the piece lasts as long as before."""

from __future__ import annotations

from collections.abc import Callable
from math import log2
from types import MappingProxyType

from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.lengthening import bars_for, resized, seconds_of
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.changing.time.moves import Stretched
from agent.composer.changing.time.timeline import stretch_time
from agent.composer.styles import StyleBook
from agent.composer.understanding.operations import Resize, Retempo
from agent.composer.understanding.slot_filling import Filled, SlotReading, within
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.song import Song
from agent.song.time import TempoChange, Ticks, distinct_tempos

SLOWEST, FASTEST = 20.0, 300.0
"""Limits of relative tempo changes in BPM; a stated tempo is not limited."""
_STATED, _FACTORS = (1.0, 999.0), (0.25, 4.0)
"""Bounds of a tempo that is stated, in BPM, and of a stated factor."""
_LEAST = 0.05
"""The smallest factor that is left when an operation goes further than usual."""
_FEW = 8
"""Tempo changes up to which each gets a whole number of BPM; more are a performance and keep their proportions."""
_NEAR = 1.0
"""Seconds from a length that was asked for within which it is met."""
_DOUBLING = 0.03
"""How far, in octaves of tempo, from twice or half as fast a tempo still counts as that."""


def retempo(stage: Stage, operation: Retempo) -> None:
    """Set the tempo asked for, or scale the song's tempo by a factor or to a duration; with `keep_length` the music is
    stretched to last as long as before. Raises `Blocked` if the request keeps the tempo."""
    if stage.intent.keep_tempo and stage.whole:
        raise Blocked(msg("the tempo is to stay"))
    if operation.seconds is not None:
        whole = stage.song.tempo_map.seconds(int(stage.song.end))
        if not stage.whole or not whole:
            raise Blocked(msg("only a whole song can be brought to a time by its tempo"))
        scaled(stage, whole / operation.seconds, "so that it lasts as long as you asked", digits=1)
    elif operation.keep_length:
        _keeping_length(stage, operation)
    elif operation.bpm is not None:
        if stage.intent.song_bpm == operation.bpm and {one.bpm for one in stage.song.tempos} == {operation.bpm}:
            raise Blocked(msg("it is at {bpm} BPM already", bpm=f"{operation.bpm:g}"))
        at_tempo(stage, operation.bpm, "as you asked")
    else:
        scaled(stage, _factor(stage, operation), "slower" if operation.factor < 1 else "faster")


def at_tempo(stage: Stage, bpm: float, why: str) -> None:
    """Set a tempo in every span of the stage; behind a span the old tempo holds.

    In a span with several tempi the prevailing one becomes `bpm`, and the others keep their proportion to it.
    """
    _set(stage, lambda now, most: bpm if now == most else _inside(round(now * bpm / most, 1)), why)


def scaled(stage: Stage, factor: float, why: str, digits: int | None = None) -> None:
    """Multiply every tempo in the stage's spans by `factor`, rounded to `digits` decimals (None: whole BPM); to one
    decimal in songs with many tempo changes."""
    digits = 1 if len(stage.song.tempos) > _FEW else digits
    _set(stage, lambda now, _: _inside(float(round(now * factor, digits))), why)


def _inside(bpm: float) -> float:
    return max(SLOWEST, min(FASTEST, bpm))


def _factor(stage: Stage, operation: Retempo) -> float:
    return max(_LEAST, 1 + (operation.factor - 1) * stage.amount)


def _set(stage: Stage, new: Callable[[float, float], float], why: str) -> None:
    """Tempi made of the one that was and of the one that prevails in its span."""
    song = stage.song
    spans = ((0, song.end),) if stage.whole else stage.spans
    points = {int(change.at) for change in song.tempos}
    if not stage.whole:
        points |= {at for span in stage.spans for at in span if at < song.end}
    changes = []
    for at in sorted(points):
        bpm = song.tempo_map.bpm(at)
        span = next(((start, end) for start, end in spans if stage.whole or start <= at < end), None)
        changes.append(TempoChange(Ticks(at), new(bpm, song.tempo_map.prevailing(*span)) if span is not None else bpm))
    stage.sketch.retempo(distinct_tempos(changes), why)


def _keeping_length(stage: Stage, operation: Retempo) -> None:
    """Twice or half as fast, the notes take up twice or half the bars; else the form gets bars that fill the time."""
    song = stage.song
    start = stage.spans[0][0]
    now = song.tempo_map.bpm(start)
    ratio = operation.bpm / now if operation.bpm is not None else _factor(stage, operation)
    octaves = round(log2(ratio))
    why = "the same length at another tempo"
    if stage.whole and octaves and abs(log2(ratio) - octaves) <= _DOUBLING:
        times = 2 if octaves > 0 else -2
        for _ in range(abs(octaves)):
            _stretch(stage, times, why)
        _retempo(stage, operation, why)
        return
    lasted = [song.tempo_map.seconds(end) - song.tempo_map.seconds(begin) for begin, end in stage.spans]
    _retempo(stage, operation, why)
    if stage.whole:
        end = int(stage.song.bar_map.start_of(song.bars + 1))
        resized(stage, 0, end, bars_for(stage.song, 0, end, seconds_of(song)))
        return
    for (begin, end), seconds in reversed(list(zip(stage.spans, lasted, strict=True))):
        resized(stage, begin, end, bars_for(stage.song, begin, end, seconds))


def _retempo(stage: Stage, operation: Retempo, why: str) -> None:
    if operation.bpm is not None:
        at_tempo(stage, operation.bpm, why)
    else:
        scaled(stage, _factor(stage, operation), why)


def _stretch(stage: Stage, times: int, why: str) -> None:
    """All of the song to twice (2) or half (-2) its ticks."""
    song: Song = stage.song
    up, down = (times, 1) if times > 0 else (1, -times)
    stage.sketch.move(stretch_time(song, up, down), Stretched(up, down), why)


def _read_stated(filled: Filled) -> tuple[Retempo, ...]:
    bpm = filled.number("bpm") or filled.number("tempo")
    if bpm is not None and bpm < SLOWEST and isinstance(filled.last, Retempo) and filled.last.bpm is None:
        # "a bit slower, by 5 bpm" says how much, and is no tempo
        bpm = filled.lexicon.song.bpm + (bpm if filled.last.factor > 1 else -bpm)
    return (Retempo(within(bpm, *_STATED)),) if bpm is not None else ()


def _read_following(filled: Filled) -> tuple[Retempo, ...]:
    """A number that is a tempo because one was spoken of right before it: "slower please, 50 is enough"."""
    bpm = filled.number("number")
    spoken = isinstance(filled.last, Retempo) and filled.last.bpm is None
    return (Retempo(within(bpm, *_STATED)),) if spoken and bpm is not None and bpm >= SLOWEST else ()


def _read_timed(filled: Filled) -> tuple[Retempo, ...]:
    """By its tempo, where a length in time was just asked for: "1:20 in all, do it with tempo"."""
    last = filled.last
    if isinstance(last, Retempo) and last.seconds is not None:
        return (last,)
    return (Retempo(seconds=last.seconds),) if isinstance(last, Resize) and last.seconds is not None else ()


def _read_relative(filled: Filled) -> tuple[Retempo, ...]:
    by = filled.number("number")
    if by is not None:
        return (Retempo(within(filled.lexicon.song.bpm + by * filled.direction, *_STATED)),)
    factor = filled.words.factor
    share = filled.number("share")
    if share is not None:
        return (Retempo(factor=round(1 + share * filled.direction, 4)),)
    if filled.measure is not None and filled.measure.exact:
        factor = within(1 + filled.measure.factor * filled.direction, *_FACTORS)
    return (Retempo(factor=round(factor, 4)),)


def _asks(served: Served, operation: Retempo, _: StyleBook) -> list[Ask]:
    rows = served.by("set_tempo")
    if operation.seconds is not None:
        least = served.ask("seconds", "at_least", operation.seconds - _NEAR, rows=rows)
        return [*least, *served.ask("seconds", "at_most", operation.seconds + _NEAR, rows=rows)]
    if operation.bpm is not None:
        bpm = float(operation.bpm)
        return served.ask("tempo", "equals", bpm, words=f"{operation.bpm:g} BPM", rows=rows)
    return served.ask("tempo", "lower" if operation.factor < 1 else "higher", rows=rows)


KINDS = (
    OperationKind(
        Retempo, 13, retempo,
        MappingProxyType({
            "tempo": SlotReading(_read_stated, frozenset({"tempo", "bpm"})), "tempo_by": SlotReading(_read_relative),
            "tempo_follows": SlotReading(_read_following, frozenset({"number"}), follows=True),
            "tempo_timed": SlotReading(_read_timed, follows=True),
        }),
        _asks, moves_bars=lambda operation: operation.keep_length,
    ),
)
