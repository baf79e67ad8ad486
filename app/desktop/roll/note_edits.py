"""What a hand does to the notes of a clip, as edits of the song with the words of their undo.

Times are ticks from the clip's start. Notes that stay keep their ids.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from agent.song.clip import Clip, Note
from agent.song.edits import Edit, ModifyClip, NoteSpec
from agent.song.ids import Kind, NoteId, derive
from agent.song.time import Ticks
from app.words import tr, trn

Side = Literal["left", "right"]
HIGHEST = 127
LONGEST_LABEL = 120


class NoteEdit(Struct, frozen=True):
    """Edits that belong together, as one version; `made` are the notes that they make. No edits: nothing to do."""

    edits: tuple[Edit, ...] = ()
    label: str = ""
    made: tuple[NoteId, ...] = ()


NOTHING = NoteEdit()


def fresh_note_id() -> NoteId:
    """An id for a note that a hand makes."""
    return NoteId(derive(Kind.NOTE, "hand", secrets.token_hex(16)))


def chosen(clip: Clip, notes: Collection[NoteId]) -> tuple[Note, ...]:
    """The notes of these ids that the clip has, in its order."""
    return tuple(note for note in clip.notes if note.id in notes)


def counted(count: int) -> str:
    """A number of notes in words."""
    return trn("{count} note", "{count} notes", count)


def changed(clip: Clip, notes: Iterable[Note], label: str) -> NoteEdit:
    """The clip with some notes exchanged for those of the same id; those that are as before are left out."""
    before = {note.id: note for note in clip.notes}
    other = [note for note in notes if before.get(note.id) != note]
    return _added(clip, other, label) if other else NOTHING


def drawn(clip: Clip, pitch: int, start: int, duration: int, velocity: int) -> NoteEdit:
    """A new note, as far as it fits into the clip."""
    return put(clip, [(pitch, start, duration, velocity)], tr("Draw note"))


def put(clip: Clip, shapes: Sequence[tuple[int, int, int, int]], label: str) -> NoteEdit:
    """New notes (pitch, start, duration, velocity), cut at the clip's end; those outside are left out."""
    made = [
        Note(fresh_note_id(), pitch, Ticks(start), Ticks(min(duration, clip.duration - start)), _loud(velocity))
        for pitch, start, duration, velocity in shapes
        if 0 <= pitch <= HIGHEST and 0 <= start < clip.duration and duration > 0
    ]
    return _added(clip, made, label, tuple(note.id for note in made)) if made else NOTHING


def erased(clip: Clip, notes: Collection[NoteId]) -> NoteEdit:
    """The clip without some notes."""
    gone = tuple(note.id for note in chosen(clip, notes))
    if not gone:
        return NOTHING
    edit = ModifyClip(clip_id=clip.id, remove_notes=gone)
    return NoteEdit((edit,), tr("Delete {what}", what=counted(len(gone))))


def erased_at(clip: Clip, at: int) -> NoteEdit:
    """The clip without the notes that begin at a tick."""
    return erased(clip, frozenset(note.id for note in clip.notes if note.start == at))


class Extent(Struct, frozen=True):
    """What some notes cover: ticks from the first beginning to the last end, and pitches."""

    start: int
    end: int
    low: int
    high: int

    @classmethod
    def of(cls, notes: Sequence[Note]) -> Extent:
        """The extent of at least one note."""
        pitches = [note.pitch for note in notes]
        return cls(
            min(note.start for note in notes), max(note.start + note.duration for note in notes),
            min(pitches), max(pitches),
        )

    def reach(self, clip: Clip, by: int, semitones: int) -> tuple[int, int]:
        """The nearest move that leaves all in the clip and among the pitches that there are."""
        by = max(-self.start, min(clip.duration - self.end, by))
        return by, max(-self.low, min(HIGHEST - self.high, semitones))


def moved(clip: Clip, notes: Collection[NoteId], by: int, semitones: int = 0, *, copy: bool = False) -> NoteEdit:
    """Move notes, or copies of them, as far as they stay in the clip."""
    found = chosen(clip, notes)
    if not found:
        return NOTHING
    by, semitones = Extent.of(found).reach(clip, by, semitones)
    if by == 0 and semitones == 0:
        return NOTHING
    places = [replace(note, start=Ticks(note.start + by), pitch=note.pitch + semitones) for note in found]
    return placed(clip, places, copy=copy)


def placed(clip: Clip, places: Sequence[Note], *, copy: bool = False) -> NoteEdit:
    """Notes of the clip, by their ids, at other places; or copies of them there."""
    if not copy:
        return changed(clip, places, tr("Move {what}", what=counted(len(places))))
    made = [replace(note, id=fresh_note_id()) for note in places]
    label = tr("Copy {what}", what=counted(len(made)))
    return _added(clip, made, label, tuple(note.id for note in made)) if made else NOTHING


def repitched(clip: Clip, notes: Collection[NoteId], pitches: Mapping[int, int]) -> NoteEdit:
    """Notes moved to the pitches that theirs become; those of other pitches stay."""
    found = chosen(clip, notes)
    return placed(clip, [replace(note, pitch=pitches.get(note.pitch, note.pitch)) for note in found])


def resized(clip: Clip, notes: Collection[NoteId], by: int, side: Side) -> NoteEdit:
    """Move the left or the right edge of notes; each keeps at least a tick and stays in the clip."""
    found = [resized_note(clip, note, by, side) for note in chosen(clip, notes)]
    return changed(clip, found, tr("Resize {what}", what=counted(len(found))))


def resized_note(clip: Clip, note: Note, by: int, side: Side) -> Note:
    """A note with one edge elsewhere."""
    if side == "right":
        end = max(note.start + 1, min(clip.duration, note.end + by))
        return replace(note, duration=Ticks(end - note.start))
    start = max(0, min(note.end - 1, note.start + by))
    return replace(note, start=Ticks(start), duration=Ticks(note.end - start))


def with_velocities(clip: Clip, velocities: Mapping[NoteId, float]) -> NoteEdit:
    """Give notes their velocities, brought into 1-127."""
    found = [replace(note, velocity=_loud(velocities[note.id])) for note in chosen(clip, velocities.keys())]
    return changed(clip, found, tr("Velocity of {what}", what=counted(len(found))))


def duplicated(clip: Clip, notes: Collection[NoteId], step: int) -> NoteEdit:
    """Repeat notes right after the stretch that they cover, rounded up to whole steps; cut at the clip's end."""
    found = chosen(clip, notes)
    if not found:
        return NOTHING
    length = max(note.end for note in found) - min(note.start for note in found)
    by = -(-length // step) * step if step else length
    shapes = [(note.pitch, note.start + by, note.duration, note.velocity) for note in found]
    return put(clip, shapes, tr("Duplicate {what}", what=counted(len(found))))


def pasted(clip: Clip, notes: Sequence[Note], at: int) -> NoteEdit:
    """Notes of another place, the first of them at `at`; those that lie outside the clip are left out."""
    if not notes:
        return NOTHING
    first = min(note.start for note in notes)
    shapes = [(note.pitch, note.start - first + at, note.duration, note.velocity) for note in notes]
    return put(clip, shapes, tr("Paste {what}", what=counted(len(notes))))


def _added(clip: Clip, notes: Sequence[Note], label: str, made: tuple[NoteId, ...] = ()) -> NoteEdit:
    # A note that is added with the id of one that is there takes its place.
    edit = ModifyClip(clip_id=clip.id, add_notes=tuple(NoteSpec.of(note) for note in notes))
    return NoteEdit((edit,), label[:LONGEST_LABEL], made)


def _loud(velocity: float) -> int:
    return max(1, min(HIGHEST, round(velocity)))
