"""Lengthening: a song, or a stretch of it, to so many bars or seconds, by whole sections and phrases."""

from __future__ import annotations

import itertools
from types import MappingProxyType

from agent.composer.changing.hearing.listening import sections_heard
from agent.composer.changing.operations.forming import take_out
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.repeating import MOST_BARS, again, bar_line
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.scopes import spans_of
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Span, Stage
from agent.composer.changing.time.form import base_name, ending_of, weight
from agent.composer.styles import StyleBook
from agent.composer.understanding.items import PlaceRef
from agent.composer.understanding.operations import Resize
from agent.composer.understanding.scopes import bars_of
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.slot_filling import within as limited
from agent.composer.understanding.tasks import Place, Scope
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.song import Song

_PHRASES = (8, 4, 2, 1)
_LONGEST_UNIT = 16
_KEPT = 4
"""Bars before the ending that lead into it and stay where they are."""
_EDGE = 8
"""Bars up to which the first and the last section are taken as intro and outro, which come once."""
_NEAR = 0.035
"""How far from the length in seconds a number of bars may lead, as a share, to be whole phrases."""
_UNDER = 0.97
"""The share of the longest time that is allowed at which whole bars are aimed, so that they stay below it."""
_UNEVEN = "its meters change in the middle of bars"


def resize(stage: Stage, operation: Resize) -> None:
    """Repeat or delete whole sections and phrases until the stage's span has the bars or the time asked for. Raises
    `Blocked` if that is impossible."""
    spans = [(bar_line(stage.song, start), bar_line(stage.song, end)) for start, end in stage.spans]
    spans = [span for span in spans if span[0] < span[1]]
    if not spans:
        raise Blocked(msg("that is less than a bar"))
    if operation.bars is not None and len(spans) > 1:
        raise Blocked(msg("there are several such parts"))
    for start, end in reversed(spans):
        wanted = _wanted(stage, operation, start, end)
        if operation.most and _bars_in(stage.song, start, end) <= wanted:
            raise Blocked(msg("it is no longer than that"))
        if operation.opening:
            take_out(stage, (int(stage.song.bar_map.start_of(wanted + 1)), end), "only the beginning, as you asked")
        else:
            resized(stage, start, end, wanted, operation.kept)


def resized(stage: Stage, start: int, end: int, wanted: int, kept: tuple[Place, ...] = ()) -> None:
    """Bring a stretch of whole bars to `wanted` bars by repeating or deleting phrases, but never those of the places
    `kept`. Raises `Blocked` where that is no possible length."""
    start, end = bar_line(stage.song, start), bar_line(stage.song, end)
    now = _bars_in(stage.song, start, end)
    if not now:
        raise Blocked(msg("that is less than a bar"))
    if wanted < 1 or stage.song.bars + wanted - now > MOST_BARS:
        raise Blocked(msg("a length of {wanted} bars is out of reach", wanted=wanted))
    while now < wanted:
        begin, stop = _to_repeat(stage, _body(stage, start, end, kept), wanted - now)
        again(stage, begin, stop)
        end = bar_line(stage.song, end + stop - begin)
        was, now = now, _bars_in(stage.song, start, end)
        if now <= was:
            raise Blocked(_UNEVEN)
    while now > wanted:
        begin, stop = _to_cut(stage, start, end, now - wanted, kept)
        take_out(stage, (begin, stop), "shorter, as you asked")
        end = bar_line(stage.song, end - stop + begin)
        was, now = now, _bars_in(stage.song, start, end)
        if now >= was:
            raise Blocked(_UNEVEN)


def seconds_of(song: Song) -> float:
    """Seconds from the start of the song to the end of its last bar."""
    return song.tempo_map.seconds(int(song.bar_map.start_of(song.bars + 1)))


def bars_for(song: Song, start: int, end: int, seconds: float) -> int:
    """The number of bars (at least 1) with which a stretch lasts `seconds` at its own tempo; a multiple of 4 or 2 if
    that is close enough."""
    now = song.tempo_map.seconds(end) - song.tempo_map.seconds(start)
    exact = _bars_in(song, start, end) * seconds / now if now else 1.0
    whole = [count for size in (4, 2) if abs((count := round(exact / size) * size) - exact) <= _NEAR * exact]
    return max(1, whole[0] if whole else round(exact))


def _wanted(stage: Stage, operation: Resize, start: int, end: int) -> int:
    now = _bars_in(stage.song, start, end)
    if operation.by and not stage.whole:
        return max(1, now + operation.by)
    if operation.bars is not None:
        return operation.bars
    if operation.seconds is not None:
        return bars_for(stage.song, start, end, operation.seconds)
    factor = 1 + (operation.factor - 1) * stage.amount
    if factor == 1:
        return now
    exact = now * max(0.05, factor)
    near = (size for size in _PHRASES if abs(round(exact / size) * size - exact) <= 0.125 * exact)
    grid = next(near, 1)
    wanted = max(1, round(exact / grid) * grid)
    if wanted == now:
        wanted = now + (1 if factor > 1 else -1) * max(1, min(_KEPT, now // 4))
    return wanted


def _bars_in(song: Song, start: int, end: int) -> int:
    return song.bar_map.bar_at(end - 1) - song.bar_map.bar_at(start) + 1 if end > start else 0


def _units(stage: Stage, start: int, end: int) -> list[Span]:
    """The stretch cut at its sections, and sections that are very long at their phrases."""
    song, bars = stage.song, stage.song.bar_map
    edges = {start, end}
    for section in sections_heard(song, stage.palette):
        edges |= {at for at in (bar_line(song, section.start), bar_line(song, section.end)) if start < at < end}
    if len(edges) == 2 and _bars_in(song, start, end) > _KEPT:
        size = 8 if _bars_in(song, start, end) > _LONGEST_UNIT else _KEPT
        edges |= _cuts(song, start, end, size)
    ordered = sorted(edges)
    for low, high in itertools.pairwise(ordered):
        if _bars_in(song, low, high) > _LONGEST_UNIT:
            edges |= _cuts(song, low, high, 8)
    assert all(bars.start_of(bars.bar_at(at)) == at for at in edges if at < end)
    return list(itertools.pairwise(sorted(edges)))


def _cuts(song: Song, start: int, end: int, size: int) -> set[int]:
    first, last = song.bar_map.bar_at(start), song.bar_map.bar_at(end - 1)
    return {int(song.bar_map.start_of(bar)) for bar in range(first + size, last - size // 2 + 2, size)}


def _body(stage: Stage, start: int, end: int, kept: tuple[Place, ...]) -> list[Span]:
    """What may come again or go: no intro, no outro, nothing that is kept, and not the bars that lead into the ending.
    """
    song, units = stage.song, _free(stage, _units(stage, start, end), kept)
    close = int(song.bar_map.start_of(song.bars + 1))
    ending = ending_of(stage)
    if end == close and ending < close:
        units = _without_ending(song, units, ending)
    elif end == close and len(units) > 2 and _is_edge(song, units[-1], units):
        units = units[:-1]
    if start == 0 and len(units) > 1 and _is_edge(song, units[0], units):
        units = units[1:]
    units = [unit for unit in units if unit[0] < unit[1]]
    if kept and not units:
        raise Blocked(msg("what is to stay is longer than that"))
    return units or [(start, end)]


def _free(stage: Stage, units: list[Span], kept: tuple[Place, ...]) -> list[Span]:
    """The units, without what lies in a place that is kept."""
    if not kept:
        return units
    closed = [stage.sketch.placed(*span) for span in spans_of(Scope(kept), stage.sketch.before, stage.palette)]
    edges = {edge for span in closed for edge in span}
    parts = [
        span for low, high in units
        for span in itertools.pairwise(sorted({low, high, *(edge for edge in edges if low < edge < high)}))
    ]
    return [part for part in parts if not any(low <= part[0] < high for low, high in closed)]


def _is_edge(song: Song, unit: Span, units: list[Span]) -> bool:
    """Whether a first or last unit is short or thin enough to be an intro or outro."""
    usual = sorted(weight(song, *one) for one in units)[len(units) // 2]
    return _bars_in(song, *unit) <= _EDGE and weight(song, *unit) < 0.8 * usual


def _without_ending(song: Song, units: list[Span], ending: int) -> list[Span]:
    kept = [unit for unit in units if unit[1] <= ending]
    cut = next((unit for unit in units if unit[0] < ending < unit[1]), None)
    if cut is not None:
        last = song.bar_map.bar_at(ending - 1)
        first = song.bar_map.bar_at(cut[0])
        stop = first + (last - first + 1) // _KEPT * _KEPT
        stop = stop if stop <= last + 1 else last + 1
        if stop > first and (stop - first >= _KEPT or not kept):
            kept.append((cut[0], int(song.bar_map.start_of(stop))))
        elif not kept:
            kept.append((cut[0], ending))
    return kept or [(units[0][0], ending)]


def _to_repeat(stage: Stage, body: list[Span], missing: int) -> Span:
    """What is played once more: the longest run of sections that is not too long, else the end of one of them."""
    song = stage.song
    runs = [
        (body[a][0], body[b][1])
        for a in range(len(body)) for b in range(a, len(body)) if body[b][1] - body[a][0] == sum(
            high - low for low, high in body[a:b + 1]
        )
    ]
    fitting = [run for run in runs if _bars_in(song, *run) <= missing]
    if fitting:
        fullest = max(weight(song, *run) for run in fitting) or 1.0
        return max(fitting, key=lambda run: (_bars_in(song, *run), round(5 * weight(song, *run) / fullest), run[1]))
    unit = max(body, key=lambda one: (weight(song, *one), one[1]))
    size = next(size for size in _PHRASES if size <= missing)
    last = song.bar_map.bar_at(unit[1] - 1)
    first = max(song.bar_map.bar_at(unit[0]), last - min(size, missing) + 1)
    return int(song.bar_map.start_of(first)), unit[1]


def _to_cut(stage: Stage, start: int, end: int, spare: int, kept: tuple[Place, ...]) -> Span:
    """What goes: the run of sections that is missed least, else a phrase from the midst of a section.

    What comes again or is long goes before the only section of its kind.
    """
    song, body = stage.song, _body(stage, start, end, kept)
    runs = [(a, b) for a in range(len(body)) for b in range(a, len(body)) if _joined(body[a : b + 1])]
    fitting = [(a, b) for a, b in runs if _bars_in(song, body[a][0], body[b][1]) <= spare and b - a + 1 < len(body)]
    if fitting:
        names = [_name(stage, unit) for unit in body]

        def missed(run: tuple[int, int]) -> tuple[float, ...]:
            start, end = body[run[0]][0], body[run[1]][1]
            kinds = len(set(names[:run[0]] + names[run[1] + 1:]))
            bars, part = _bars_in(song, start, end), _part_of_longer(stage, start, end)
            return kinds, bars, part, -weight(song, start, end), run[0]

        best = max(fitting, key=missed)
        longest = max(body, key=lambda one: (_bars_in(song, *one), -weight(song, *one)))
        if missed(best)[0] < len(set(names)) and _bars_in(song, *longest) >= spare + _PHRASES[0]:
            return _within(song, longest, spare)
        return body[best[0]][0], body[best[1]][1]
    unit = max(body, key=lambda one: (_bars_in(song, *one), -weight(song, *one)))
    if _bars_in(song, *unit) - spare < _KEPT:
        # rather no intro or outro, or a shorter one, than nothing of what lies between them
        units = _free(stage, _units(stage, start, end), kept)
        edges = [one for one in units if one[1] <= body[0][0] or one[0] >= body[-1][1]]
        edges = [one for one in edges if one[1] <= ending_of(stage)]
        whole = [one for one in edges if _bars_in(song, *one) <= spare]
        longer = [one for one in edges if _bars_in(song, *one) - spare >= _KEPT]
        if whole or longer:
            return whole[0] if whole else _within(song, longer[0], spare)
    return _within(song, unit, spare)


def _joined(units: list[Span]) -> bool:
    """Whether units follow each other without a gap."""
    return all(one[1] == two[0] for one, two in itertools.pairwise(units))


def _part_of_longer(stage: Stage, start: int, end: int) -> bool:
    """Whether the stretch is part of one longer section, which then still is there."""
    return any(
        section.start <= start and end <= section.end and end - start < section.duration
        for section in sections_heard(stage.song, stage.palette)
    )


def _within(song: Song, unit: Span, spare: int) -> Span:
    """At most `spare` bars of a unit, before its last phrase where there is room, so that it still leads on."""
    first, last = song.bar_map.bar_at(unit[0]), song.bar_map.bar_at(unit[1] - 1)
    count = min(spare, last - first + 1)
    begin = max(first, last - _KEPT - count + 1) if last - first + 1 - count >= _KEPT else first
    return int(song.bar_map.start_of(begin)), int(song.bar_map.start_of(begin + count))


def _name(stage: Stage, unit: Span) -> str:
    """What a unit is called without its number; alike are those that are the same again."""
    for section in sections_heard(stage.song, stage.palette):
        if section.start <= unit[0] < section.end:
            return base_name(section.name)
    return ""


def _read(filled: Filled) -> tuple[Resize, ...]:
    bars, seconds = filled.number("bars"), filled.number("time")
    if seconds is not None and filled.words.variant == "most":
        seconds *= _UNDER
    if bars is not None or seconds is not None:
        return (Resize(None if bars is None else int(bars), seconds, most=filled.words.variant == "most"),)
    factor, measure = filled.words.factor, filled.measure
    if measure is not None and measure.exact and factor != 1:
        return (Resize(factor=limited(1 + measure.factor * (1 if factor > 1 else -1), 0.1, 8.0)),)
    return (Resize(factor=factor),)


def _read_by(filled: Filled) -> tuple[Resize, ...]:
    place = filled.value("place")
    bars = bars_of(place.places[0], filled.lexicon.song) if isinstance(place, PlaceRef) else None
    whole = bars.last - bars.first + 1 if bars is not None else max(1, filled.lexicon.song.bars)
    by = int(filled.number("bars") or 0) * filled.direction
    # a place beside the form is the task's: "cut 4 bars from the break"
    return (Resize(bars=max(1, whole + by), by=0 if place is not None else by),)


def _asks(served: Served, operation: Resize, _: StyleBook) -> list[Ask]:
    stated = operation.bars is not None or operation.seconds is not None
    if operation.factor == 1 and not (stated and served.task.scope.whole):
        return served.plain()
    if operation.bars is not None:
        return [Ask(f"{operation.bars} bars", served.rows, "bars", "equals", float(operation.bars))]
    if operation.seconds is not None:
        longer = operation.seconds > served.figure("seconds")
        return [Ask(served.words, served.rows, "seconds", "higher" if longer else "lower")]
    return [Ask(served.words, served.rows, "bars", "lower" if operation.factor < 1 else "higher")]


KINDS = (
    OperationKind(
        Resize, 18, resize,
        MappingProxyType(
            {"resize": SlotReading(_read), "resize_by": SlotReading(_read_by, frozenset({"bars"}))}
        ), _asks,
        moves_bars=lambda _: True, removes=lambda _: True,
    ),
)
