"""Harmony as heard: the chord of each bar or half bar, and how far two songs agree on the roots."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import cache

from msgspec import Struct

from agent.song.chord import Chord, Quality
from agent.song.ids import TrackId
from agent.song.song import Song
from agent.theory.sounding import Sounding, pitched

_TEMPLATES: tuple[Quality, ...] = ("maj", "min", "dim", "aug", "sus4", "sus2", "7", "maj7", "min7", "m7b5")
_PASSING: tuple[Quality, ...] = ("dim", "aug", "sus4", "sus2")
"""What half a bar of a moving line often looks like without being a chord of its own."""
_BASS_BONUS = 0.35
_SIZE_COST = 0.06
_CLEARER = 0.3
"""By how much two chords must explain a bar better than one."""
_NEAR = 0.2
"""By how much less likely than the likeliest a chord is that the same notes may stand for."""
_SURE = 0.55
"""The least score of half a bar's own chord."""


class HeardChord(Struct, frozen=True):
    """A chord heard from `start` to `end`, in ticks of the song.

    `certainty`, 0-1, is the share of what sounds there that belongs to the chord.
    """

    start: int
    end: int
    chord: Chord
    certainty: float = 1.0


def bar_chords(song: Song, kits: Collection[TrackId] = ()) -> tuple[Chord | None, ...]:
    """The likeliest chord of every bar, without the drum tracks in `kits`; None where nothing pitched sounds.

    Each chord is scored by the share of sounding time inside it minus the share outside, plus a bonus when its root is
    the lowest note most of the time; larger chords pay for their size.
    """
    bars, heard = song.bar_map, _by_bar(song, kits)
    found = (_likeliest(heard[bar], *bars.span(bar, bar)) for bar in range(1, song.bars + 1))
    return tuple(likely.chord if likely is not None else None for likely in found)


def heard_chords(song: Song, kits: Collection[TrackId] = ()) -> tuple[HeardChord, ...]:
    """The chords of a song from its first to its last bar, without the drum tracks in `kits`; bars where nothing
    pitched sounds are left out.

    A bar of an even number of beats has two chords where both halves are clearly another chord. Neighbours that are the
    same chord stay apart at a bar line.
    """
    return _heard_in(song, kits, range(1, song.bars + 1))


def _heard_in(song: Song, kits: Collection[TrackId], numbers: Iterable[int]) -> tuple[HeardChord, ...]:
    bars, heard = song.bar_map, _by_bar(song, kits)
    spans: list[HeardChord] = []
    for bar in numbers:
        start, end = bars.span(bar, bar)
        whole = _likeliest(heard[bar], start, end)
        if whole is None:
            continue
        halves = _halves(heard[bar], start, end, whole.score) if bars.meter_at(start).beats % 2 == 0 else None
        spans += halves or [HeardChord(start, end, whole.chord, round(whole.inside, 3))]
    return tuple(spans)


def chords_known(song: Song, kits: Collection[TrackId] = ()) -> tuple[HeardChord, ...]:
    """The chords that a song states, or if it states none, those heard outside the drum tracks in `kits`. Where it
    states N.C., there is no chord."""
    known = [HeardChord(one.start, one.end, chord) for one in song.chords if (chord := one.chord) is not None]
    ends = [0, *(one.end for one in song.chords)]
    starts = [*(one.start for one in song.chords), max(song.end, ends[-1]) + 1]
    gaps = [(end, start) for end, start in zip(ends, starts, strict=True) if end < min(start, song.end)]
    at = song.bar_map.bar_at
    silent = sorted({bar for start, end in gaps for bar in range(at(start), min(at(end - 1), song.bars) + 1)})
    for one in _heard_in(song, kits, silent) if gaps else ():
        for start, end in gaps:
            first, last = max(one.start, start), min(one.end, end)
            if first < last:
                known.append(HeardChord(first, last, one.chord, one.certainty))
    return tuple(sorted(known, key=lambda one: one.start))


def chords_kept(song: Song, notes: Sequence[Sounding]) -> float:
    """Share, 0 to 1, of the time in which notes sound under stated chords and are tones of them; 1 without such
    notes."""
    inside = whole = 0
    for one in song.chords:
        chord = one.chord
        for note in notes if chord is not None else ():
            length = min(note.end, one.end) - max(note.start, one.start)
            if length > 0 and chord is not None:
                whole += length
                inside += length * (note.pitch % 12 in (*chord.pitch_classes, chord.lowest))
    return inside / whole if whole else 1.0


def sure_chord(notes: Sequence[Sounding], start: int, end: int) -> Chord | None:
    """The chord of the ticks `start` to `end` of the song, if its notes leave hardly a doubt; otherwise None."""
    found = _likeliest([note for note in notes if note.start < end and note.end > start], start, end)
    sure = found is not None and found.score >= _SURE and found.chord.quality not in _PASSING
    return found.chord if found is not None and sure else None


def may_be(notes: Sequence[Sounding], start: int, end: int, chord: Chord) -> bool:
    """Whether the notes between the ticks `start` and `end` may be heard as a chord with the root of `chord`; True if
    none sounds."""
    found = _scored([note for note in notes if note.start < end and note.end > start], start, end)
    best = max((one.score for one in found), default=0.0)
    return not found or any(one.chord.root == chord.root and one.score >= best - _NEAR for one in found)


def _halves(notes: Sequence[Sounding], start: int, end: int, score: float) -> list[HeardChord] | None:
    """Two chords for a bar, where they explain it clearly better than the one of that score."""
    middle = (start + end) // 2
    if not any(abs(note.start - middle) <= (end - start) // 32 for note in notes):
        return None
    early = [note for note in notes if note.start < middle]
    late = [note for note in notes if note.end > middle]
    first, second = _likeliest(early, start, middle), _likeliest(late, middle, end)
    if first is None or second is None or first.chord.root == second.chord.root:
        return None
    if first.chord.quality in _PASSING or second.chord.quality in _PASSING:
        return None
    if min(first.score, second.score) < _SURE or (first.score + second.score) / 2 < score + _CLEARER:
        return None
    return [
        HeardChord(start, middle, first.chord, round(first.inside, 3)),
        HeardChord(middle, end, second.chord, round(second.inside, 3)),
    ]


def _by_bar(song: Song, kits: Collection[TrackId]) -> dict[int, list[Sounding]]:
    heard: dict[int, list[Sounding]] = defaultdict(list)
    for note in pitched(song, kits):
        for bar in range(song.bar_map.bar_at(note.start), song.bar_map.bar_at(note.end - 1) + 1):
            heard[bar].append(note)
    return heard


def root_agreement(before: Song, after: Song, kits: Collection[TrackId] = ()) -> float:
    """Share of bars, 0-1, on whose chord root two songs agree, over the bars where both have a chord.

    `kits` are the drum tracks of either song. Where the first song states its chords they are what counts, and each
    bar of the second agrees that may be heard as one of them: a ninth chord on D without its root is much like F. Else
    what is heard in both is compared.
    Half and double time are tried too (bar n against 2n-1, or the reverse), and the best of the three counts.
    No bar in common gives 0.
    """
    wanted, found = _wanted(before, kits), _heard_as(after, kits)
    return max(_agreement(wanted, found), _agreement(wanted[::2], found), _agreement(wanted, found[::2]))


class _Wanted(Struct, frozen=True):
    """The roots of a bar, and whether they are stated and need only be near to what is heard."""

    roots: frozenset[int]
    stated: bool


def _wanted(song: Song, kits: Collection[TrackId]) -> list[_Wanted | None]:
    bars = song.bar_map
    stated: dict[int, set[int]] = defaultdict(set)
    for one in song.chords:
        chord = one.chord
        for bar in range(bars.bar_at(one.start), bars.bar_at(one.end - 1) + 1):
            stated[bar].update(() if chord is None else (chord.root,))
    wanted: list[_Wanted | None] = []
    for bar, heard in enumerate(bar_chords(song, kits), 1):
        roots = stated.get(bar, set() if heard is None else {heard.root})
        wanted.append(_Wanted(frozenset(roots), stated=bar in stated) if roots else None)
    return wanted


def _heard_as(song: Song, kits: Collection[TrackId]) -> list[tuple[_Likely, ...]]:
    """The chords that each bar may be heard as; none where nothing pitched sounds."""
    bars, heard = song.bar_map, _by_bar(song, kits)
    return [_scored(heard[bar], *bars.span(bar, bar)) for bar in range(1, song.bars + 1)]


def _agreement(wanted: Sequence[_Wanted | None], found: Sequence[tuple[_Likely, ...]]) -> float:
    pairs = [(one, other) for one, other in zip(wanted, found, strict=False) if one is not None and other]
    return sum(_agrees(one, other) for one, other in pairs) / len(pairs) if pairs else 0.0


def _agrees(wanted: _Wanted, found: Sequence[_Likely]) -> bool:
    best = max(found, key=lambda one: one.score)
    if not wanted.stated:
        return best.chord.root in wanted.roots
    return any(one.chord.root in wanted.roots for one in found if one.score >= best.score - _NEAR)


class _Likely(Struct, frozen=True):
    """A chord with its score, and the share, 0-1, of what sounds that belongs to it."""

    score: float
    chord: Chord
    inside: float


def _likeliest(notes: Sequence[Sounding], start: int, end: int) -> _Likely | None:
    """The best chord of a stretch, all of whose `notes` sound in it."""
    return max(_scored(notes, start, end), key=lambda one: one.score, default=None)


def _scored(notes: Sequence[Sounding], start: int, end: int) -> tuple[_Likely, ...]:
    """What a stretch, all of whose `notes` sound in it, may be heard as; nothing without notes."""
    if not notes:
        return ()
    weights = [0.0] * 12
    for note in notes:
        weights[note.pitch % 12] += min(note.end, end) - max(note.start, start)
    bass = _bass_class(notes, start, end)
    total = sum(weights)
    found = []
    for chord, classes, cost in _candidates():
        inside = sum([weights[one] for one in classes]) / total
        score = 2 * inside - 1 + _BASS_BONUS * (chord.root == bass) - cost
        found.append(_Likely(score, chord, inside))
    return tuple(found)


@cache
def _candidates() -> tuple[tuple[Chord, tuple[int, ...], float], ...]:
    """All chords that may be heard, each with its pitch classes and what it pays for its size."""
    chords = [Chord(root, quality) for quality in _TEMPLATES for root in range(12)]
    return tuple((chord, chord.pitch_classes, _SIZE_COST * len(chord.intervals)) for chord in chords)


def _bass_class(notes: Sequence[Sounding], start: int, end: int) -> int:
    lowest = min(note.pitch for note in notes)
    weights = [0.0] * 12
    for note in notes:
        if note.pitch < lowest + 7:
            weights[note.pitch % 12] += min(note.end, end) - max(note.start, start)
    return max(range(12), key=lambda pc: weights[pc])
