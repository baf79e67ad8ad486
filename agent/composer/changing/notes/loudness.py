"""Loudness of notes: velocities brought to a mark, limited by one, or led from one to another; accents stay accents."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct

from agent.composer.changing.stage import Span
from agent.composer.tones import Tone
from agent.song.track import Track

_FLATTENED = 0.6
"""What is left of how much notes differ from their mean, where they are brought to another."""


class Struck(Struct, frozen=True):
    """A track and which of its notes are to change: those on `pitches` of a kit, or all if that is empty."""

    track: Track
    pitches: frozenset[int] = frozenset()

    def has(self, tone: Tone) -> bool:
        """Whether a note is among those to change."""
        return not self.pitches or tone.pitch in self.pitches

    def tones(self, spans: Collection[Span]) -> list[Tone]:
        """The notes to change that begin within the spans, in ticks of the song, sorted."""
        found = [
            Tone(clip.start + note.start, note.pitch, note.duration, note.velocity)
            for clip in self.track.clips for note in clip.notes
            if any(start <= clip.start + note.start < end for start, end in spans)
        ]
        return sorted(tone for tone in found if self.has(tone))


def mean(tones: Sequence[Tone]) -> float:
    """The mean velocity; 0.0 without tones."""
    return sum(tone.velocity for tone in tones) / len(tones) if tones else 0.0


def towards(tone: Tone, usual: float, mark: float) -> Tone:
    """The note moved to velocity `mark`, keeping a part of its difference from `usual`, the part's mean velocity."""
    return struck(tone, mark + _FLATTENED * (tone.velocity - usual))


def by(tone: Tone, steps: float) -> Tone:
    """The note with `steps` added to its velocity (kept within 1 to 127)."""
    return struck(tone, tone.velocity + steps)


def struck(tone: Tone, velocity: float) -> Tone:
    """The note with this velocity, rounded and kept within 1 to 127."""
    return Tone(tone.start, tone.pitch, tone.length, max(1, min(127, round(velocity))))
