"""The highest note of a part at every moment, and where two parts cross."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import pairwise

from msgspec import Struct

from agent.theory.sounding import TOGETHER, Sounding


class HighestNote(Struct, frozen=True):
    """The pitch that is the highest of a part from tick `start` to tick `end`."""

    start: int
    end: int
    pitch: int


class VoiceCrossing(Struct, frozen=True):
    """The pitches of the lower and of the upper part from tick `at` on, where the lower lies above."""

    at: int
    lower: int
    upper: int


def top_line(notes: Sequence[Sounding]) -> list[HighestNote]:
    """The highest sounding note at every moment, in order of time, without gaps where nothing sounds; `notes` are in
    order of time."""
    moments = sorted({moment for note in notes for moment in (note.start, note.end)})
    held: list[tuple[int, int]] = []
    line: list[HighestNote] = []
    ahead = 0
    for at, until in pairwise(moments):
        while ahead < len(notes) and notes[ahead].start <= at:
            heappush(held, (-notes[ahead].pitch, notes[ahead].end))
            ahead += 1
        while held and held[0][1] <= at:
            heappop(held)
        if not held:
            continue
        pitch = -held[0][0]
        if line and line[-1].end == at and line[-1].pitch == pitch:
            line[-1] = HighestNote(line[-1].start, until, pitch)
        else:
            line.append(HighestNote(at, until, pitch))
    return line


def crossings(lower: Sequence[HighestNote], upper: Sequence[HighestNote]) -> list[VoiceCrossing]:
    """Where the lower part lies above the upper one, once for each stretch; what lasts less than a 1/64 is no more than
    notes that overlap a little."""
    found: list[VoiceCrossing] = []
    until = -1
    for start, end, low, high in both(lower, upper):
        if low <= high or end - start < TOGETHER:
            continue
        if start > until:
            found.append(VoiceCrossing(start, low, high))
        until = end
    return found


def both(one: Sequence[HighestNote], other: Sequence[HighestNote]) -> Iterator[tuple[int, int, int, int]]:
    """(start, end, pitch of one, pitch of the other) for every stretch in which both sound."""
    i = j = 0
    while i < len(one) and j < len(other):
        start, end = max(one[i].start, other[j].start), min(one[i].end, other[j].end)
        if start < end:
            yield start, end, one[i].pitch, other[j].pitch
        if one[i].end <= other[j].end:
            i += 1
        else:
            j += 1
