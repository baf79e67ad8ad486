"""Moving: stretches of the song somewhere else, once more somewhere else, or in each other's place."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from types import MappingProxyType
from typing import Annotated, Literal

from msgspec import Meta, structs

from agent.composer.changing.hearing.listening import sections_heard
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.repeating import MOST_BARS, bar_line, called, more_bars
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.scopes import each_span
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Span, Stage
from agent.composer.changing.time.exchanging import Exchanged, exchange_time
from agent.composer.changing.time.form import base_name, numbered, recounted
from agent.composer.changing.time.moves import Inserted
from agent.composer.changing.time.timeline import copy_time, insert_time, split_sections
from agent.composer.styles import StyleBook
from agent.composer.understanding.items import PlaceRef
from agent.composer.understanding.place_cores import EDGE_BARS
from agent.composer.understanding.sentences import told_place
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Edge, Named, Operation, Place
from agent.message import msg
from agent.plan.plan import Ask

Side = Literal["before", "after", "between"]
Places = Annotated[tuple[Place, ...], Meta(min_length=1)]
_NEEDS = frozenset({"source", "section", "to_end"})
_THERE = "it is there already"


class Move(Operation, frozen=True):
    """Move the bars of `source` to a `side` of the target (before, after, or between two places), or by `by` bars
    (positive: later)."""

    source: Places
    target: tuple[Place, ...] = ()
    side: Side = "before"
    by: Annotated[int, Meta(ge=-999, le=999)] = 0

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        if self.by:
            return f"move {_names(self.source)} {abs(self.by)} bars {'later' if self.by > 0 else 'earlier'}"
        return f"move {_names(self.source)} {_where(self.target, self.side)}"


class Copy(Operation, frozen=True):
    """Insert `times` copies of the bars of `source` at a `side` of the target, or at the song's end.

    `at_end` "ending": the song ends with them, `times` times in all; "again": `times` more copies before its outro.
    """

    source: Places
    target: Places
    side: Side = "before"
    times: Annotated[int, Meta(ge=1, le=64)] = 1
    at_end: Literal["", "ending", "again"] = ""

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        if self.at_end == "ending":
            return f"end with {_names(self.source)}" + (f", {self.times} times" if self.times > 1 else "")
        times = f", {self.times} times" if self.times > 1 else ""
        return f"copy {_names(self.source)} {_where(self.target, self.side)}{times}"


class Swap(Operation, frozen=True):
    """Two stretches change places; if the places name several, the first of `one` with the first of `other`, and so
    on."""

    one: Places
    other: Places

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return f"swap {_names(self.one)} and {_names(self.other)}"


def _names(places: Sequence[Place]) -> str:
    return " and ".join(told_place(place) for place in places)


def _where(places: Sequence[Place], side: Side) -> str:
    if len(places) == 1 and isinstance(places[0], Edge):
        return f"to the {places[0].at}"
    return f"{side} {_names(places)}"


def move(stage: Stage, operation: Move) -> None:
    """Move the bars of `operation.source` with all that lies on them; the bars in between close the gap. Raises
    `Blocked` if they are at their new place already."""
    sources = _bars_of(stage, operation.source)
    if operation.by:
        bars = stage.song.bar_map
        start, end = sources[-1]
        first = bars.bar_at(start) + operation.by if operation.by < 0 else bars.bar_at(end - 1) + 1 + operation.by
        points = [int(bars.start_of(max(1, min(stage.song.bars + 1, first))))]
    else:
        points = _points(stage, operation.target, operation.side)
    pairs = [(source, at) for source in sources for at in points if not source[0] <= at <= source[1]]
    if not pairs:
        raise Blocked(_THERE)
    (start, end), at = min(pairs, key=lambda pair: (_apart(*pair), -pair[1]))
    name = called(stage.song, start, end)
    _exchange(stage, Exchanged(at, start, end) if at < start else Exchanged(start, end, at), f"{name} moves")


def copy(stage: Stage, operation: Copy) -> None:
    """Insert the copies of the bars of `operation.source`; what lies behind them moves back. Raises `Blocked` if the
    place for them lies within the source."""
    sources, times = _bars_of(stage, operation.source), operation.times
    points = [song_end(stage)] if operation.at_end else _points(stage, operation.target, operation.side)
    if operation.at_end == "ending" and any(end == points[0] for _, end in sources):
        times -= 1
    outside = [(source, at) for source in sources for at in points if not source[0] < at < source[1]]
    if not outside:
        raise Blocked(msg("it cannot be put into itself"))
    if not times:
        raise Blocked(msg("the song ends with it already"))
    (start, end), at = min(outside, key=lambda pair: (_apart(*pair), -pair[1]))
    length = end - start
    for _ in range(times):
        copied(stage, (start, end), at)
        start, end = (start + length, end + length) if at <= start else (start, end)


def swap(stage: Stage, operation: Swap) -> None:
    """Swap the stretches of `operation` pair by pair, in order of time. Raises `Blocked` if there are no two or they
    overlap."""
    before, palette = stage.sketch.before, stage.palette
    ones, others = (each_span(places, before, palette) for places in (operation.one, operation.other))
    pairs = [pair for pair in zip(ones, others, strict=False) if pair[0] != pair[1]]
    if not pairs:
        raise Blocked(msg("there is nothing to swap it with"))
    for one, other in pairs:
        first, second = sorted(_whole(stage, stage.sketch.placed(*span)) for span in (one, other))
        if first[1] > second[0]:
            raise Blocked(msg("they lie within each other"))
        names = f"{called(stage.song, *first)} and {called(stage.song, *second)} change places"
        _exchange(stage, Exchanged(first[0], first[1], second[1]), names)
        if first[1] < second[0]:
            between = second[0] - first[1]
            back = Exchanged(first[0], first[0] + between, first[0] + second[1] - first[1])
            _exchange(stage, back, names)


def _exchange(stage: Stage, exchanged: Exchanged, why: str) -> None:
    before = stage.song
    song = exchange_time(before, exchanged, stage.sketch.new_id)
    song = structs.replace(song, sections=tuple(recounted(before.sections, song.sections)))
    stage.sketch.move(song, exchanged, why)


def copied(stage: Stage, source: Span, at: int) -> None:
    """Insert a copy of the stretch `source` (ticks of whole bars) at the bar line `at`; what follows moves back. Raises
    `Blocked` if the song gets too long."""
    start, end = source
    song, length, new_id = stage.song, end - start, stage.sketch.new_id
    if song.bars + length // song.meters[0].bar_length > MOST_BARS:
        raise Blocked(msg("a song of more than {most_bars} bars is too long", most_bars=MOST_BARS))
    opened = insert_time(split_sections(song, at, new_id), at, length, new_id)
    shift = length if at <= start else 0
    copied = copy_time(opened, start + shift, end + shift, at, new_id)
    known = {section.id for section in opened.sections}
    own = [section for section in copied.sections if section.id in known]
    copies = [section for section in copied.sections if section.id not in known]
    sections = tuple(numbered(song.sections, own, copies))
    why = f"{called(song, start, end)} comes once more"
    stage.sketch.move(structs.replace(copied, sections=sections), Inserted(at, length), why)


def _bars_of(stage: Stage, places: Sequence[Place]) -> list[Span]:
    """The stretches that places name, from bar line to bar line, where they now lie."""
    spans = each_span(places, stage.sketch.before, stage.palette)
    if len(places) > 1 and all(low[1] == high[0] for low, high in itertools.pairwise(spans)):
        spans = [(spans[0][0], spans[-1][1])]
    found = [_whole(stage, stage.sketch.placed(*span)) for span in spans]
    found = [span for span in found if span[0] < span[1]]
    if not found:
        raise Blocked(msg("that is less than a bar"))
    return found


def _whole(stage: Stage, span: Span) -> Span:
    song = stage.song
    close = int(song.bar_map.start_of(song.bars + 1))
    return bar_line(song, span[0]), min(close, bar_line(song, span[1]))


def _points(stage: Stage, places: Sequence[Place], side: Side) -> list[int]:
    """The bar lines that a target may mean."""
    song = stage.song
    if len(places) == 1 and isinstance(places[0], Edge):
        return [0 if places[0].at == "start" else int(song.bar_map.start_of(song.bars + 1))]
    if side == "between":
        ends = {span[1] for span in _bars_of(stage, places[:1])}
        starts = {span[0] for span in _bars_of(stage, places[1:])}
        return sorted(ends & starts) or sorted(starts)
    return [span[0] if side == "before" else span[1] for span in _bars_of(stage, places)]


def song_end(stage: Stage) -> int:
    """The tick at which the song ends; where its outro begins, if it has one."""
    song = stage.song
    sections = sections_heard(song, stage.palette)
    close = int(song.bar_map.start_of(song.bars + 1))
    outro = len(sections) > 1 and base_name(sections[-1].name) == "outro" and bar_line(song, sections[-1].end) == close
    return bar_line(song, sections[-1].start) if outro else close


def _apart(source: Span, at: int) -> int:
    return min(abs(at - source[0]), abs(at - source[1]))


def _side(ref: PlaceRef) -> Side:
    if len(ref.places) > 1 and ref.relation == "in":
        return "between"
    return "after" if ref.relation in ("after", "onward") else "before"


def _source(filled: Filled) -> tuple[Place, ...]:
    source, name = filled.value("source") or filled.value("to_end"), filled.value("section")
    if isinstance(source, PlaceRef):
        return source.places
    return (Named(str(name)),) if name is not None else ()


def _target(filled: Filled) -> PlaceRef | None:
    target = filled.value("target")
    if filled.value("to_end") is not None:
        return PlaceRef((Edge("end", EDGE_BARS),))
    return target if isinstance(target, PlaceRef) else None


def _times(filled: Filled) -> int:
    return max(1, min(64, int(filled.number("times") or filled.number("number") or 1)))


def _read_move(filled: Filled) -> tuple[Operation, ...]:
    source, target, bars = _source(filled), _target(filled), filled.number("bars")
    if source and bars is not None:
        return (Move(source, by=max(-999, min(999, int(bars) * filled.direction))),)
    return (Move(source, target.places, _side(target)),) if source and target is not None else ()


def _read_to(filled: Filled) -> tuple[Operation, ...]:
    """To the front, or to the back."""
    return (Move(_source(filled), (Edge("start" if filled.words.sign > 0 else "end", EDGE_BARS),)),)


def _read_copy(filled: Filled) -> tuple[Operation, ...]:
    source, target = _source(filled), _target(filled)
    if not source or target is None:
        return ()
    return (Copy(source, target.places, _side(target), _times(filled)),)


def _read_again(filled: Filled) -> tuple[Operation, ...]:
    """Played again at the end is what leads into the outro; with a number of times so often in all."""
    operations = _read_copy(filled)
    ends = (target := _target(filled)) is not None and target.places[0] == Edge("end", EDGE_BARS)
    stated = filled.value("times") is not None
    return tuple(
        structs.replace(one, at_end="ending" if stated else "again") if ends and isinstance(one, Copy) else one
        for one in operations
    )


def _read_ending(filled: Filled) -> tuple[Operation, ...]:
    source = _source(filled)
    return (Copy(source, (Edge("end", 1),), "after", _times(filled), "ending"),) if source else ()


def _read_swap(filled: Filled) -> tuple[Operation, ...]:
    refs = [ref for slot in ("source", "target") for ref in filled.found.all(slot) if isinstance(ref, PlaceRef)]
    places: list[Place] = [place for ref in refs for place in ref.places]
    places += [Named(str(name)) for name in filled.found.all("section")]
    return (Swap((places[0],), (places[1],)),) if len(places) == 2 else ()


def _asks_moved(served: Served, operation: Move | Swap, _: StyleBook) -> list[Ask]:
    """What lay there is found where it was to go."""
    places = operation.source if isinstance(operation, Move) else operation.one
    bars, asks = served.song.bar_map, []
    for start, end in each_span(places, served.song, served.palette)[:3]:
        stretch = bars.bar_at(start), bars.bar_at(end - 1)
        now = served.moved.of(stretch) if served.moved is not None and not served.remade else None
        if now is not None and now != stretch:
            asks.append(Ask(served.words, served.rows, "same_notes", "at_least", 0.95, stretch, now))
    return asks or served.plain()


KINDS = (
    OperationKind(
        Move, 15, move,
        MappingProxyType(
            {"move": SlotReading(_read_move, _NEEDS), "move_to": SlotReading(_read_to, _NEEDS)}
        ), _asks_moved,
        moves_bars=lambda _: True,
    ),
    OperationKind(
        Copy, 15, copy,
        MappingProxyType({
            "copy": SlotReading(_read_copy, _NEEDS), "play_again": SlotReading(_read_again, _NEEDS),
            "end_with": SlotReading(_read_ending, _NEEDS),
        }),
        more_bars, moves_bars=lambda _: True,
    ),
    OperationKind(
        Swap, 15, swap, MappingProxyType({"swap": SlotReading(_read_swap, _NEEDS)}), _asks_moved,
        moves_bars=lambda _: True,
    ),
)
