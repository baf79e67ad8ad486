"""Octaves: where a part strikes a note in two octaves at once, one of the two is left."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean
from types import MappingProxyType

from agent.composer.changing.notes.voices import Voice, rewrite, voices_of
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.tones import Tone
from agent.composer.understanding.sentences import part_of
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.song.clip import Clip

_HIGH = 60
"""The mean pitch from which on the upper note of an octave carries the line."""
_OCTAVE = 12


class NoOctaves(Operation, frozen=True):
    """Where notes of a part (`wish` None: all parts) begin together an octave apart, only one of them stays; other
    notes stay."""

    says_how = True

    wish: Wish | None = None

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return f"{part_of(self.wish)}single notes instead of octaves"


def no_octaves(stage: Stage, operation: NoOctaves) -> None:
    """Remove the doubled notes; of a low part the lower note stays, of a high part the upper. Raises `Blocked` if there
    are none."""
    before = stage.song
    for voice in voices_of(stage, operation.wish):
        if voice.role == "drums":
            continue

        def single(tones: list[Tone], _: Clip, voice: Voice = voice) -> Sequence[Tone]:
            pitches = [note.pitch for clip in voice.track.clips for note in clip.notes]
            return without_octaves(tones, upper=bool(pitches) and mean(pitches) >= _HIGH)

        rewrite(stage, voice, single, "single notes for octaves", "no octaves, as you asked")
    if stage.song is before:
        raise Blocked(msg("no octaves are struck there"))


def without_octaves(tones: Sequence[Tone], *, upper: bool) -> list[Tone]:
    """The tones with each pitch class struck only once at a time: the lowest, with `upper` the highest."""
    kept: dict[tuple[int, int], Tone] = {}
    for tone in sorted(tones, key=lambda one: one.pitch, reverse=upper):
        kept.setdefault((tone.start, tone.pitch % _OCTAVE), tone)
    return sorted(kept.values())


def _read(filled: Filled) -> tuple[Operation, ...]:
    return tuple(NoOctaves(wish) for wish in filled.each)


KINDS = (
    OperationKind(
        NoOctaves, 9, no_octaves, MappingProxyType({"no_octaves": SlotReading(_read)}), removes=lambda _: True,
    ),
)
