"""Which notes stray: outside the key of the bars around them, and not on their way to a neighbour."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from statistics import fmean

from msgspec import Struct

from agent.song.ids import TrackId
from agent.song.key import Key
from agent.song.song import Song
from agent.theory.key_finding import find_key
from agent.theory.measures import histogram
from agent.theory.pitch import intervals
from agent.theory.sounding import Sounding, pitched, strokes

STRETCH = 4
"""Bars that are judged at once; the key around them is heard with as many before and after."""
_ATTACK = 60
"""Ticks within which a hand strikes one chord."""
_STEP = 2
_WALKS = 0.7
"""Share of a line's notes that lead on by step above which it walks."""


class Strays(Struct, frozen=True):
    """The notes that belong to no key around them (`found`), out of `notes` that were looked at; `bar` is the first bar
    (from 1) of the range with most of them."""

    notes: int
    found: tuple[Sounding, ...]
    bar: int

    @property
    def fit(self) -> float:
        """Share of the notes, 0-1, that do not stray; 1 without notes."""
        return 1 - len(self.found) / self.notes if self.notes else 1.0


def scale_classes(key: Key, borrowed: Collection[int] = ()) -> frozenset[int]:
    """Pitch classes of a key, with `borrowed` ones from outside it; minor keys have both sixths and sevenths, as minor
    music does."""
    steps = set(intervals(key.mode))
    if 3 in steps and 4 not in steps:
        steps |= {9, 11}
    return frozenset((key.pitch_class + step) % 12 for step in steps) | {pc % 12 for pc in borrowed}


def strays(song: Song, kits: Collection[TrackId], borrowed: Collection[int] = ()) -> Strays:
    """The notes outside `kits` that are neither in the song's key (with its `borrowed` pitch classes) nor in that of
    the bars around them.

    A note that moves on by step (one or two semitones, within the next two attacks of its track) never strays: it is a
    passing or leading note.
    """
    notes = pitched(song, kits)
    led = _led(notes)
    home = scale_classes(song.key, borrowed)
    found: dict[int, list[Sounding]] = {}
    for number, (inside, around) in _stretches(song, notes).items():
        here = [note for note in inside if note.pitch % 12 not in home and note not in led]
        there = _outside(inside, around, led)
        found[number] = min(here, there, key=len)
    return _strays(song, len(notes), found)


def strays_of_tracks(
    song: Song, kits: Collection[TrackId], borrowed: Collection[int] = ()
) -> dict[TrackId, Strays]:
    """For each track that plays along with others, its notes that are in no key of the other tracks. Drum tracks
    (`kits`) are left out; `borrowed` are pitch classes that count as in the song's key.

    A note that begins a bar counts even if it moves on by step. Tones of the chord that the song states there never
    count; on the lowest track only its bass note is excepted so. Of a lowest track that walks (a walking bass) only
    notes that begin a bar count.
    """
    notes = pitched(song, kits)
    chords = frozenset(
        note for track in {note.track for note in notes}
        for struck in strokes([note for note in notes if note.track == track]) if len(struck) > 1 for note in struck
    )
    led = frozenset(note for note in _led(notes) if note in chords or not _begins_bar(note, song))
    lowest = _lowest(notes)
    walking = lowest if _walks(lowest, notes, led) else None
    led |= _of_stated_chords(notes, song)
    home = scale_classes(song.key, borrowed)
    counts: dict[TrackId, int] = defaultdict(int)
    found: dict[TrackId, dict[int, list[Sounding]]] = defaultdict(dict)
    for number, (inside, around) in _stretches(song, notes).items():
        for track in sorted({note.track for note in inside}):
            own = [note for note in inside if note.track == track]
            own = [note for note in own if _begins_bar(note, song)] if track == walking else own
            others = [note for note in around if note.track != track]
            if own and others:
                counts[track] += len(own)
                here = [note for note in own if note.pitch % 12 not in home and note not in led]
                found[track][number] = min(here, _outside(own, others, led), key=len)
    return {track: _strays(song, count, found[track]) for track, count in counts.items()}


def _lowest(notes: Sequence[Sounding]) -> TrackId | None:
    """The track whose notes lie lowest in the mean; None without notes."""
    heights: dict[TrackId, list[int]] = defaultdict(list)
    for note in notes:
        heights[note.track].append(note.pitch)
    return min(heights, key=lambda track: fmean(heights[track]), default=None)


def _walks(track: TrackId | None, notes: Sequence[Sounding], led: Collection[Sounding]) -> bool:
    """Whether most notes of a track lead on by step."""
    own = [note for note in notes if note.track == track]
    return sum(note in led for note in own) > _WALKS * len(own)


def _of_stated_chords(notes: Sequence[Sounding], song: Song) -> frozenset[Sounding]:
    """The notes that are tones of the chord that the song states where they begin; on the lowest track its bass."""
    starts = [one.start for one in song.chords]
    lowest = _lowest(notes)
    found = set()
    for note in notes:
        at = bisect_right(starts, note.start + _ATTACK) - 1
        chord = song.chords[at].chord if at >= 0 and note.start < song.chords[at].end else None
        if chord is None:
            continue
        if note.pitch % 12 == chord.lowest or (note.track != lowest and note.pitch in chord):
            found.add(note)
    return frozenset(found)


def _begins_bar(note: Sounding, song: Song) -> bool:
    start, _ = song.bar_map.span(*(song.bar_map.bar_at(note.start),) * 2)
    return note.start - start <= _ATTACK


def _outside(notes: Iterable[Sounding], around: Sequence[Sounding], led: Collection[Sounding]) -> list[Sounding]:
    classes = scale_classes(find_key(histogram(around)).key)
    return [note for note in notes if note.pitch % 12 not in classes and note not in led]


def _stretches(song: Song, notes: Sequence[Sounding]) -> dict[int, tuple[list[Sounding], list[Sounding]]]:
    """Notes by stretch, each with the notes of the stretch and both its neighbours."""
    inside: dict[int, list[Sounding]] = defaultdict(list)
    for note in notes:
        inside[(song.bar_map.bar_at(note.start) - 1) // STRETCH].append(note)
    return {
        number: (own, [*inside.get(number - 1, ()), *own, *inside.get(number + 1, ())])
        for number, own in sorted(inside.items())
    }


def _led(notes: Sequence[Sounding]) -> frozenset[Sounding]:
    """Notes that move on by step."""
    attacks: dict[TrackId, list[list[Sounding]]] = defaultdict(list)
    for note in notes:
        mine = attacks[note.track]
        if mine and note.start - mine[-1][0].start <= _ATTACK:
            mine[-1].append(note)
        else:
            mine.append([note])
    return frozenset(
        note
        for mine in attacks.values()
        for at, attack in enumerate(mine)
        for note in attack
        if any(1 <= abs(after.pitch - note.pitch) <= _STEP for next_ in mine[at + 1 : at + 3] for after in next_)
    )


def _strays(song: Song, count: int, found: Mapping[int, Sequence[Sounding]]) -> Strays:
    worst = max(found, key=lambda number: len(found[number]), default=0)
    first = min((note.start for note in found.get(worst, ())), default=None)
    bar = 1 if first is None else song.bar_map.bar_at(first)
    return Strays(count, tuple(note for number in sorted(found) for note in found[number]), bar)
