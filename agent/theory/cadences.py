"""Cadences: where phrases end, on which two chords, and of which kind these are."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from itertools import pairwise
from statistics import median
from typing import Literal

from msgspec import Struct

from agent.song.chord import Chord
from agent.song.ids import TrackId
from agent.song.key import Key
from agent.song.song import Song
from agent.song.time import PPQ
from agent.theory.harmony import HeardChord, chords_known, sure_chord
from agent.theory.melody import melody_line
from agent.theory.pitch import usual_tonic
from agent.theory.sounding import Sounding, pitched
from agent.theory.tonality import scale_classes

Kind = Literal["perfect", "authentic", "plagal", "half", "deceptive", "home", "open"]
"""`perfect` is an authentic cadence with both roots in the bass and the tonic on top; `home` reaches the tonic in no
such way, and `open` ends on any other chord."""
CLOSED: frozenset[Kind] = frozenset({"perfect", "authentic", "plagal", "home"})
"""Kinds that come to rest on the tonic."""
_HELD = 1.9
"""How many times as long as a usual note the last of a phrase is held, its rest counted in."""
_APART = 1.5
"""Bars that lie at least between two phrase ends."""
_BACK = 4
"""Chords before the last one among which the one that leads to it is looked for."""
_PASSING = ("sus2", "aug")
"""What notes on the way to a chord are often heard as."""


class Cadence(Struct, frozen=True):
    """The end of a phrase at the tick `at`, where its last chord begins, in bar `bar`: the chords `before` (None: the
    same chord as far back as matters) and `last`, and the key that they close in.

    `top` and `bass` are the pitch classes of the highest and the lowest note there. `held` is how long the top note
    lasts with the rest behind it, in beats; 0 at the end of a section.
    """

    at: int
    bar: int
    before: Chord | None
    last: Chord
    key: Key
    kind: Kind
    top: int
    bass: int
    held: float = 0.0


def cadences(
    song: Song, kits: Collection[TrackId] = (), known: Sequence[HeardChord] | None = None,
) -> tuple[Cadence, ...]:
    """The phrase ends of a song in order of time, without the drum tracks in `kits`: the ends of its sections, else
    every note of the top line that is held about twice as long as usual, and always the end of the song. `known` are
    its chords as `chords_known` finds them, where the caller has them."""
    notes = pitched(song, kits)
    if not notes:
        return ()
    sounds = _Sounds(song, notes, chords_known(song, kits) if known is None else known)
    ends = _section_ends(song, notes) if song.sections else _held_ends(song, melody_line(song, kits=kits))
    found = {one.at: one for one in (sounds.cadence(at, held) for at, held in ends) if one is not None}
    return tuple(found[at] for at in sorted(found))


def _section_ends(song: Song, notes: Sequence[Sounding]) -> list[tuple[int, float]]:
    close = max(note.end for note in notes)
    ends = sorted({min(int(one.end), close) for one in song.sections} | {close})
    return [(_last_start(song, end), 0.0) for end in ends if end > 0]


def _held_ends(song: Song, line: Sequence[Sounding]) -> list[tuple[int, float]]:
    """The last beats of the notes at which the top line rests, with how long it does in beats: of two such notes close
    together the longer. In music that begins with an upbeat phrases begin there, so that a last short note before an
    upbeat belongs to the phrase."""
    waits = [following.start - note.start for note, following in pairwise(line)]
    usual = median(waits or [PPQ])
    waits.append(line[-1].end - line[-1].start)
    held = sorted((index for index, length in enumerate(waits) if length >= max(_HELD * usual, PPQ)),
                  key=lambda index: (-waits[index], index))
    kept = [len(line) - 1]
    for index in held:
        apart = _APART * song.bar_map.meter_at(line[index].start).bar_length
        near = bisect_right(kept, index)
        if all(abs(line[other].start - line[index].start) >= apart for other in kept[max(0, near - 1) : near + 1]):
            kept.insert(near, index)
    return [(_last_beat(song, line[_ending(song, line, index)]), waits[index] / PPQ) for index in kept]


def _ending(song: Song, line: Sequence[Sounding], index: int) -> int:
    """The index of the last note of the phrase whose held note has that index."""
    upbeat = _offset(song, line[0].start)
    follows = index + 2 < len(line) and line[index + 2].start - line[index + 1].start <= PPQ
    return index + 1 if upbeat and follows and _offset(song, line[index + 2].start) == upbeat else index


def _offset(song: Song, at: int) -> int:
    return at - song.bar_map.start_of(song.bar_map.bar_at(at))


def _last_beat(song: Song, note: Sounding) -> int:
    meter = song.bar_map.meter_at(note.start)
    return max(note.start, note.end - int(meter.bar_length) // meter.beats)


def _last_start(song: Song, end: int) -> int:
    """The beginning of the beat that ends at or before a tick, in which a section's last chord still sounds."""
    meter = song.bar_map.meter_at(max(end - 1, 0))
    return max(0, end - meter.bar_length // meter.beats)


class _Sounds:
    """The notes and chords of a song, to be asked what sounds at a tick."""

    def __init__(self, song: Song, notes: Sequence[Sounding], known: Sequence[HeardChord]) -> None:
        self._song = song
        self._notes = notes
        self._starts = [note.start for note in notes]
        self._longest = max(note.end - note.start for note in notes)
        self._known = known
        self._known_starts = [one.start for one in known]

    def cadence(self, at: int, held: float) -> Cadence | None:
        """The cadence whose last chord sounds at a tick; None where none is heard."""
        found = self._chord(at)
        if found is None:
            return None
        last, begins = found
        inside = self._during(at, at + 1) or self._during(at, at + PPQ)
        if not inside:
            return None
        pitches = [note.pitch for note in inside]
        top, bass = max(pitches) % 12, min(pitches) % 12
        before, under = self._before(begins, last, bass)
        kind, key = judged(before, last, self._song.key)
        if kind == "authentic" and before is not None and (before.root, last.root, last.root) == (under, bass, top):
            kind = "perfect"
        return Cadence(at, self._song.bar_map.bar_at(at), before, last, key, kind, top, bass, held)

    def _bass(self, at: int) -> int | None:
        """The lowest pitch class at a tick, the last beat before it where nothing sounds at it."""
        inside = self._during(at, at + 1) or self._during(at - PPQ, at)
        return min(note.pitch for note in inside) % 12 if inside else None

    def _during(self, start: int, end: int) -> list[Sounding]:
        low = bisect_right(self._starts, start - self._longest - 1)
        high = bisect_right(self._starts, end - 1)
        return [note for note in self._notes[low:high] if note.end > start]

    def _chord(self, at: int) -> tuple[Chord, int] | None:
        """The chord at a tick and where it begins: the one of the beat if its notes leave no doubt."""
        meter = self._song.bar_map.meter_at(at)
        start = self._song.bar_map.start_of(self._song.bar_map.bar_at(at))
        beat = meter.bar_length // meter.beats
        begin = start + (at - start) // beat * beat
        own = self._during(begin, begin + beat)
        if not self._song.chords and len({note.pitch % 12 for note in own}) > 2:
            sure = sure_chord(own, begin, begin + beat)
            if sure is not None:
                return sure, begin
        index = bisect_right(self._known_starts, at) - 1
        if index < 0 or self._known[index].end <= at:
            return None
        return self._known[index].chord, self._known[index].start

    def _before(self, begins: int, last: Chord, bass: int) -> tuple[Chord | None, int | None]:
        """The chord that leads to the last one, with its bass: over the same bass it is only a suspension."""
        at = begins - 1
        for _ in range(_BACK):
            found = self._chord(at) if at >= 0 else None
            if found is None:
                return None, None
            under = self._bass(at)
            passing = not self._song.chords and (found[0].quality in _PASSING or under == bass)
            if found[0].root != last.root and not passing:
                return found[0], under
            at = found[1] - 1
        return None, None


def judged(before: Chord | None, last: Chord, home: Key) -> tuple[Kind, Key]:
    """The kind of cadence that two chords make, and the key that they make it in: an authentic one may be in another
    key than `home`, where the chord before has a note from outside `home`, or in its relative major."""
    degree = (last.root - home.pitch_class) % 12
    minor = 3 in last.intervals and 4 not in last.intervals
    falls = before is not None and (before.root - last.root) % 12 == 7
    dominant = before is not None and not {4, 5, 17}.isdisjoint(before.intervals)
    if before is not None and falls and dominant and degree != 0:
        foreign = not set(before.pitch_classes) <= scale_classes(home)
        relative = home.mode == "minor" and degree == 3
        if foreign or relative:
            mode: Literal["major", "minor"] = "minor" if minor else "major"
            return "authentic", Key(usual_tonic(last.root, mode), mode)
    if degree == 0:
        return _at_home(before, home, dominant=dominant), home
    if degree == 7 and not minor:
        return "half", home
    if before is not None and (before.root - last.root) % 12 == 5 and _leads_out(before, last, home):
        return "half", Key(usual_tonic(before.root, "minor"), "minor")
    submediant = degree in (8, 9)
    if submediant and before is not None and dominant and (before.root - home.pitch_class) % 12 == 7:
        return "deceptive", home
    return "open", home


def _leads_out(before: Chord, last: Chord, home: Key) -> bool:
    """Whether a minor chord turns to a major one a fourth below that is no chord of the key: iv V of another."""
    return 3 in before.intervals and 4 in last.intervals and not set(last.pitch_classes) <= scale_classes(home)


def _at_home(before: Chord | None, home: Key, *, dominant: bool) -> Kind:
    if before is None:
        return "home"
    step = (before.root - home.pitch_class) % 12
    if (step == 7 and dominant) or (step == 11 and 6 in before.intervals):
        return "authentic"
    return "plagal" if step == 5 else "home"
