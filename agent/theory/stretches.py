"""Stretches of bars side by side: how full, how loud and how high each is."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import log10

from msgspec import Struct

from agent.song.ids import TrackId
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.track import Track
from agent.theory.excerpts import settled
from agent.theory.measures import mean_velocity
from agent.theory.mixing import total
from agent.theory.pitch import degree_of
from agent.theory.sounding import Sounding, kit_tracks, sounding

_LINE = 3
SILENT = -96.0
"""The level in dB of bars in which nothing sounds."""


class MeasuredBars(Struct, frozen=True):
    """Bars `first` to `last`: the `notes` that begin there, the `parts` that sound (in the order of the tracks), and
    their mean velocity (0 without notes).

    `level` is reckoned in dB from faders, gains, velocities and how much of the time each part sounds. `top` and
    `middle` are the highest pitch and the mean pitch outside the drum kits, None without such notes.
    """

    first: int
    last: int
    notes: tuple[Sounding, ...]
    parts: tuple[TrackId, ...]
    velocity: float
    level: float
    top: int | None
    middle: float | None

    @property
    def bars(self) -> int:
        """Its length in bars."""
        return self.last - self.first + 1

    @property
    def density(self) -> float:
        """Notes a bar."""
        return len(self.notes) / self.bars

    def of(self, track: TrackId) -> int:
        """The number of notes of a track that begin here."""
        return sum(note.track == track for note in self.notes)


def stretches(song: Song, palette: Palette, where: Iterable[tuple[int, int]]) -> tuple[MeasuredBars, ...]:
    """The stretches with these first and last bars, measured; muted tracks do not count."""
    kits = kit_tracks(song, palette)
    by_track: Mapping[TrackId, list[Sounding]] = defaultdict(list)
    heard = sounding(song)
    for note in heard:
        by_track[note.track].append(note)
    starts = [note.start for note in heard]
    spans = {track: _merged(notes) for track, notes in by_track.items()}
    found = []
    for first, last in where:
        start, end = song.bar_map.span(first, last)
        notes = heard[bisect_left(starts, start) : bisect_left(starts, end)]
        shares = {track: _share(spans[track], start, end) for track in by_track}
        pitches = [note.pitch for note in notes if note.track not in kits]
        found.append(MeasuredBars(
            first, last, notes, tuple(track.id for track in song.tracks if shares.get(track.id)), mean_velocity(notes),
            _level(song, palette, notes, shares, (start, end)), max(pitches, default=None),
            sum(pitches) / len(pitches) if pitches else None,
        ))
    return tuple(found)


def equal_share(song: Song, one: MeasuredBars, other: MeasuredBars) -> float:
    """Share, 0-1, of the notes of two stretches that are the same note at the same place from their first bars."""
    a, b = _placed(song, one), _placed(song, other)
    union = a | b
    return len(a & b) / len(union) if union else 1.0


def equal_bars(song: Song, one: MeasuredBars, other: MeasuredBars) -> tuple[int, ...]:
    """The bars of `other` that are note for note, in every part, what the bar at the same place of `one` is."""
    a, b = _by_bar(song, one), _by_bar(song, other)
    common = min(one.bars, other.bars)
    return tuple(
        other.first + at for at in range(common) if a.get(one.first + at, set()) == b.get(other.first + at, set())
    )


def bars_again(song: Song, notes: Iterable[Sounding]) -> tuple[tuple[int, ...], int]:
    """The bars that are note for note what an earlier bar is, and in how many bars notes begin."""
    by_bar: dict[int, set[tuple[TrackId, int, int, int]]] = {}
    for note in notes:
        bar = song.bar_map.bar_at(note.start)
        by_bar.setdefault(bar, set()).add(_in_bar(song, bar, note))
    seen: dict[frozenset[tuple[TrackId, int, int, int]], int] = {}
    again = tuple(bar for bar in sorted(by_bar) if seen.setdefault(frozenset(by_bar[bar]), bar) != bar)
    return again, len(by_bar)


def moved_steps(song: Song, one: MeasuredBars, other: MeasuredBars, track: TrackId) -> int | None:
    """By how many steps of the song's scale a part plays in `other` what it plays in `one`, in the same rhythm; None if
    it does not, or plays fewer than three notes."""
    a, b = _line(song, one, track), _line(song, other, track)
    if len(a) < _LINE or [at for at, _ in a] != [at for at, _ in b]:
        return None
    shifts = {
        None if low is None or high is None else high - low for (_, low), (_, high) in zip(a, b, strict=True)
    }
    return shifts.pop() if len(shifts) == 1 else None


def _line(song: Song, one: MeasuredBars, track: TrackId) -> list[tuple[int, int | None]]:
    """The notes of a part from the first bar on, each with its place in the scale, None outside it."""
    begin = song.bar_map.start_of(one.first)
    found = []
    for note in one.notes:
        if note.track == track:
            degree = degree_of(song.key, note.pitch)
            octave = (note.pitch - song.key.pitch_class) // 12
            found.append((note.start - begin, None if degree is None else octave * 7 + degree))
    return found


def _placed(song: Song, one: MeasuredBars) -> set[tuple[TrackId, int, int, int]]:
    begin = song.bar_map.start_of(one.first)
    return {(note.track, note.pitch, note.start - begin, note.end - note.start) for note in one.notes}


def _by_bar(song: Song, one: MeasuredBars) -> dict[int, set[tuple[TrackId, int, int, int]]]:
    found: dict[int, set[tuple[TrackId, int, int, int]]] = defaultdict(set)
    for note in one.notes:
        bar = song.bar_map.bar_at(note.start)
        found[bar].add(_in_bar(song, bar, note))
    return found


def _in_bar(song: Song, bar: int, note: Sounding) -> tuple[TrackId, int, int, int]:
    return note.track, note.pitch, note.start - song.bar_map.start_of(bar), note.end - note.start


def _level(
    song: Song, palette: Palette, notes: Sequence[Sounding], shares: Mapping[TrackId, float], span: tuple[int, int],
) -> float:
    velocities: dict[TrackId, list[int]] = defaultdict(list)
    for note in notes:
        velocities[note.track].append(note.velocity)
    power = 0.0
    for track in song.tracks:
        struck = velocities.get(track.id)
        if not struck:
            continue
        there = settled(track, *span)
        decibels = there.volume_db + _gain(there, palette) + 40 * log10(sum(struck) / len(struck) / 127)
        power += shares[track.id] * 10 ** (decibels / 10)
    return 10 * log10(power) if power else SILENT


def _gain(track: Track, palette: Palette) -> float:
    return total(track.effects, palette, "gain", "gain")


def _merged(notes: Sequence[Sounding]) -> tuple[list[int], list[int]]:
    """Where a part sounds without a gap: the starts and the ends of its stretches."""
    starts: list[int] = []
    ends: list[int] = []
    for note in notes:
        if ends and note.start <= ends[-1]:
            ends[-1] = max(ends[-1], note.end)
        else:
            starts.append(note.start)
            ends.append(note.end)
    return starts, ends


def _share(spans: tuple[list[int], list[int]], start: int, end: int) -> float:
    """The share of the ticks `start` to `end` that is covered."""
    starts, ends = spans
    at = bisect_left(ends, start + 1)
    covered = 0
    while at < len(starts) and starts[at] < end:
        covered += min(ends[at], end) - max(starts[at], start)
        at += 1
    return covered / (end - start) if end > start else 0.0
