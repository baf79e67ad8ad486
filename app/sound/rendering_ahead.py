"""The few seconds of a part that are heard next, so that an edit of a long clip need not wait for all of it."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from app.sound.dry_cache import DryPart
from app.sound.part import GRID, SAMPLE_RATE, Event, EventKind, SynthPart

_RELEASE = 2 * SAMPLE_RATE // GRID  # steps that a note may ring after its end


@dataclass(frozen=True)
class LookAhead:
    """A piece of a part: the notes that may sound from frame `start` to `end` of it, beginning with that at `origin`.
    Its sound equals the part's there, except for tails longer than two seconds."""

    part: SynthPart
    origin: int
    start: int
    end: int

    @property
    def steps(self) -> int:
        """Grid steps from `origin` to `end`, after which rendering can stop."""
        return (self.end - self.origin) // GRID + 1


@dataclass(frozen=True)
class Seen:
    """A piece of a part (`glimpse`) with its rendered sound."""

    glimpse: LookAhead
    sound: DryPart


def glimpse_of(part: SynthPart, start: int, end: int) -> LookAhead | None:
    """The piece of a part from its frame `start` to `end`; None if no notes sound there, or if it would save too
    little."""
    first, last = start // GRID - _RELEASE, -(-end // GRID)
    notes = [(on, off) for on, off in _notes(part) if on[0] < last and off[0] > first]
    if not notes:
        return None
    origin = min(on[0] for on, _ in notes)
    if (last - origin) * 2 > part.events[-1][0]:
        return None
    events = [event for on, off in notes for event in (on, off)]
    before: dict[tuple[int, int], Event] = {}
    for event in part.events:
        if event[1] in (EventKind.BEND, EventKind.CONTROL):
            if event[0] <= origin:
                before[event[1], event[2]] = (origin, *event[1:])
            elif event[0] < last:
                events.append(event)
    moved = tuple(sorted((step - origin, *rest) for step, *rest in (*before.values(), *events)))
    return LookAhead(replace(part, events=moved), origin * GRID, start, end)


def _notes(part: SynthPart) -> list[tuple[Event, Event]]:
    """Each note's two events; of one key they follow one another."""
    sounding: dict[int, Event] = {}
    notes = []
    for event in part.events:
        if event[1] == EventKind.NOTE_ON:
            sounding[event[2]] = event
        elif event[1] == EventKind.NOTE_OFF and event[2] in sounding:
            notes.append((sounding.pop(event[2]), event))
    return notes
