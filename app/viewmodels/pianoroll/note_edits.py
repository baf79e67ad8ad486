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
from app.i18n import tr, trn

Side = Literal["left", "right"]
HIGHEST = 127
LONGEST_LABEL = 120


class NoteEdit(Struct, frozen=True):
    """Edits of notes that become one version of the song, named `label` in the undo history; `made` are the notes that
    they add. Empty `edits`: nothing to do."""

    edits: tuple[Edit, ...] = ()
    label: str = ""
    made: tuple[NoteId, ...] = ()


NOTHING = NoteEdit()


def fresh_note_id() -> NoteId:
    """A new random note id."""
    return NoteId(derive(Kind.NOTE, "hand", secrets.token_hex(16)))


def chosen(clip: Clip, notes: Collection[NoteId]) -> tuple[Note, ...]:
    """The notes of the clip with these ids, in its order."""
    return tuple(note for note in clip.notes if note.id in notes)


def counted(count: int) -> str:
    """A number of notes in words: "3 notes"."""
    return trn("{count} note", "{count} notes", count)


def changed(clip: Clip, notes: Iterable[Note], label: str) -> NoteEdit:
    """The edit that replaces notes by those of the same id; unchanged ones are left out. `label` names it in the undo
    history."""
    before = {note.id: note for note in clip.notes}
    other = [note for note in notes if before.get(note.id) != note]
    return _added(clip, other, label) if other else NOTHING


def drawn(clip: Clip, pitch: int, start: int, duration: int, velocity: int) -> NoteEdit:
    """The edit that adds a note, cut at the clip's end. `start` and `duration` are in ticks, from the clip's start."""
    return put(clip, [(pitch, start, duration, velocity)], tr("Draw note"))


def put(clip: Clip, shapes: Sequence[tuple[int, int, int, int]], label: str) -> NoteEdit:
    """The edit that adds notes (pitch, start, duration, velocity; ticks from the clip's start), cut at the clip's end;
    those outside the clip or the MIDI pitches are left out. `label` names it in the undo history."""
    made = [
        Note(fresh_note_id(), pitch, Ticks(start), Ticks(min(duration, clip.duration - start)), _loud(velocity))
        for pitch, start, duration, velocity in shapes
        if 0 <= pitch <= HIGHEST and 0 <= start < clip.duration and duration > 0
    ]
    return _added(clip, made, label, tuple(note.id for note in made)) if made else NOTHING


def erased(clip: Clip, notes: Collection[NoteId]) -> NoteEdit:
    """The edit that deletes notes."""
    gone = tuple(note.id for note in chosen(clip, notes))
    if not gone:
        return NOTHING
    edit = ModifyClip(clip_id=clip.id, remove_notes=gone)
    return NoteEdit((edit,), tr("Delete {what}", what=counted(len(gone))))


def erased_at(clip: Clip, at: int) -> NoteEdit:
    """The edit that deletes the notes that begin at a tick."""
    return erased(clip, frozenset(note.id for note in clip.notes if note.start == at))


class Extent(Struct, frozen=True):
    """The range of some notes: ticks from the first start to the last end, lowest and highest pitch."""

    start: int
    end: int
    low: int
    high: int

    @classmethod
    def of(cls, notes: Sequence[Note]) -> Extent:
        """The extent of some notes, at least one."""
        pitches = [note.pitch for note in notes]
        return cls(
            min(note.start for note in notes), max(note.start + note.duration for note in notes),
            min(pitches), max(pitches),
        )

    def reach(self, clip: Clip, by: int, semitones: int) -> tuple[int, int]:
        """The shift in ticks and semitones nearest to the wanted one that keeps all notes in the clip and within
        0-127."""
        by = max(-self.start, min(clip.duration - self.end, by))
        return by, max(-self.low, min(HIGHEST - self.high, semitones))


def moved(clip: Clip, notes: Collection[NoteId], by: int, semitones: int = 0, *, copy: bool = False) -> NoteEdit:
    """The edit that moves notes, or with `copy` copies of them, by ticks and semitones, as far as they stay in the
    clip."""
    found = chosen(clip, notes)
    if not found:
        return NOTHING
    by, semitones = Extent.of(found).reach(clip, by, semitones)
    if by == 0 and semitones == 0:
        return NOTHING
    places = [replace(note, start=Ticks(note.start + by), pitch=note.pitch + semitones) for note in found]
    return placed(clip, places, copy=copy)


def placed(clip: Clip, places: Sequence[Note], *, copy: bool = False) -> NoteEdit:
    """The edit that gives notes the positions of those with the same id in `places`; with `copy` it adds copies
    there."""
    if not copy:
        return changed(clip, places, tr("Move {what}", what=counted(len(places))))
    made = [replace(note, id=fresh_note_id()) for note in places]
    label = tr("Copy {what}", what=counted(len(made)))
    return _added(clip, made, label, tuple(note.id for note in made)) if made else NOTHING


def repitched(clip: Clip, notes: Collection[NoteId], pitches: Mapping[int, int]) -> NoteEdit:
    """The edit that moves notes to the pitches that `pitches` gives for theirs; others stay."""
    found = chosen(clip, notes)
    return placed(clip, [replace(note, pitch=pitches.get(note.pitch, note.pitch)) for note in found])


def resized(clip: Clip, notes: Collection[NoteId], by: int, side: Side) -> NoteEdit:
    """The edit that moves the left or right edge of notes by ticks; each keeps at least a tick and stays in the
    clip."""
    found = [resized_note(clip, note, by, side) for note in chosen(clip, notes)]
    return changed(clip, found, tr("Resize {what}", what=counted(len(found))))


def resized_note(clip: Clip, note: Note, by: int, side: Side) -> Note:
    """A note with one edge moved by ticks; it keeps at least a tick and stays in the clip."""
    if side == "right":
        end = max(note.start + 1, min(clip.duration, note.end + by))
        return replace(note, duration=Ticks(end - note.start))
    start = max(0, min(note.end - 1, note.start + by))
    return replace(note, start=Ticks(start), duration=Ticks(note.end - start))


def with_velocities(clip: Clip, velocities: Mapping[NoteId, float]) -> NoteEdit:
    """The edit that sets velocities by note id, clamped to 1-127."""
    found = [replace(note, velocity=_loud(velocities[note.id])) for note in chosen(clip, velocities.keys())]
    return changed(clip, found, tr("Velocity of {what}", what=counted(len(found))))


def duplicated(clip: Clip, notes: Collection[NoteId], step: int) -> NoteEdit:
    """The edit that adds copies right after the range of the notes, rounded up to whole steps; cut at the clip's
    end."""
    found = chosen(clip, notes)
    if not found:
        return NOTHING
    length = max(note.end for note in found) - min(note.start for note in found)
    by = -(-length // step) * step if step else length
    shapes = [(note.pitch, note.start + by, note.duration, note.velocity) for note in found]
    return put(clip, shapes, tr("Duplicate {what}", what=counted(len(found))))


def pasted(clip: Clip, notes: Sequence[Note], at: int) -> NoteEdit:
    """The edit that adds notes from elsewhere, the first of them at `at`; those outside the clip are left out."""
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
