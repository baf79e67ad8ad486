"""How the notes of a track differ between two versions, note by note."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Literal

from msgspec import Struct

from agent.song.clip import Clip, Note
from agent.song.ids import ClipId, NoteId
from agent.song.track import Track

Kind = Literal["same", "added", "removed", "moved"]
KINDS: tuple[Kind, ...] = ("same", "added", "removed", "moved")
_OCTAVE = 12
NoteAt = tuple[ClipId, NoteId]


class PlacedNote(Struct, frozen=True, gc=False):
    """A note of the song: `start` and `end` in ticks from the song's start; `at` identifies it by clip and note id."""

    pitch: int
    start: int
    end: int
    velocity: int
    at: NoteAt

    @property
    def sound(self) -> tuple[int, int, int, int]:
        """Everything audible about it: start, pitch, end and velocity."""
        return self.start, self.pitch, self.end, self.velocity


class NoteChange(Struct, frozen=True, gc=False):
    """A note that is only in A (`before`), only in B (`after`), or in both. A moved one differs in pitch, time or
    velocity."""

    kind: Kind
    before: PlacedNote | None
    after: PlacedNote | None

    @property
    def shown(self) -> PlacedNote:
        """The note as in B, or as in A if it was removed."""
        found = self.after or self.before
        assert found is not None
        return found


class Counts(Struct, frozen=True):
    """Numbers of notes by kind of change."""

    same: int = 0
    added: int = 0
    removed: int = 0
    moved: int = 0

    @property
    def differing(self) -> int:
        """Number of notes that are not the same."""
        return self.added + self.removed + self.moved

    def plus(self, other: Counts) -> Counts:
        """The sums of these counts and those of `other`."""
        return Counts(
            self.same + other.same, self.added + other.added, self.removed + other.removed, self.moved + other.moved
        )


def marks_of(before: Track | None, after: Track | None) -> tuple[NoteChange, ...]:
    """All notes of a track in A and B, each once, in order of time.

    Notes are matched by their id in their clip, else by their id in another clip of the track, else by equal sound,
    else by equal time and velocity at most an octave apart: a part that was rewritten a third higher has moved. The
    remaining ones were removed or added. None stands for a track that does not exist."""
    a, b = _placed(before), _placed(after)
    marks: list[NoteChange] = []
    for key in (_by_place, _by_id, _by_sound):
        a, b = _matched(a, b, key, marks)
    a, b = _transposed(a, b, marks)
    marks += [NoteChange("removed", one, None) for one in a]
    marks += [NoteChange("added", None, one) for one in b]
    marks.sort(key=lambda mark: mark.shown.sound)
    return tuple(marks)


def counts_of(marks: Iterable[NoteChange]) -> Counts:
    """Numbers of notes of each kind."""
    found = dict.fromkeys(KINDS, 0)
    for mark in marks:
        found[mark.kind] += 1
    return Counts(**found)


def _by_place(one: PlacedNote) -> Hashable:
    return one.at


def _by_id(one: PlacedNote) -> Hashable:
    return one.at[1]


def _by_sound(one: PlacedNote) -> Hashable:
    return one.sound


def _matched(
    a: list[PlacedNote], b: list[PlacedNote], key: Callable[[PlacedNote], Hashable], marks: list[NoteChange]
) -> tuple[list[PlacedNote], list[PlacedNote]]:
    """Mark what has the same key on both sides, one to one; returns what is left of each."""
    if not a or not b:
        return a, b
    waiting: dict[Hashable, list[PlacedNote]] = {}
    for one in reversed(a):
        waiting.setdefault(key(one), []).append(one)
    left: list[PlacedNote] = []
    for one in b:
        same = waiting.get(key(one))
        if same:
            was = same.pop()
            marks.append(NoteChange("same" if was.sound == one.sound else "moved", was, one))
        else:
            left.append(one)
    # By identity: two notes of a damaged song could be equal.
    rest = {id(one) for many in waiting.values() for one in many}
    return [one for one in a if id(one) in rest], left


def _by_time(one: PlacedNote) -> tuple[int, int, int]:
    return one.start, one.end, one.velocity


def _transposed(
    a: list[PlacedNote], b: list[PlacedNote], marks: list[NoteChange]
) -> tuple[list[PlacedNote], list[PlacedNote]]:
    """Pair notes of one time and velocity from the lowest up; returns what is left of each."""
    waiting: dict[tuple[int, int, int], list[PlacedNote]] = {}
    for one in sorted(a, key=lambda one: one.pitch):
        waiting.setdefault(_by_time(one), []).append(one)
    left: list[PlacedNote] = []
    for one in sorted(b, key=lambda one: one.pitch):
        lower = waiting.get(_by_time(one), [])
        # What is too low for this one is too low for all that follow.
        while lower and one.pitch - lower[0].pitch > _OCTAVE:
            left.append(lower.pop(0))
        if lower and lower[0].pitch - one.pitch <= _OCTAVE:
            marks.append(NoteChange("moved", lower.pop(0), one))
        else:
            left.append(one)
    ours = {id(one) for one in b}
    gone = [one for one in left if id(one) not in ours] + [one for many in waiting.values() for one in many]
    return gone, [one for one in left if id(one) in ours]


def _placed(track: Track | None) -> list[PlacedNote]:
    if track is None:
        return []
    return [_in_song(clip, note) for clip in track.clips for note in clip.notes]


def _in_song(clip: Clip, note: Note) -> PlacedNote:
    start = clip.start + note.start
    return PlacedNote(note.pitch, start, start + note.duration, note.velocity, (clip.id, note.id))
