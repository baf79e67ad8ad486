"""Imitations of a line: the whole of it later, and short answers to its phrases in the gaps between them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec import structs

from agent.composer.tones import STEP, Tone
from agent.song.time import PPQ

_GAP = 3 * PPQ // 2
"""Ticks of rest in which an answer has room."""
_HELD = 4 * PPQ
"""Ticks of a note that is held so long that it leaves room for an answer over it."""
_MOST = 5
"""Notes of an answer."""


def later(tones: Sequence[Tone], by: int, end: int) -> list[Tone]:
    """The line delayed by `by` ticks; what would begin at or after `end` is dropped, the last notes are cut there."""
    moved = [structs.replace(tone, start=tone.start + by) for tone in tones]
    return [structs.replace(t, length=min(t.length, end - t.start)) for t in moved if t.start + STEP <= end]


def gaps_of(line: Sequence[Tone], end: int) -> list[tuple[int, int]]:
    """(start, end) ticks of the gaps long enough for an answer: rests, and the rest of notes held for a bar of 4/4.
    `end` closes the last gap."""
    found = []
    for tone, after in pairwise([*line, Tone(end, 0, 0, 0)]):
        free = tone.start + 2 * PPQ if tone.length >= _HELD else tone.end
        if after.start - free >= _GAP:
            found.append((free, after.start))
    return found


def answers(line: Sequence[Tone], end: int) -> list[Tone]:
    """Answers to a line: in each gap the notes before it are repeated whole beats later, as many as fit.

    The last note of an answer is held up to two beats, as the gap allows. Only the answers are returned.
    """
    found: list[Tone] = []
    for start, stop in gaps_of(line, end):
        begin = -(-start // PPQ) * PPQ
        before = [tone for tone in line if tone.start < start]
        motif = _motif(before, stop - begin)
        if not motif:
            continue
        # the place within the beat stays
        by = begin - motif[0].start // PPQ * PPQ
        moved = [structs.replace(t, start=t.start + by) for t in motif]
        moved = [t for t in moved if start <= t.start and t.start + STEP <= stop]
        if moved:
            last = moved[-1]
            moved[-1] = structs.replace(last, length=max(STEP, min(stop - last.start - STEP // 2, 2 * PPQ)))
            found += moved
    return found


def _motif(before: Sequence[Tone], room: int) -> list[Tone]:
    """The last notes that fit into the room, the last of them short."""
    motif: list[Tone] = []
    for tone in reversed(before[-_MOST:]):
        whole = [tone, *motif]
        if whole[-1].start + PPQ // 2 - whole[0].start // PPQ * PPQ > room:
            break
        motif = whole
    return motif
