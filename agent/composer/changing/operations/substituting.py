"""Substituting: chords of the same function under the same tune: tritone, relative, secondary dominants, jazz."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Literal

from msgspec.structs import replace

from agent.composer.changing.notes.chord_orders import put_on_chords
from agent.composer.changing.notes.chord_slots import chord_slots
from agent.composer.changing.notes.on_chords import bars_of
from agent.composer.changing.notes.substitutes import Chords, ChordSlot, edges_of, fits, two_five
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
from agent.song.chord import Chord, Quality
from agent.song.key import Key
from agent.song.time import Ticks
from agent.theory.chords import chord_symbol, diatonic
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
    found = _exchanged(slots, followings, heard.key, operation.how, min(1.0, stage.amount))
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


Exchange = Literal["tritone", "relative", "secondary", "jazz", "sevenths"]
_TRITONE = 6
_SEVENTHS: dict[Quality, Quality] = {"maj": "maj7", "min": "min7", "dim": "m7b5"}


def _exchanged(
    slots: Sequence[ChordSlot], followings: Sequence[Chord | None], key: Key, how: Exchange, share: float
) -> list[Chords]:
    """The chord or chords for each of the `slots`, in order, with a `share` (0 to 1, at least one) of the possible
    exchanges of kind `how` ("tritone", "sevenths", …) made.

    An exchange is possible where the tune fits the new chord. `followings` holds the chord after each slot; without one
    (None) the slot stays. After a slot that was split or changed its root only sevenths are added.
    """
    possible: dict[int, Chords] = {}
    for number, (slot, following) in enumerate(zip(slots, followings, strict=True)):
        before = possible.get(number - 1, (slots[number - 1].chord,)) if number else ()
        busy = number > 0 and (len(before) > 1 or before[0].root != slots[number - 1].chord.root)
        options = _options(slot, following, key, how, busy) if following is not None else []
        fitting = [one for one in options if _carried(one, slot)]
        if fitting:
            possible[number] = fitting[0]
    ranked = sorted(possible, key=lambda number: (-_fit(possible[number], slots[number]), number))
    chosen = set(ranked[: max(1, round(share * len(ranked)))])
    return [possible[number] if number in chosen else (slot.chord,) for number, slot in enumerate(slots)]


def _options(slot: ChordSlot, following: Chord, key: Key, how: Exchange, busy: bool) -> list[Chords]:
    """What may stand in a slot, the best first; in a `busy` place only what keeps the root."""
    options: list[Chords] = []
    if not busy:
        match how:
            case "tritone":
                options = _tritone(slot, following)
            case "relative":
                options = [(_relative(slot.chord),)]
            case "secondary":
                options = _secondary(slot, following, key)
            case "sevenths":
                options = _rich(slot.chord, key)
            case "jazz":
                options = _jazzy(slot, following, key) if following.root != slot.chord.root else []
    return [*options, *_rich(slot.chord, key)] if how == "jazz" else options


def _tritone(slot: ChordSlot, following: Chord) -> list[Chords]:
    """A dominant becomes the one a tritone away; before another chord the half of a bar may lead there so."""
    leads = Chord((following.root + 1) % 12, "7")
    if _is_dominant(slot.chord, following):
        return [(Chord((slot.chord.root + _TRITONE) % 12, "7"),)]
    if slot.halves and following.root not in (slot.chord.root, leads.root):
        return [(slot.chord, leads)]
    return []


def _is_dominant(chord: Chord, following: Chord) -> bool:
    major = 4 in chord.intervals
    return major and (10 in chord.intervals or (chord.root - following.root) % 12 == 7)


def _relative(chord: Chord) -> Chord:
    """The relative minor of a major chord, the relative major of a minor one, with a seventh where it had one."""
    rich = len(chord.intervals) > 3
    if 3 in chord.intervals:
        return Chord((chord.root + 3) % 12, "maj7" if rich else "maj")
    return Chord((chord.root + 9) % 12, "min7" if rich else "min")


def _secondary(slot: ChordSlot, following: Chord, key: Key) -> list[Chords]:
    """The dominant of the chord that follows, where that is no tonic."""
    leads = Chord((following.root + 7) % 12, "7")
    if following.root in (key.pitch_class, slot.chord.root) or 6 in following.intervals or slot.chord == leads:
        return []
    if slot.chord.root == leads.root:
        return [(leads,)]
    return [(slot.chord, leads), (leads,)] if slot.halves else [(leads,)]


def _jazzy(slot: ChordSlot, following: Chord, key: Key) -> list[Chords]:
    dominant = _is_dominant(slot.chord, following)
    if dominant:
        two = two_five(following)
        own: list[Chords] = [(Chord((slot.chord.root + _TRITONE) % 12, "7"),)]
        return [(two[0], Chord(two[1].root, "9")), *own] if slot.halves else own
    return [(_rich(slot.chord, key)[0][0], Chord((following.root + 7) % 12, "7"))] if slot.halves else []


def _rich(chord: Chord, key: Key) -> list[Chords]:
    """The chord with the seventh that the key has on it."""
    if len(chord.intervals) > 3 or chord.quality not in _SEVENTHS:
        return []
    own = next((one for degree in range(7) if (one := diatonic(key, degree + 1, 4)).root == chord.root), None)
    third = 3 if 3 in chord.intervals else 4
    if own is not None and len(own.intervals) > 3 and third in own.intervals:
        return [(own,)]
    return [(Chord(chord.root, _SEVENTHS[chord.quality]),)]


def _carried(option: Chords, slot: ChordSlot) -> bool:
    edges = edges_of(slot, len(option))
    found = [fits(chord, slot.tune, *edge) for chord, edge in zip(option, edges, strict=True)]
    return option != (slot.chord,) and all(one is not None and one > -0.5 for one in found)


def _fit(option: Chords, slot: ChordSlot) -> float:
    edges = edges_of(slot, len(option))
    found = [fits(chord, slot.tune, *edge) or 0.0 for chord, edge in zip(option, edges, strict=True)]
    return sum(found) / len(found)
