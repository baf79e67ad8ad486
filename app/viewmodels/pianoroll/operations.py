"""What the piano roll's menu does to notes at once: transpose, quantize, humanize, legato, velocity, scale.

Each takes the notes that are selected, or all of the clip if none are, and is one version. A transformation
of the whole clip is told to the song as such.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import pairwise

from msgspec.structs import replace

from agent.song.clip import Clip, Note, in_order
from agent.song.edits import TransformClip
from agent.song.ids import NoteId
from agent.song.key import Key
from agent.song.time import BarMap, Ticks
from agent.song.transform import transformed
from agent.theory.pitch import nearest_in_scale
from app.i18n import tr
from app.viewmodels.pianoroll.grid import snapped
from app.viewmodels.pianoroll.note_edits import HIGHEST, LONGEST_LABEL, NOTHING, NoteEdit, changed, chosen, counted


def meant(clip: Clip, notes: Collection[NoteId]) -> tuple[Note, ...]:
    """The selected notes; all notes of the clip if none are."""
    return chosen(clip, notes) if notes else clip.notes


def transposed(clip: Clip, notes: Collection[NoteId], semitones: int) -> NoteEdit:
    """The edit that transposes by semitones; without edits if a note would leave 0-127."""
    found = meant(clip, notes)
    if not found or any(not 0 <= note.pitch + semitones <= HIGHEST for note in found):
        return NOTHING
    other = [replace(note, pitch=note.pitch + semitones) for note in found]
    what = counted(len(other))
    label = (
        tr("Transpose {what} up by {semitones}", what=what, semitones=semitones) if semitones > 0
        else tr("Transpose {what} down by {semitones}", what=what, semitones=-semitones)
    )
    how = TransformClip(clip_id=clip.id, operation="transpose", semitones=semitones)
    return _whole(clip, other, how, label)


def quantized(clip: Clip, notes: Collection[NoteId], bars: BarMap, grid: int, strength: float) -> NoteEdit:
    """The edit that moves starts towards the grid of the song's bars by `strength` (0-1) of the distance; `grid` is in
    ticks."""
    if grid <= 0:
        return NOTHING
    found = meant(clip, notes)
    other = []
    for note in found:
        near = snapped(bars, clip.start + note.start, grid) - clip.start
        start = max(0, min(clip.duration - note.duration, round(note.start + (near - note.start) * strength)))
        other.append(replace(note, start=Ticks(start)))
    how = TransformClip(clip_id=clip.id, operation="quantize", grid=Ticks(grid), strength=strength)
    return _whole(clip, other, how, tr("Quantize {what}", what=counted(len(other))))


def humanized(clip: Clip, notes: Collection[NoteId], timing: int, velocity: int, seed: int) -> NoteEdit:
    """The edit that shifts starts and velocities randomly, by up to `timing` ticks and `velocity`; the same seed gives
    the same result."""
    found = meant(clip, notes)
    how = TransformClip(
        clip_id=clip.id, operation="humanize", timing=Ticks(timing), velocity=velocity, seed=seed
    )
    other = transformed(replace(clip, notes=found), how).notes
    return _whole(clip, other, how, tr("Humanize {what}", what=counted(len(other))))


def velocities_scaled(clip: Clip, notes: Collection[NoteId], factor: float) -> NoteEdit:
    """The edit that multiplies velocities by a factor."""
    found = meant(clip, notes)
    how = TransformClip(clip_id=clip.id, operation="scale_velocity", factor=factor)
    other = transformed(replace(clip, notes=found), how).notes
    label = tr("Velocity of {what} × {percent}%", what=counted(len(other)), percent=round(factor * 100))
    return _whole(clip, other, how, label)


def legato(clip: Clip, notes: Collection[NoteId]) -> NoteEdit:
    """The edit that extends or shortens each note to the start of the next; the last ones stay."""
    found = meant(clip, notes)
    following = dict(pairwise(sorted({note.start for note in found})))
    other = [
        replace(note, duration=Ticks(following[note.start] - note.start)) for note in found if note.start in following
    ]
    return changed(clip, other, tr("Legato for {what}", what=counted(len(other))))


def brought_into(clip: Clip, notes: Collection[NoteId], key: Key) -> NoteEdit:
    """The edit that moves notes outside a key to its nearest pitch."""
    other = [replace(note, pitch=nearest_in_scale(key, note.pitch)) for note in meant(clip, notes)]
    return changed(clip, other, tr("Move notes into {key}", key=key))


def _whole(clip: Clip, notes: Iterable[Note], how: TransformClip, label: str) -> NoteEdit:
    """As one transformation where it does the very same to the clip, else note by note."""
    other = in_order(tuple(notes))
    if other == clip.notes or not other:
        return NOTHING
    if len(other) == len(clip.notes) and transformed(clip, how).notes == other:
        return NoteEdit((how,), label[:LONGEST_LABEL])
    return changed(clip, other, label)
