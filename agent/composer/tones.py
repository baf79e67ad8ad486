"""Tones: notes in song time, before they lie in a clip, and how they are kept clean."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from agent.plan.plan import Json

SHORTEST = 60
"""Ticks of a 1/64 note, the shortest tone written."""
STEP = 240
"""Ticks of a sixteenth, the unit of step strings."""


class Tone(Struct, frozen=True, order=True):
    """A note in song time: `start` and `length` in ticks from the song's start, MIDI pitch, velocity 1 to 127."""

    start: int
    pitch: int
    length: int
    velocity: int

    @property
    def end(self) -> int:
        """First tick after the tone."""
        return self.start + self.length


def tidy(tones: Iterable[Tone], start: int, end: int, shortest: int = SHORTEST) -> tuple[Tone, ...]:
    """The tones sorted and cut to the span `start` to `end`, and cut where the same pitch begins again; tones shorter
    than `shortest` ticks are dropped."""
    kept: list[Tone] = []
    last_of: dict[int, int] = {}
    for tone in sorted(tones):
        if tone.start >= end:
            break
        pitch, begin, stop = tone.pitch, max(tone.start, start), min(tone.start + tone.length, end)
        if stop - begin < shortest:
            continue
        index = last_of.get(pitch)
        if index is not None and (before := kept[index]).start + before.length > begin:
            if begin - before.start < shortest:
                continue
            kept[index] = Tone(before.start, pitch, begin - before.start, before.velocity)
        last_of[pitch] = len(kept)
        whole = begin == tone.start and stop - begin == tone.length and 1 <= tone.velocity <= 127
        kept.append(tone if whole else Tone(begin, pitch, stop - begin, max(1, min(127, tone.velocity))))
    return tuple(kept)


def outside(tones: Iterable[Tone], spans: Iterable[tuple[int, int]]) -> tuple[Tone, ...]:
    """The tones that begin in none of the spans."""
    closed = tuple(spans)
    return tuple(t for t in tones if not any(start <= t.start < end for start, end in closed))


def written(tones: Iterable[Tone], clip_start: int) -> list[Json]:
    """The tones as input of a tool: n (pitch), s and d (start and duration in beats from the clip's start at tick
    `clip_start`), v (velocity)."""
    return [
        {"n": t.pitch, "s": (t.start - clip_start) / 960, "d": t.length / 960, "v": t.velocity} for t in tones
    ]
