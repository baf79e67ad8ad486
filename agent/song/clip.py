"""Notes and clips: immutable values placed in ticks."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from agent.song.ids import ClipId, NoteId
from agent.song.time import Length, Position, Ticks

Pitch = Annotated[int, Meta(ge=0, le=127)]
Velocity = Annotated[int, Meta(ge=1, le=127)]


class Note(Struct, frozen=True, forbid_unknown_fields=True):
    """A pitch (0-127, 60 is middle C) sounding from `start` (ticks from the clip's start)."""

    id: NoteId
    pitch: Pitch
    start: Position
    duration: Length
    velocity: Velocity = 100

    @property
    def end(self) -> Ticks:
        """First tick after the note, from the clip's start."""
        return Ticks(self.start + self.duration)


# It holds only plain values, so no cycle goes through it; the collector need not walk through every clip of every song.
class Clip(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A span of a track that holds notes, sorted by (start, pitch, id).

    `start` counts from the song's start.
    """""

    id: ClipId
    name: str
    start: Position
    duration: Length
    notes: tuple[Note, ...] = ()

    @property
    def end(self) -> Ticks:
        """First tick after the clip, from the song's start."""
        return Ticks(self.start + self.duration)


def in_order(notes: list[Note] | tuple[Note, ...]) -> tuple[Note, ...]:
    """Notes in the canonical order of a clip."""
    return tuple(sorted(notes, key=lambda note: (note.start, note.pitch, note.id)))
