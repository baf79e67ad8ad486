"""Where the notes of a compared track stand, found quickly: without Qt, for painting and for the pointer."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct

from agent.song.ids import TrackId
from agent.song.time import to_beats
from agent.theory.pitch import pitch_name
from app.i18n import tr, trn
from app.viewmodels.history.comparing import Comparison, DifferingTrack
from app.viewmodels.history.difference import KINDS, Kind, NoteChange, PlacedNote

_FEWEST_PITCHES = 24
_ROOM = 3
_OCTAVE = 12
_MOVED: frozenset[Kind] = frozenset({"moved"})


class ComparedTrack:
    """The notes of one track in a comparison, indexed by time; None for `track` has no notes. Times are ticks of the
    song, whose last is `end`; pitches from `low` to `high` (inclusive) are shown."""

    def __init__(self, track: DifferingTrack | None, end: int) -> None:
        self.track = track
        self.marks: tuple[NoteChange, ...] = track.marks if track is not None else ()
        self.end = max(end, 1)
        self._starts = [mark.shown.start for mark in self.marks]
        self._longest = max((mark.shown.end - mark.shown.start for mark in self.marks), default=0)
        # A moved note is painted where it was, too; it may come from far away.
        moved = sorted(
            (mark.before.start, mark.before.end, at) for at, mark in enumerate(self.marks)
            if mark.kind == "moved" and mark.before is not None
        )
        self._origins = [start for start, _, _ in moved]
        self._moved = [at for _, _, at in moved]
        self._longest_origin = max((end - start for start, end, _ in moved), default=0)
        pitches = [one.pitch for mark in self.marks for one in (mark.before, mark.after) if one is not None]
        low, high = (min(pitches), max(pitches)) if pitches else (48, 72)
        missing = max(0, _FEWEST_PITCHES - (high - low + 1))
        self.low = max(0, low - _ROOM - missing // 2)
        self.high = min(127, high + _ROOM + missing - missing // 2)

    @property
    def rows(self) -> int:
        """How many pitches are shown."""
        return self.high - self.low + 1

    def within(self, first: int, last: int, shown: Collection[Kind] = KINDS) -> Iterator[tuple[int, NoteChange]]:
        """Notes of the kinds `shown` that overlap the ticks from `first` to `last`, each with its index."""
        for at in range(bisect_left(self._starts, first - self._longest), bisect_right(self._starts, last)):
            mark = self.marks[at]
            if mark.kind in shown and mark.shown.end > first:
                yield at, mark

    def moved_within(self, first: int, last: int) -> Iterator[tuple[int, NoteChange]]:
        """Moved notes whose place in A or in B overlaps the ticks from `first` to `last`, each once with its index."""
        low = bisect_left(self._origins, first - self._longest_origin)
        places = set(self._moved[low:bisect_right(self._origins, last)])
        places.update(at for at, _ in self.within(first, last, _MOVED))
        for at in sorted(places):
            yield at, self.marks[at]

    def at(self, tick: float, pitch: int, shown: Collection[Kind], slack: float) -> int | None:
        """Index of the note at a tick and pitch, of those of the kinds `shown`, differing ones first; `slack` is how
        far, in ticks, it may be off. None for none."""
        found = [
            (mark.kind == "same", mark.shown.end - mark.shown.start, at)
            for at, mark in self.within(round(tick - slack), round(tick + slack), shown)
            if mark.shown.pitch == pitch and mark.shown.start - slack <= tick <= mark.shown.end + slack
        ]
        return min(found)[2] if found else None


def mark_in_words(comparison: Comparison, mark: NoteChange) -> tuple[str, str]:
    """What became of a note, and where it is, as two texts."""
    song = comparison.a if mark.after is None else comparison.b
    one = mark.shown
    name = pitch_name(one.pitch, song.key)
    bar = song.bar_map.bar_at(one.start)
    where = tr("Bar {bar}, velocity {velocity}", bar=bar, velocity=one.velocity)
    before, after = mark.before, mark.after
    if mark.kind != "moved" or before is None or after is None:
        became = {"added": tr("{note} added", note=name), "removed": tr("{note} removed", note=name)}
        return became.get(mark.kind, tr("{note}, the same", note=name)), where
    was = comparison.a.bar_map.bar_at(before.start)
    bars = tr("Bar {bar}", bar=bar) if was == bar else tr("Bar {was} → {bar}", was=was, bar=bar)
    if before.velocity != after.velocity:
        where = tr("{bars}, velocity {was} → {now}", bars=bars, was=before.velocity, now=after.velocity)
    else:
        where = tr("{bars}, velocity {velocity}", bars=bars, velocity=one.velocity)
    return _moved(comparison, before, after, name), where


def _moved(comparison: Comparison, before: PlacedNote, after: PlacedNote, name: str) -> str:
    said = []
    if before.pitch != after.pitch:
        said.append(f"{pitch_name(before.pitch, comparison.a.key)} → {name}, {_interval(after.pitch - before.pitch)}")
    else:
        said.append(name)
    shift = after.start - before.start
    if shift:
        beats = f"{to_beats(abs(shift)):.3g}"
        said.append(tr("{beats} beats later", beats=beats) if shift > 0 else tr("{beats} beats earlier", beats=beats))
    longer = (after.end - after.start) - (before.end - before.start)
    if longer:
        said.append(tr("longer") if longer > 0 else tr("shorter"))
    if len(said) == 1 and before.pitch == after.pitch:
        said.append(tr("louder") if after.velocity > before.velocity else tr("softer"))
    return ", ".join(said)


def _interval(semitones: int) -> str:
    up = semitones > 0
    count = abs(semitones)
    if count == _OCTAVE:
        return tr("an octave up") if up else tr("an octave down")
    if up:
        return trn("{count} semitone up", "{count} semitones up", count)
    return trn("{count} semitone down", "{count} semitones down", count)


class Prepared(Struct, frozen=True):
    """Indexes for a view of a comparison: notes of each differing track, the index of each note among the changes, and
    the counts of `histogram`."""

    scenes: Mapping[TrackId, ComparedTrack]
    places: Mapping[tuple[TrackId | None, int], int]
    bins: tuple[tuple[int, int, int], ...]


def prepared(comparison: Comparison, bins: int) -> Prepared:
    """The indexes of a comparison, with a histogram of so many bins. Takes long for many notes, so it should run in a
    thread."""
    end = max(comparison.a.end, comparison.b.end)
    return Prepared(
        {track.id: ComparedTrack(track, end) for track in comparison.tracks},
        {(one.track, one.mark): at for at, one in enumerate(comparison.changes) if one.mark is not None},
        histogram(comparison, bins),
    )


def histogram(comparison: Comparison, bins: int) -> tuple[tuple[int, int, int], ...]:
    """Numbers of added, removed and moved notes in each of `bins` equal ranges of the song."""
    end = max(comparison.a.end, comparison.b.end, 1)
    counts = [[0, 0, 0] for _ in range(bins)]
    places: dict[Kind, int] = {"added": 0, "removed": 1, "moved": 2}
    for track in comparison.tracks:
        for mark in track.marks:
            place = places.get(mark.kind)
            if place is not None:
                counts[min(bins - 1, mark.shown.start * bins // end)][place] += 1
    return tuple((added, removed, moved) for added, removed, moved in counts)
