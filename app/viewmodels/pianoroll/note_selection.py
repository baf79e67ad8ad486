"""Finding notes of a clip: what lies at a place, in a rectangle, and beside a note."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Literal

from agent.song.clip import Note
from agent.song.ids import NoteId

Way = Literal["left", "right", "up", "down"]
_PITCHES = 128
_FAR = 1 << 40


class _Row:
    """Notes of one pitch in order, with the latest end of all up to each."""

    __slots__ = ("ends", "notes", "starts")

    def __init__(self) -> None:
        self.notes: list[Note] = []
        self.starts: list[int] = []
        self.ends: list[int] = []

    def put(self, note: Note) -> None:
        """One more, that begins last."""
        end = note.start + note.duration
        self.notes.append(note)
        self.starts.append(note.start)
        self.ends.append(end if not self.ends or end > self.ends[-1] else self.ends[-1])

    def at(self, tick: float) -> Note | None:
        """The uppermost note that sounds at a tick: the one that began last."""
        place = bisect_right(self.starts, tick) - 1
        while place >= 0 and self.ends[place] > tick:
            note = self.notes[place]
            if note.start + note.duration > tick:
                return note
            place -= 1
        return None

    def between(self, start: float, end: float) -> Iterator[Note]:
        """Notes that sound in a stretch."""
        stop = bisect_left(self.starts, end)
        for place in range(bisect_right(self.ends, start), stop):
            if self.notes[place].end > start:
                yield self.notes[place]


class NoteIndex:
    """An index over the notes of a clip, built once for each state of them."""

    def __init__(self, notes: tuple[Note, ...]) -> None:
        self.notes = notes

    @cached_property
    def by_id(self) -> dict[NoteId, Note]:
        """Each note by its id."""
        return {note.id: note for note in self.notes}

    @cached_property
    def _rows(self) -> list[_Row | None]:
        rows: list[_Row | None] = [None] * _PITCHES
        for note in self.notes:
            row = rows[note.pitch]
            if row is None:
                row = rows[note.pitch] = _Row()
            row.put(note)
        return rows

    @cached_property
    def pitches(self) -> frozenset[int]:
        """The pitches that occur."""
        return frozenset(note.pitch for note in self.notes)

    def at(self, pitch: int, tick: float) -> Note | None:
        """The topmost note of a pitch at a tick of the clip; None for none."""
        row = self._rows[pitch] if 0 <= pitch < _PITCHES else None
        return None if row is None else row.at(tick)

    def near(self, pitch: int, tick: float, reach: float) -> Note | None:
        """The note of a pitch that begins nearest to a tick, within `reach` ticks; None for none."""
        row = self._rows[pitch] if 0 <= pitch < _PITCHES else None
        if row is None:
            return None
        place = bisect_left(row.starts, tick)
        around = row.notes[max(0, place - 1) : place + 1]
        best = min(around, key=lambda note: abs(note.start - tick), default=None)
        return best if best is not None and abs(best.start - tick) <= reach else None

    def within(self, start: float, end: float, low: int, high: int) -> list[Note]:
        """Notes that overlap the ticks from `start` to `end` with pitches `low` to `high`, inclusive."""
        found: list[Note] = []
        for row in self._rows[max(0, low) : min(_PITCHES, high + 1)]:
            if row is not None:
                found += row.between(start, end)
        return found

    def starting(self, start: float, end: float) -> tuple[Note, ...]:
        """Notes that begin at `start` or later and before `end`, in order."""
        key = _start
        return self.notes[bisect_left(self.notes, start, key=key) : bisect_left(self.notes, end, key=key)]

    def beside(self, note: Note, way: Way) -> Note | None:
        """The next note in time, or the nearest higher or lower one, in direction `way`; None for none."""
        if way in ("left", "right"):
            place = bisect_left(self.notes, _order(note), key=_order) + (1 if way == "right" else -1)
            return self.notes[place] if 0 <= place < len(self.notes) else None
        pitches = range(note.pitch + 1, _PITCHES) if way == "up" else range(note.pitch - 1, -1, -1)
        best, least = None, float(_FAR)
        for pitch in pitches:
            other = self.near(pitch, note.start, _FAR)
            if other is None:
                continue
            far = abs(other.start - note.start) / 240 + abs(pitch - note.pitch)
            if far < least:
                best, least = other, far
        return best

    def nearest(self, tick: float) -> Note | None:
        """The note that begins nearest to a tick; None without notes."""
        place = bisect_left(self.notes, tick, key=_start)
        around = self.notes[max(0, place - 1) : place + 1]
        return min(around, key=lambda note: abs(note.start - tick), default=None)

    def kept(self, ids: Iterable[NoteId]) -> frozenset[NoteId]:
        """Those of the ids that still exist."""
        return frozenset(one for one in ids if one in self.by_id)

    def chosen(self, ids: Iterable[NoteId]) -> tuple[Note, ...]:
        """The notes with these ids, in the clip's order."""
        wanted = ids if isinstance(ids, frozenset | set) else frozenset(ids)
        if len(wanted) * 20 < len(self.notes):
            found = [self.by_id[one] for one in wanted if one in self.by_id]
            return tuple(sorted(found, key=_order))
        return tuple(note for note in self.notes if note.id in wanted)


def _start(note: Note) -> int:
    return note.start


def _order(note: Note) -> tuple[int, int, str]:
    return note.start, note.pitch, note.id
