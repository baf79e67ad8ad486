"""What becomes of the chords that a song states where its time is put in, taken out, stretched or copied."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import structs

from agent.composer.changing.time.moves import TimeMove
from agent.song.chart import ChordSymbol, without_stretch
from agent.song.time import Ticks


def moved_chords(chords: Iterable[ChordSymbol], move: TimeMove) -> tuple[ChordSymbol, ...]:
    """The stated chords at their new times; one that time was inserted into gets longer, one whose time was removed is
    dropped."""
    moved = []
    for chord in chords:
        start, end = move.placed(chord.start), move.placed(chord.end, closing=True)
        if end > start:
            moved.append(structs.replace(chord, start=Ticks(start), duration=Ticks(end - start)))
    return tuple(moved)


def copied_chords(chords: Iterable[ChordSymbol], start: int, end: int, to: int) -> tuple[ChordSymbol, ...]:
    """The stated chords, with those between `start` and `end` copied to `to` in place of what stands there."""
    chords = tuple(chords)
    copies = []
    for chord in chords:
        first, last = max(chord.start, start), min(chord.end, end)
        if first < last:
            copies.append(structs.replace(chord, start=Ticks(first - start + to), duration=Ticks(last - first)))
    others = without_stretch(chords, to, to + end - start)
    return tuple(sorted([*others, *copies], key=lambda chord: chord.start))
