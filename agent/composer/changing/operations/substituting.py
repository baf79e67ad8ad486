"""Substituting: chords of the same function under the same tune: tritone, relative, secondary dominants, jazz."""

from __future__ import annotations

from itertools import pairwise
from types import MappingProxyType

from msgspec.structs import replace

from agent.composer.changing.notes.chord_exchanges import Exchange, exchanged
from agent.composer.changing.notes.chord_orders import put_on_chords
from agent.composer.changing.notes.chord_slots import chord_slots
from agent.composer.changing.notes.on_chords import bars_of
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.scopes import each_span
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.styles import StyleBook
from agent.composer.understanding.items import PlaceRef
from agent.composer.understanding.sentences import told_place
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation, Place
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.chart import ChordSymbol
from agent.song.chord import Chord
from agent.song.key import Key
from agent.song.time import Ticks
from agent.theory.chords import chord_symbol
from agent.theory.pitch import in_scale

_STANDS = 0.6
"""Share of what sounds that must belong to the chords."""
_FLATS = Key("Db")
_NAMES: dict[Exchange, str] = {
    "tritone": "tritone substitutes", "relative": "relative chords", "secondary": "secondary dominants",
    "jazz": "sevenths and substitutes of jazz", "sevenths": "sevenths on the chords",
}


class Substitute(Operation, frozen=True):
    """Exchange chords for others of the same function where the melody allows it; the task's amount is the share of
    those. `how` names the kind: tritone substitutes, relative chords, secondary dominants, jazz (several kinds) or
    sevenths.

    With `before` only in the bar right before those places.
    """

    how: Exchange
    before: tuple[Place, ...] = ()

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        before = f" before {' and '.join(map(told_place, self.before))}" if self.before else ""
        return f"{_NAMES[self.how]}{before}"


def substitute(stage: Stage, operation: Substitute) -> None:
    """Exchange the chords and state them in the song; the melody stays, all other parts follow. Raises `Blocked` if
    none can be exchanged."""
    if operation.before:
        starts = [start for start, _ in each_span(operation.before, stage.song, stage.palette) if start]
        if not starts:
            raise Blocked(msg("there is no bar before it"))
        stage = replace(stage, spans=tuple(bars_of(stage.song, at - 1, at)[0] for at in starts), whole=False)
    heard = stage.heard()
    singers = [track for track, role in heard.roles.items() if role in ("lead", "counter")]
    slots = chord_slots(stage, heard, singers)
    followings = [next((one.chord for one in heard.chords if one.start <= slot.end < one.end), None) for slot in slots]
    found = exchanged(slots, followings, heard.key, operation.how, min(1.0, stage.amount))
    stated: list[ChordSymbol] = []
    for slot, new in zip(slots, found, strict=True):
        if new == (slot.chord,):
            continue
        edges = [slot.start, slot.end] if len(new) == 1 else [slot.start, (slot.start + slot.end) // 2, slot.end]
        stated += [
            ChordSymbol(Ticks(start), Ticks(end - start), _spelled(chord, heard.key))
            for (start, end), chord in zip(pairwise(edges), new, strict=True)
        ]
    if not stated:
        raise Blocked(msg("no {names} there would carry the tune", names=_NAMES[operation.how]))
    put_on_chords(stage, stated, _NAMES[operation.how], sing=False)


def _spelled(chord: Chord, key: Key) -> str:
    """The symbol of a chord; a root from outside of the key is a lowered one, as that of a tritone substitute."""
    return chord_symbol(chord, key if in_scale(key, chord.root) else _FLATS)


def _read(filled: Filled) -> tuple[Operation, ...]:
    how = next(one for one in _NAMES if one == filled.words.variant)
    edge = filled.value("ahead")
    return (Substitute(how, edge.places if isinstance(edge, PlaceRef) else ()),)


def _asks(served: Served, operation: Substitute, _: StyleBook) -> list[Ask]:
    return served.ask("on_chords", "at_least", _STANDS, words=operation.sentence(1.0, None))


KINDS = (OperationKind(Substitute, 7, substitute, MappingProxyType({"substitute": SlotReading(_read)}), _asks),)
