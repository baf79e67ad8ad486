"""The chords that a song states, brought after its notes where a change has given these another harmony."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from msgspec import structs

from agent.song.chart import ChordSymbol
from agent.song.chord import Chord
from agent.song.ids import TrackId
from agent.song.song import Song
from agent.theory.chords import chord_symbol
from agent.theory.harmony import sure_chord
from agent.theory.sounding import Sounding, pitched

_WORSE, _BETTER = 0.15, 0.2
"""By how much less of what sounds belongs to a chord that no longer stands, and by how much more to another."""
_STRANGE = 0.5
"""Below this share a chord does not stand for notes that came with new time."""


def restated(before: Song, after: Song, kits: Collection[TrackId], *, moved: bool) -> tuple[ChordSymbol, ...]:
    """The stated chords for the song `after`, whose notes a change made from those of `before`. `moved` says that the
    change also moved bars; `kits` are drum tracks.

    A chord that the change itself stated stays, and one whose notes are unchanged or fit it as before. Otherwise it is
    transposed if that fits as well as it did; else replaced by the chord heard, if that is certain; else it stays.
    """
    was, now = _by_bar(before, kits), _by_bar(after, kits)
    made = []
    known = set(before.chords)
    for one in after.chords:
        if not moved and one not in known:
            made.append(one)
            continue
        chord = one.chord
        new = _within(after, now, one)
        if chord is None or not new:
            made.append(one)
            continue
        old = () if moved else _within(before, was, one)
        if old and _pitches(old) == _pitches(new):
            made.append(one)
            continue
        steps = _transposed(old, new)
        if steps:
            made.append(structs.replace(one, symbol=chord_symbol(chord.transposed(steps), after.key)))
            continue
        wanted = _share(chord, old) - _WORSE if old else _STRANGE
        stands = _share(chord, new) >= wanted
        found = chord if stands else _other(chord, new, one, wanted)
        made.append(one if found == chord else structs.replace(one, symbol=chord_symbol(found, after.key)))
    return tuple(made)


def _transposed(old: Sequence[Sounding], new: Sequence[Sounding]) -> int:
    """By how many semitones, octaves left out, all notes were moved and nothing else; 0 for another change."""
    was = _classes(old, 0)
    return next((steps for steps in range(1, 12) if old and _classes(old, steps) == _classes(new, 0) != was), 0)


def _classes(notes: Sequence[Sounding], steps: int) -> list[tuple[int, int, int]]:
    return sorted((note.start, note.end, (note.pitch + steps) % 12) for note in notes)


def _other(chord: Chord, notes: Sequence[Sounding], place: ChordSymbol, wanted: float) -> Chord:
    best = max((chord.transposed(steps) for steps in range(12)), key=lambda one: (_share(one, notes), one == chord))
    if _share(best, notes) >= max(wanted, _share(chord, notes) + _BETTER) and _bass_fits(best, notes):
        return best
    return sure_chord(notes, place.start, place.end) or chord


def _bass_fits(chord: Chord, notes: Sequence[Sounding]) -> bool:
    """Whether the lowest note is a chord tone: relatives share most of theirs."""
    return min(notes, key=lambda note: note.pitch).pitch % 12 in {chord.lowest, chord.root}


def _share(chord: Chord, notes: Sequence[Sounding]) -> float:
    """How much of what sounds, 0-1, belongs to a chord."""
    whole = sum(note.end - note.start for note in notes)
    return sum(note.end - note.start for note in notes if note.pitch in chord) / whole if whole else 0.0


def _by_bar(song: Song, kits: Collection[TrackId]) -> dict[int, list[Sounding]]:
    bars: dict[int, list[Sounding]] = defaultdict(list)
    for note in pitched(song, kits):
        for bar in range(song.bar_map.bar_at(note.start), song.bar_map.bar_at(note.end - 1) + 1):
            bars[bar].append(note)
    return bars


def _within(song: Song, bars: dict[int, list[Sounding]], place: ChordSymbol) -> tuple[Sounding, ...]:
    """What sounds in a stretch, cut to it."""
    first, last = song.bar_map.bar_at(place.start), song.bar_map.bar_at(place.end - 1)
    notes = dict.fromkeys(note for bar in range(first, last + 1) for note in bars.get(bar, ()))
    return tuple(
        structs.replace(note, start=max(note.start, place.start), end=min(note.end, place.end))
        for note in notes if note.start < place.end and note.end > place.start
    )


def _pitches(notes: Sequence[Sounding]) -> list[tuple[int, int, int]]:
    return sorted((note.start, note.end, note.pitch) for note in notes)
