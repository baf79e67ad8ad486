"""Transformations of a clip's notes; every note that stays keeps its id."""

from __future__ import annotations

import random
from typing import assert_never

from msgspec.structs import replace

from agent.message import msg
from agent.song.clip import Clip, Note, in_order
from agent.song.edits import TransformClip
from agent.song.errors import SongError
from agent.song.time import PPQ, Ticks


def transformed(clip: Clip, how: TransformClip) -> Clip:
    """The clip after the transformation; the same input always gives the same result."""
    if how.operation == "stretch":
        return _stretch(clip, how.factor)
    return replace(clip, notes=in_order(_notes(clip, how)))


def _notes(clip: Clip, how: TransformClip) -> list[Note]:
    notes = list(clip.notes)
    match how.operation:
        case "transpose":
            return [replace(note, pitch=_pitch(clip, note, how.semitones)) for note in notes]
        case "quantize":
            return [_quantized(note, clip, how.grid, how.strength) for note in notes]
        case "humanize":
            return _humanized(clip, how)
        case "scale_velocity":
            return [replace(note, velocity=_velocity(note.velocity * how.factor)) for note in notes]
        case "reverse":
            return [replace(note, start=Ticks(clip.duration - note.end)) for note in notes]
        case "thin":
            return _thinned(notes, clip, how.keep)
        case "stretch":
            return notes
    assert_never(how.operation)


def _pitch(clip: Clip, note: Note, semitones: int) -> int:
    pitch = note.pitch + semitones
    if not 0 <= pitch <= 127:
        raise SongError(
            msg("clip {clip!r} cannot be transposed by {semitones} semitones", clip=clip.name, semitones=semitones),
            why=msg("pitch {pitch} would become {pitch_2}, outside 0-127", pitch=note.pitch, pitch_2=pitch),
        )
    return pitch


def _velocity(value: float) -> int:
    return max(1, min(127, round(value)))


def _quantized(note: Note, clip: Clip, grid: Ticks, strength: float) -> Note:
    nearest = (note.start + grid // 2) // grid * grid
    return _moved(note, round(note.start + (nearest - note.start) * strength), clip.duration)


def _moved(note: Note, start: int, length: Ticks) -> Note:
    kept = min(note.duration, length)
    return replace(note, start=Ticks(max(0, min(start, length - kept))), duration=Ticks(kept))


def _humanized(clip: Clip, how: TransformClip) -> list[Note]:
    notes = []
    for note in clip.notes:
        rng = random.Random(f"{how.seed}:humanize:{note.id}")
        shift = round((rng.random() * 2 - 1) * how.timing)
        louder = (rng.random() * 2 - 1) * how.velocity
        moved = _moved(note, note.start + shift, clip.duration)
        notes.append(replace(moved, velocity=_velocity(note.velocity + louder)))
    return notes


def _thinned(notes: list[Note], clip: Clip, keep: float) -> list[Note]:
    wanted = round(len(notes) * keep)

    def rank(note: Note) -> tuple[int, int, int, str]:
        return _weight(clip.start + note.start), -note.velocity, note.start, note.id

    return sorted(notes, key=rank)[:wanted]


def _weight(at: int) -> int:
    """0 on a bar of four beats, then half bars, beats, eighths, sixteenths, the rest."""
    for weight, grid in enumerate((PPQ * 4, PPQ * 2, PPQ, PPQ // 2, PPQ // 4)):
        if at % grid == 0:
            return weight
    return 5


def _stretch(clip: Clip, factor: float) -> Clip:
    length = Ticks(max(1, round(clip.duration * factor)))
    notes = []
    for note in clip.notes:
        start = min(round(note.start * factor), length - 1)
        duration = max(1, min(round(note.duration * factor), length - start))
        notes.append(replace(note, start=Ticks(start), duration=Ticks(duration)))
    return replace(clip, duration=length, notes=in_order(notes))
