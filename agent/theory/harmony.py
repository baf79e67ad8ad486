"""Harmony as heard: the chord of each bar, and how far two songs agree on the roots."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from agent.song.ids import TrackId
from agent.song.song import Song
from agent.theory.chords import Chord, Quality
from agent.theory.sounding import Sounding, pitched

_TEMPLATES: tuple[Quality, ...] = ("maj", "min", "dim", "aug", "sus4", "sus2", "7", "maj7", "min7")
_BASS_BONUS = 0.35
_SIZE_COST = 0.06


def bar_chords(song: Song, kits: Collection[TrackId] = ()) -> tuple[Chord | None, ...]:
    """The likeliest chord of every bar; None where nothing pitched sounds.

    Each chord is scored by the share of sounding time inside it minus the share outside, plus a bonus when
    its root is the lowest note most of the time; larger chords pay for their size.
    """
    bars = song.bar_map
    heard: dict[int, list[Sounding]] = defaultdict(list)
    for note in pitched(song, kits):
        for bar in range(bars.bar_at(note.start), bars.bar_at(note.end - 1) + 1):
            heard[bar].append(note)
    return tuple(_likeliest(heard[bar], *bars.span(bar, bar)) for bar in range(1, song.bars + 1))


def root_agreement(before: Song, after: Song, kits: Collection[TrackId] = ()) -> float:
    """Share of bars, 0-1, on whose chord root two songs agree, over the bars where both have a chord.

    `kits` are the drum tracks of either song.
    Half and double time are tried too (bar n against 2n-1, or the reverse), and the best of the three counts.
    No bar in common gives 0.
    """
    a, b = _roots(before, kits), _roots(after, kits)
    return max(_agreement(a, b), _agreement(a[::2], b), _agreement(a, b[::2]))


def _roots(song: Song, kits: Collection[TrackId]) -> list[int | None]:
    return [None if chord is None else chord.root for chord in bar_chords(song, kits)]


def _agreement(a: Sequence[int | None], b: Sequence[int | None]) -> float:
    pairs = [(x, y) for x, y in zip(a, b, strict=False) if x is not None and y is not None]
    return sum(x == y for x, y in pairs) / len(pairs) if pairs else 0.0


def _likeliest(notes: list[Sounding], start: int, end: int) -> Chord | None:
    if not notes:
        return None
    weights = [0.0] * 12
    for note in notes:
        weights[note.pitch % 12] += min(note.end, end) - max(note.start, start)
    bass = _bass_class(notes, start, end)
    total = sum(weights)

    def score(chord: Chord) -> float:
        inside = sum(weights[pc] for pc in chord.pitch_classes) / total
        return 2 * inside - 1 + _BASS_BONUS * (chord.root == bass) - _SIZE_COST * len(chord.intervals)

    candidates = [Chord(root, quality) for quality in _TEMPLATES for root in range(12)]
    return max(candidates, key=score)


def _bass_class(notes: list[Sounding], start: int, end: int) -> int:
    lowest = min(note.pitch for note in notes)
    weights = [0.0] * 12
    for note in notes:
        if note.pitch < lowest + 7:
            weights[note.pitch % 12] += min(note.end, end) - max(note.start, start)
    return max(range(12), key=lambda pc: weights[pc])
