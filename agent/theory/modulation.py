"""Modulation: stretches of a song that are heard in another key than its own."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from itertools import pairwise

from msgspec import Struct

from agent.song.chord import Chord
from agent.song.ids import TrackId
from agent.song.key import Key
from agent.song.song import Song
from agent.theory.cadences import Cadence
from agent.theory.harmony import HeardChord
from agent.theory.key_finding import find_key, fit
from agent.theory.measures import histogram
from agent.theory.pitch import signature_class, usual_tonic
from agent.theory.sounding import Sounding, pitched
from agent.theory.tonality import scale_classes

_SURE = 0.4
"""Confidence of a key from which on it counts as heard."""
_FOREIGN = 0.02
"""Share of the sounding time that a note outside the song's key must have, to speak for another."""
_WINDOW = 4
"""Bars whose key is heard at once where there are no sections."""
_SETTLED = 8
"""Bars after which another key is settled without a cadence in it."""


class Stay(Struct, frozen=True):
    """Bars `first` to `last` that are heard in another `key` than the song's. `by` is the cadence that settles it; None
    where none does, and the key is `settled` only if it lasts."""

    first: int
    last: int
    key: Key
    by: Cadence | None = None

    @property
    def settled(self) -> bool:
        """Whether it is a modulation and no mere touch of the key."""
        return self.by is not None or self.last - self.first + 1 >= _SETTLED


class Tonicised(Struct, frozen=True):
    """A dominant from outside the song's key and the chord it resolves to, in bar `bar`."""

    bar: int
    dominant: Chord
    target: Chord


def stays(
    song: Song, kits: Collection[TrackId], ends: Sequence[Cadence], within: Sequence[tuple[int, int]] = (),
) -> tuple[Stay, ...]:
    """The stretches heard in other keys, without the drum tracks in `kits`, in the bars `within` (none: in the song).
    `ends` are the song's cadences."""
    notes = pitched(song, kits)
    starts = [note.start for note in notes]
    found: list[Stay] = []
    home = 0
    for first, last in _windows(song, within):
        start, end = song.bar_map.span(first, last)
        key, sure = _other_key(song.key, notes[bisect_left(starts, start) : bisect_left(starts, end)])
        if sure:
            home = last if key is None else home
        if key is None:
            continue
        near = bool(found) and found[-1].key == key and home < found[-1].last and first - found[-1].last <= _SETTLED + 1
        found.append(Stay(found.pop().first if near else first, last, key))
    return tuple(Stay(one.first, one.last, one.key, _settling(one, ends)) for one in found)


def tonicised(song: Song, known: Sequence[HeardChord]) -> tuple[Tonicised, ...]:
    """Every chord with a note from outside the key that falls a fifth to another than the tonic."""
    home = scale_classes(song.key)
    return tuple(
        Tonicised(song.bar_map.bar_at(one.start), one.chord, other.chord) for one, other in pairwise(known)
        if (one.chord.root - other.chord.root) % 12 == 7 and 4 in one.chord.intervals
        and other.chord.root != song.key.pitch_class and not set(one.chord.pitch_classes) <= home
    )


def outside(song: Song, notes: Sequence[Sounding]) -> tuple[Sounding, ...]:
    """The notes that the song's key does not have; a minor key has both its sixths and sevenths."""
    home = scale_classes(song.key)
    return tuple(note for note in notes if note.pitch % 12 not in home)


def _windows(song: Song, within: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    if within:
        wide = [(max(first - 1, 1), min(last + 1, song.bars)) if first == last else (first, last)
                for first, last in within]
    elif song.sections:
        bars = song.bar_map
        wide = [(bars.bar_at(one.start), bars.bar_at(one.end - 1)) for one in song.sections]
    else:
        wide = [(1, song.bars)]
    size = _WINDOW if within or not song.sections else _SETTLED
    return [(at, min(at + size - 1, last)) for first, last in wide for at in range(first, last + 1, size)]


def _other_key(home: Key, notes: Sequence[Sounding]) -> tuple[Key | None, bool]:
    """The key of notes if they speak for another than `home`, with notes that `home` lacks, else None; and whether that
    is clear."""
    weights = histogram(notes)
    total = sum(weights)
    found = find_key(weights)
    if not total or found.confidence < _SURE:
        return None, False
    key = _plain(found.key)
    if key.pitch_class == home.pitch_class:
        return None, True
    new = scale_classes(key) - scale_classes(home)
    speaks = any(weights[pc] >= _FOREIGN * total for pc in new)
    return (key if speaks and fit(key, weights) > fit(home, weights) else None), True


def _plain(key: Key) -> Key:
    """The major or minor key that a key is usually named by: a mode that may be another key's dominant sounding much is
    the major key of its notes."""
    if key.mode in ("minor", "harmonic_minor", "melodic_minor", "major"):
        return Key(key.tonic, "major" if key.mode == "major" else "minor")
    return Key(usual_tonic(signature_class(key), "major"))


def _settling(stay: Stay, ends: Sequence[Cadence]) -> Cadence | None:
    return next((
        one for one in ends
        if stay.first <= one.bar <= stay.last and one.kind in ("perfect", "authentic")
        and one.key.pitch_class == stay.key.pitch_class
    ), None)
