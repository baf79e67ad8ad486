"""Chords that sound complete at a beat, as in a choral score: their root, their kind and their lowest note."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from msgspec import Struct

from agent.song.chord import Chord, Quality
from agent.song.song import Song
from agent.theory.sounding import TOGETHER, Sounding

_TRIADS: tuple[Quality, ...] = ("maj", "min", "dim", "aug")
_SEVENTHS: tuple[Quality, ...] = ("7", "min7", "maj7", "m7b5", "dim7", "minmaj7")
_FIFTH = 2
"""Where the fifth stands among the tones of a chord."""
_CHORDAL = 0.6


class StackedChord(Struct, frozen=True):
    """A triad or seventh chord that sounds complete on the beat at tick `at`, and its lowest pitch; `until` is the beat
    after the last on which it still sounds over that bass."""

    at: int
    until: int
    chord: Chord
    lowest: int

    @property
    def inversion(self) -> int:
        """Which tone is the lowest: 0 the root, 1 the third, 2 the fifth, 3 the seventh."""
        return [(self.chord.root + step) % 12 for step in self.chord.intervals].index(self.lowest % 12)

    @property
    def six_four(self) -> bool:
        """Whether it is a triad with its fifth in the bass."""
        return self.chord.quality in ("maj", "min") and self.inversion == _FIFTH


def beats_of(song: Song, first: int, last: int) -> list[int]:
    """The ticks of all beats of the bars `first` to `last`."""
    ticks = []
    for bar in range(first, last + 1):
        start, end = song.bar_map.span(bar, bar)
        beats = song.bar_map.meter_at(start).beats
        ticks += [start + (end - start) * beat // beats for beat in range(beats)]
    return ticks


def stacked_chords(notes: Sequence[Sounding], beats: Sequence[int]) -> list[StackedChord]:
    """The chords on the beats, neighbours that are the same over the same bass as one; `notes` and `beats` are in order
    of time. Beats on which no complete chord sounds are left out."""
    found: list[StackedChord] = []
    for (at, pitches), after in zip(_on_beats(notes, beats), [*beats[1:], beats[-1] + 1 if beats else 0], strict=True):
        chord = _known(frozenset(pitch % 12 for pitch in pitches), min(pitches, default=0) % 12)
        if chord is None:
            continue
        lowest, before = min(pitches), found[-1] if found else None
        same = before is not None and before.until == at and before.chord == chord
        if before is not None and same and before.lowest % 12 == lowest % 12:
            found[-1] = StackedChord(before.at, after, chord, before.lowest)
        else:
            found.append(StackedChord(at, after, chord, lowest))
    return found


def is_chordal(notes: Sequence[Sounding], beats: Sequence[int]) -> bool:
    """Whether on most beats on which three tones or more sound these are a complete chord, as in a chorale."""
    full = [classes for _, pitches in _on_beats(notes, beats) if len(classes := {one % 12 for one in pitches}) > 2]
    known = sum(_known(frozenset(classes), min(classes)) is not None for classes in full)
    return len(full) * 2 >= len(beats) > 0 and known >= _CHORDAL * len(full)


def _on_beats(notes: Sequence[Sounding], beats: Sequence[int]) -> Iterable[tuple[int, list[int]]]:
    held: list[Sounding] = []
    ahead = 0
    for beat in beats:
        while ahead < len(notes) and notes[ahead].start < beat + TOGETHER:
            held.append(notes[ahead])
            ahead += 1
        held = [note for note in held if note.end > beat + TOGETHER]
        yield beat, [note.pitch for note in held]


def _known(classes: frozenset[int], bass: int) -> Chord | None:
    """The chord of exactly these tones; of several, such as the four that a diminished seventh may be, the one on the
    bass."""
    chords = _table().get(classes, ())
    return next((chord for chord in chords if chord.root == bass), chords[0] if chords else None)


@cache
def _table() -> dict[frozenset[int], tuple[Chord, ...]]:
    table: dict[frozenset[int], tuple[Chord, ...]] = {}
    for quality in (*_TRIADS, *_SEVENTHS):
        for root in range(12):
            chord = Chord(root, quality)
            for tones in _shapes(chord):
                table[tones] = (*table.get(tones, ()), chord)
    return table


def _shapes(chord: Chord) -> tuple[frozenset[int], ...]:
    """All tones of a chord; a seventh chord may lack its fifth."""
    tones = chord.pitch_classes
    whole = frozenset(tones)
    return (whole, whole - {tones[_FIFTH]}) if chord.quality in ("7", "min7", "maj7") else (whole,)
