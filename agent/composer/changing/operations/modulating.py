"""Modulating: a stretch in another key, into which a chord that both keys have leads."""

from __future__ import annotations

from types import MappingProxyType
from typing import Annotated, cast

from msgspec import Meta
from msgspec.structs import replace

from agent.composer.changing.notes.chord_orders import put_on_chords
from agent.composer.changing.notes.on_chords import bars_of
from agent.composer.changing.operations.keys import transpose
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Span, Stage
from agent.composer.styles import StyleBook
from agent.composer.understanding.operations import Transpose
from agent.composer.understanding.sentences import interval
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.chart import ChordSymbol
from agent.song.chord import Chord
from agent.song.key import TONICS, Key, Mode
from agent.song.time import Ticks
from agent.theory.charts.chart import bar_starts
from agent.theory.chords import chord_symbol, diatonic
from agent.theory.pitch import usual_tonic

_STANDS = 0.6
"""Share of what sounds that must belong to the chords."""
_DEGREES = (2, 4, 6, 1, 3, 5)
"""Degrees of the new key on which a pivot does best what leads to its dominant, the best first."""


class Modulate(Operation, frozen=True):
    """Modulate to another key, by `semitones` or to `tonic`, with a pivot chord and the new dominant in the bar
    before."""

    semitones: Annotated[int, Meta(ge=-12, le=12)] = 0
    tonic: str = ""

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        where = f"to {self.tonic}" if self.tonic else interval(self.semitones)
        return f"modulate {where}, with a pivot chord in the bar before"


def modulate(stage: Stage, operation: Modulate) -> None:
    """Move all pitched parts in the stage's spans to the new key; the bar before each gets a chord of both keys, then
    the new dominant.

    Raises `Blocked` where a span begins the song, or where no chord belongs to both keys.
    """
    old = stage.heard().key
    steps = _steps(old, operation)
    if not steps % 12:
        raise Blocked(msg("it is in {old} already", old=old))
    new = Key(usual_tonic((old.pitch_class + steps) % 12, old.mode), old.mode)
    leads = [(start, _pivot(old, new)) for start, _ in stage.spans]
    if any(start == 0 for start, _ in leads):
        raise Blocked(msg("there is no bar before it for a pivot chord"))
    for start, pivot in leads:
        if pivot is None:
            raise Blocked(msg("{old} and {new} have no chord in common to be the pivot", old=old, new=new))
        bar = bars_of(stage.song, start - 1, start)[0]
        before = replace(stage, spans=(bar,), whole=False)
        put_on_chords(before, _leading(stage, bar, pivot, new), f"leads from {old} to {new}")
    transpose(replace(stage, whole=False), Transpose(steps))


def _steps(old: Key, operation: Modulate) -> int:
    if not operation.tonic:
        return operation.semitones
    return (Key(operation.tonic).pitch_class - old.pitch_class + 5) % 12 - 5


def _pivot(old: Key, new: Key) -> Chord | None:
    """The triad that both keys have and that leads best to the dominant of the new one; None where there is none."""
    known = [diatonic(old, degree) for degree in range(1, 8)]
    options = (diatonic(new, degree) for degree in _DEGREES)
    return next((one for one in options if one in known and one.quality in ("maj", "min")), None)


def _leading(stage: Stage, bar: Span, pivot: Chord, new: Key) -> list[ChordSymbol]:
    """The pivot and the dominant seventh of the new key, each half of the bar."""
    meter = stage.song.bar_map.meter_at(bar[0])
    middle = bar[0] + int(bar_starts((meter.beats, meter.unit), 2)[1])
    dominant = Chord((new.pitch_class + 7) % 12, "7")
    return [
        ChordSymbol(Ticks(start), Ticks(end - start), chord_symbol(chord, new))
        for start, end, chord in ((bar[0], middle, pivot), (middle, bar[1], dominant))
    ]


def _read(filled: Filled) -> tuple[Operation, ...]:
    steps = filled.number("steps")
    if steps:
        return (Modulate(int(steps) * filled.direction),)
    key = filled.value("key")
    tonic = cast("tuple[str, Mode | None]", key)[0] if isinstance(key, tuple) else ""
    return (Modulate(tonic=tonic),) if tonic in TONICS else ()


def _asks(served: Served, operation: Modulate, _: StyleBook) -> list[Ask]:
    return served.ask("on_chords", "at_least", _STANDS, words=operation.sentence(1.0, None))


KINDS = (
    OperationKind(
        Modulate, 8, modulate, MappingProxyType({"modulate": SlotReading(_read, frozenset({"steps", "key"}))}), _asks
    ),
)
