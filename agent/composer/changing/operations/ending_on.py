"""Ending on: how a song or a section closes, by a cadence or on a chord that is named."""

from __future__ import annotations

from types import MappingProxyType
from typing import Literal

from msgspec.structs import replace

from agent.composer.changing.notes.chord_orders import put_on_chords
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Span, Stage
from agent.composer.changing.time.material import taken
from agent.composer.styles import RHYTHMIC, StyleBook
from agent.composer.understanding.asked_chart import AskedChart
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.composer.writing.frame import ChordSpan
from agent.composer.writing.harmony import is_minor
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.chart import ChordSymbol
from agent.song.chord_symbols import NO_CHORD
from agent.song.key import Key
from agent.song.time import Ticks
from agent.theory.charts.chart import ChartError
from agent.theory.chords import chord_symbol, roman

Close = Literal["perfect", "plagal", "deceptive", "half"]
_CLOSES: dict[Close, tuple[tuple[str, str], tuple[str, str]]] = {
    "perfect": (("V7", "I"), ("V7", "i")), "plagal": (("IV", "I"), ("iv", "i")),
    "deceptive": (("V7", "vi"), ("V7", "VI")), "half": (("IV", "V"), ("iv", "V")),
}
"""The last two chords of a cadence, in major and in minor."""
_STANDS = 0.6
"""Share of what sounds that must belong to the chords."""


class EndOn(Operation, frozen=True):
    """End the song, or each place of the scope, with a `cadence` (its last two chords), or with the chord of `chart` as
    the last one."""

    cadence: Close | None = None
    chart: AskedChart | None = None

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return f"a {self.cadence} cadence at the end" if self.chart is None else f"the last chord {self.chart.text}"

    def placed(self, said: str, places: str, without: str) -> str:
        return super().placed(f"{said} of {places}" if places else said, "", without)


def end_on(stage: Stage, operation: EndOn) -> None:
    """Move all parts to the closing chords with their rhythm kept; a melody ends on a chord tone."""
    key = stage.heard().key
    stated: list[ChordSymbol] = []
    for span in stage.spans:
        there = _chords(stage, span)
        if operation.chart is not None:
            stated.append(_stated(there[-1], _symbol(operation.chart, key)))
            continue
        assert operation.cadence is not None
        if len(there) < 2:
            raise Blocked(msg("there is only one chord there"))
        pair = _CLOSES[operation.cadence][is_minor(key.mode)]
        symbols = (chord_symbol(roman(text, key), key) for text in pair)
        stated += [_stated(one, symbol) for one, symbol in zip(there[-2:], symbols, strict=True)]
    put_on_chords(stage, stated, "as the end that you asked for")


def _chords(stage: Stage, span: Span) -> list[ChordSpan]:
    """The chords of a stretch up to the last in which anything pitched begins; the one before that a bar at most."""
    rhythmic = {track for track, role in stage.roles().items() if role in RHYTHMIC}
    pitched = [track for track in stage.song.tracks if track.id not in rhythmic]
    there = stage.heard().chords_in(*span)
    while there and not any(taken(track, there[-1].start, there[-1].end) for track in pitched):
        there.pop()
    if not there:
        raise Blocked(msg("there are no chords to be heard there"))
    if len(there) > 1:
        bars = stage.song.bar_map
        bar = int(bars.start_of(bars.bar_at(there[-2].end - 1)))
        there[-2] = replace(there[-2], start=max(there[-2].start, bar))
    return there


def _stated(span: ChordSpan, symbol: str) -> ChordSymbol:
    return ChordSymbol(Ticks(span.start), Ticks(span.end - span.start), symbol)


def _symbol(chart: AskedChart, key: Key) -> str:
    try:
        symbol = chart.read(key, (4, 4)).symbols[0]
    except ChartError as problem:
        raise Blocked(problem.said.what) from problem
    if symbol == NO_CHORD:
        raise Blocked(msg("I cannot take the chord out of a bar yet"))
    return symbol


def _read(filled: Filled) -> tuple[Operation, ...]:
    chart = filled.value("chord")
    if isinstance(chart, AskedChart):
        return (EndOn(None, chart),)
    if filled.words.variant == "tonic":
        return (EndOn(None, AskedChart("i" if is_minor(filled.lexicon.song.key.mode) else "I")),)
    return tuple(EndOn(one) for one in _CLOSES if one == filled.words.variant)


def _asks(served: Served, operation: EndOn, _: StyleBook) -> list[Ask]:
    return served.ask("on_chords", "at_least", _STANDS, words=operation.sentence(1.0, None))


KINDS = (OperationKind(EndOn, 8, end_on, MappingProxyType({"end_on": SlotReading(_read)}), _asks),)
