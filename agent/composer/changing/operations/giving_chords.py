"""Giving chords: chords that the request writes down, in a place of the song, played by every part there."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from agent.composer.changing.notes.chord_orders import put_on_chords
from agent.composer.changing.notes.on_chords import bars_of
from agent.composer.changing.notes.substitutes import two_five
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.scopes import each_span
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Span, Stage
from agent.composer.styles import StyleBook
from agent.composer.understanding.asked_chart import AskedChart
from agent.composer.understanding.items import PlaceRef
from agent.composer.understanding.sentences import counted, told_place
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Named, Operation, Place
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.chart import ChordSymbol, in_brief
from agent.song.chord import Chord
from agent.song.chord_symbols import NO_CHORD
from agent.song.chord_symbols import chord as named
from agent.song.key import Key
from agent.song.time import Ticks
from agent.theory.charts.chart import Chart, ChartBar, ChartError, bar_starts
from agent.theory.charts.rows import rows_in
from agent.theory.chords import chord_symbol

_STANDS = 0.6
"""Share of what sounds that must belong to the chords."""
_SLOTS = ("chords", "chord", "symbol", "progression")
_WHY = "follows the chords that you wrote"


class GiveChords(Operation, frozen=True):
    """Let all parts play the chords of a chart. A row of chords without bar lines is repeated through its place, one a
    bar or as many a bar as needed to fit.

    With `before` the chords fill the bar right before those places, and a ii-V leads to the chord there. With `old`
    they replace only that chord. `wish` names a single part; that is not possible and raises `Blocked` when run.
    """

    chart: AskedChart
    before: tuple[Place, ...] = ()
    old: str = ""
    wish: Wish | None = None

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        symbols = [text for row in rows_in(self.chart.text, 1) for text in row.texts] or [self.chart.text]
        word = "the chord" if len(symbols) == 1 else "the chords"
        each = f", {counted(self.chart.each, 'bar')} each" if self.chart.each > 1 else ""
        return f"{word} {in_brief(symbols, 12)}{each}" + (f" for {self.old}" if self.old else "")

    def placed(self, said: str, places: str, without: str) -> str:
        if not self.before:
            return super().placed(said, places, without)
        return f"{said} before {' and '.join(map(told_place, self.before))}"


def give_chords(stage: Stage, operation: GiveChords) -> None:
    """State the chords and move all pitched parts to them; clashing melody notes move by the smallest step. Raises
    `Blocked` if a single part was named."""
    if operation.wish is not None:
        raise Blocked(
            msg("chords are for all parts: I cannot give {wish} chords of its own yet", wish=operation.wish.label),
        )
    meter = stage.song.bar_map.meter_at(stage.spans[0][0])
    chart = _read(operation.chart, stage.heard().key, (meter.beats, meter.unit))
    if operation.before:
        stated = _leading(stage, operation, chart)
    elif operation.old:
        stated = _instead(stage, operation.old, chart.symbols[0])
    else:
        if stage.whole and len(chart.symbols) == 1:
            raise Blocked(msg("I need a bar or a section to put {symbols} in", symbols=chart.symbols[0]))
        row = operation.chart.goes_round
        stated = tuple(one for span, bars in _spans(stage, chart) for one in _over(stage, span, bars, row=row))
    if any(one.symbol == NO_CHORD for one in stated):
        raise Blocked(msg("I cannot take the chord out of a bar yet"))
    put_on_chords(stage, stated, _WHY)


def _read(asked: AskedChart, key: Key, meter: tuple[int, int]) -> Chart:
    try:
        return asked.read(key, meter)
    except ChartError as problem:
        raise Blocked("; ".join(filter(None, (problem.what, problem.advice)))) from problem


def _spans(stage: Stage, chart: Chart) -> list[tuple[Span, Sequence[ChartBar]]]:
    """The stretches with their bars of the chart: those of its own sections, else all of them in every stretch."""
    if not chart.sections or not stage.whole:
        return [(span, chart.bars) for span in stage.spans]
    found: list[tuple[Span, Sequence[ChartBar]]] = []
    for section in chart.sections:
        own = chart.bars[section.first - 1 : section.first - 1 + section.bars]
        found += [(span, own) for span in each_span((Named(section.name.casefold()),), stage.song, stage.palette)]
    return found


def _over(stage: Stage, span: Span, bars: Sequence[ChartBar], *, row: bool) -> list[ChordSymbol]:
    """The chords over the bars of a stretch, of a mere row several in each where it is longer.

    `Blocked` where they do not fit into it.
    """
    there = bars_of(stage.song, *span)
    begun: list[tuple[int, str]] = []
    if len(bars) > len(there) and not row:
        raise Blocked(
            msg(
                "there are {count} there, and your chords have {count_2}",
                count=counted(len(there), "bar"), count_2=counted(len(bars), "bar"),
            ),
        )
    if len(bars) > len(there):
        return _several(stage, there, [one.symbol for bar in bars for one in bar.chords])
    for number, (start, end) in enumerate(there):
        begun += [(start + one.start, one.symbol) for one in bars[number % len(bars)].chords if start + one.start < end]
    return _lasting(begun, there[-1][1])


def _several(stage: Stage, there: Sequence[Span], symbols: Sequence[str]) -> list[ChordSymbol]:
    """More chords than bars: as many in each of them."""
    many, rest = divmod(len(symbols), len(there))
    beats = stage.song.bar_map.meter_at(there[0][0]).beats
    if rest or many > beats:
        raise Blocked(
            msg(
                "there are {count} there, which {count_2} chords do not fit",
                count=counted(len(there), "bar"), count_2=len(symbols),
            ),
        )
    begun = []
    for number, (start, _) in enumerate(there):
        meter = stage.song.bar_map.meter_at(start)
        places = bar_starts((meter.beats, meter.unit), many)
        begun += list(zip((start + at for at in places), symbols[number * many : (number + 1) * many], strict=True))
    return _lasting(begun, there[-1][1])


def _lasting(begun: Sequence[tuple[int, str]], end: int) -> list[ChordSymbol]:
    ends = [*(at for at, _ in begun[1:]), end]
    return [ChordSymbol(Ticks(at), Ticks(stop - at), symbol) for (at, symbol), stop in zip(begun, ends, strict=True)]


def _instead(stage: Stage, old: str, new: str) -> tuple[ChordSymbol, ...]:
    """The new chord wherever the old one stands, or one of its root and third where none is just that."""
    heard = stage.heard()
    wanted = _read(AskedChart(old), heard.key, (4, 4)).symbols[0]
    there = [span for part in stage.spans for span in heard.chords_in(*part)]
    found = [span for span in there if span.chord == named(wanted)]
    found = found or [span for span in there if _kin(span.chord) == _kin(named(wanted))]
    if not found:
        raise Blocked(msg("there is no {wanted} there", wanted=wanted))
    return tuple(ChordSymbol(Ticks(one.start), Ticks(one.end - one.start), new) for one in found)


def _kin(chord: Chord) -> tuple[int, bool]:
    return chord.root, 3 in chord.intervals


def _leading(stage: Stage, operation: GiveChords, chart: Chart) -> tuple[ChordSymbol, ...]:
    """The chords in the bar before each place; those of a ii-V lead to the first chord there."""
    heard, found = stage.heard(), list[ChordSymbol]()
    texts = [text for row in rows_in(operation.chart.text, 1) for text in row.texts]
    leads = [text.rstrip("7") for text in texts] == ["ii", "V"]
    for start, _ in each_span(operation.before, stage.song, stage.palette):
        if start == 0:
            continue
        goal = heard.chords_in(start, start + 1)[0].chord
        symbols = [chord_symbol(one, heard.key) for one in two_five(goal)] if leads else chart.symbols
        found += _several(stage, bars_of(stage.song, start - 1, start), symbols)
    if not found:
        raise Blocked(msg("there is no bar before it"))
    return tuple(found)


def _filled(filled: Filled) -> tuple[Operation, ...]:
    charts = [one for slot in _SLOTS for one in filled.found.all(slot)]
    given = [one for one in charts if isinstance(one, AskedChart)]
    if not given:
        return ()
    if len(given) > 1:
        new, old = reversed(given) if filled.words.variant == "instead" else given
        return (GiveChords(new, old=old.text),)
    edge = filled.value("ahead")
    return (GiveChords(given[0], edge.places if isinstance(edge, PlaceRef) else ()),)


def _asks(served: Served, operation: GiveChords, _: StyleBook) -> list[Ask]:
    return served.ask("on_chords", "at_least", _STANDS, words=operation.sentence(1.0, None))


KINDS = (
    OperationKind(
        GiveChords, 7, give_chords,
        MappingProxyType({"give_chords": SlotReading(_filled, frozenset(_SLOTS))}), _asks,
    ),
)
