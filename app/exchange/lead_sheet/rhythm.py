"""A tune in the note values that people read: on a grid of sixteenths and triplets, cut at bar lines and beats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from agent.song.time import PPQ, MeterChange
from agent.theory.sounding import Sounding
from app.exchange.lead_sheet.sheet import SheetBar, Tie, Written

_SIXTEENTH = PPQ // 4
_EIGHTH = PPQ // 2
_THIRD = PPQ // 3
_NEAR = PPQ // 14
"""How near to a third of a beat a note begins that is one of a triplet."""
_LATE = (PPQ * 9 // 16, PPQ * 23 // 32)
"""Where a swung eighth begins; it is written as a straight one."""
_VALUES = (3840, 2880, 1920, 1440, 960, 720, 480, 240)
_RESTS = (1920, 960, 480, 240)
_SHORT_GAP = _EIGHTH
"""A silence of at most this behind a note is a way of playing it, and is not written."""
_Line = list[tuple[int, int, int]]
"""Start, end and pitch of notes, in ticks of the song."""


def with_tune(bars: Sequence[SheetBar], tune: Sequence[Sounding]) -> tuple[SheetBar, ...]:
    """The bars with a tune of one voice written into them."""
    thirds = _triplet_beats(bars, tune)
    line = _on_grid(tune, thirds)
    made: list[SheetBar] = []
    for bar in bars:
        own = [one for one in line if one[0] < bar.start + bar.length and one[1] > bar.start]
        made.append(replace(bar, notes=tuple(_written(bar, own, thirds))) if own else bar)
    return tuple(made)


def is_swung(tune: Sequence[Sounding]) -> bool:
    """Whether most notes between the beats come late, as swung eighths do."""
    late = sum(_LATE[0] < note.start % PPQ < _LATE[1] for note in tune)
    even = sum(abs(note.start % PPQ - _EIGHTH) <= PPQ // 16 for note in tune)
    return late > 3 and late > 2 * even


def beam_groups(meter: MeterChange) -> tuple[int, ...]:
    """Lengths of the groups, in ticks, within which a meter's eighths are beamed: 2+2+3 of seven eighths."""
    unit = PPQ * 4 // meter.unit
    if meter.unit < 8:
        return (PPQ,) * max(1, meter.beats * unit // PPQ)
    if meter.beats % 3 == 0:
        return (3 * unit,) * (meter.beats // 3)
    twos, rest = divmod(meter.beats, 2)
    return ((2 * unit,) * (twos - rest) + (3 * unit,) * rest) if twos else (unit,) * meter.beats


def _triplet_beats(bars: Sequence[SheetBar], tune: Sequence[Sounding]) -> frozenset[int]:
    """Starts of beats in which a note begins on the first third: nothing but a triplet writes that."""
    found: set[int] = set()
    for bar in bars:
        if bar.meter.unit == 4:
            for note in tune:
                if bar.start <= note.start < bar.start + bar.length:
                    inside = (note.start - bar.start) % PPQ
                    if abs(inside - _THIRD) <= _NEAR:
                        found.add(note.start - inside)
    return frozenset(found)


def _on_grid(tune: Sequence[Sounding], thirds: frozenset[int]) -> _Line:
    line: _Line = []
    for note in tune:
        start, end = _snapped(note.start, thirds), _snapped(note.end, thirds)
        if line and line[-1][0] == start:
            continue
        line.append((start, max(end, start + (_THIRD if _beat(start) in thirds else _SIXTEENTH)), note.pitch))
    for at, (start, end, pitch) in enumerate(line[:-1]):
        following = line[at + 1][0]
        close = end >= following or following - end <= min(_SHORT_GAP, following - start)
        line[at] = (start, following if close else end, pitch)
    return [one for one in line if one[1] > one[0]]


def _beat(at: int) -> int:
    return at - at % PPQ


def _snapped(at: int, thirds: frozenset[int]) -> int:
    beat, inside = _beat(at), at % PPQ
    if beat in thirds:
        return beat + round(inside / _THIRD) * _THIRD
    if _LATE[0] < inside < _LATE[1]:
        return beat + _EIGHTH
    return beat + round(inside / _SIXTEENTH) * _SIXTEENTH


def _written(bar: SheetBar, own: Sequence[tuple[int, int, int]], thirds: frozenset[int]) -> Iterator[Written]:
    at = bar.start
    for start, end, pitch in own:
        first, last = max(start, bar.start), min(end, bar.start + bar.length)
        if at < first:
            yield from _pieces(bar, at, first, None, thirds)
        pieces = list(_pieces(bar, first, last, pitch, thirds))
        for number, piece in enumerate(pieces):
            before = number > 0 or start < bar.start
            after = number < len(pieces) - 1 or end > bar.start + bar.length
            tie: Tie = "m" if before and after else "t" if before else "i" if after else ""
            yield replace(piece, tie=tie)
        at = last
    if at < bar.start + bar.length:
        yield from _pieces(bar, at, bar.start + bar.length, None, thirds)


def _pieces(bar: SheetBar, start: int, end: int, pitch: int | None, thirds: frozenset[int]) -> Iterator[Written]:
    """A stretch of a bar in note values."""
    at = start
    while at < end:
        if _beat(at) in thirds:
            length = min(end, _beat(at) + PPQ) - at
            yield Written(at - bar.start, length, length * 3 // 2, pitch, triplet=True)
            at += length
            continue
        edges = [beat for beat in thirds if at < beat < end]
        stop = min(edges, default=end)
        length = _value(bar, at - bar.start, stop - at, rest=pitch is None)
        yield Written(at - bar.start, length, length, pitch)
        at += length


def _value(bar: SheetBar, at: int, room: int, *, rest: bool) -> int:
    """The longest value that is read easily from a place of a bar on; what no value has is one sixteenth."""
    beat = bar.length if bar.meter.beats == 1 else beam_groups(bar.meter)[0] if bar.meter.unit >= 8 else PPQ
    inside = at % beat
    most = room
    if inside:
        syncope = not rest and at % _EIGHTH == 0 and beat == PPQ and room >= PPQ and (at + PPQ) % (2 * PPQ) != _EIGHTH
        most = PPQ if syncope else min(room, beat - inside)
    elif rest and bar.meter.unit < 8:
        most = min(room, PPQ if at % (2 * PPQ) else 2 * PPQ)
    return next((value for value in (_RESTS if rest else _VALUES) if value <= most), room)
