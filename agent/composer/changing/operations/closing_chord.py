"""Closing chord: the last chord in major where it was minor, or the other way round; all before it stays."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Literal

from msgspec import structs
from msgspec.structs import replace

from agent.composer.changing.notes.voices import rewrite, voices_of
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Span, Stage
from agent.composer.changing.time.material import taken
from agent.composer.styles import RHYTHMIC
from agent.composer.tones import Tone
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.message import msg
from agent.song.clip import Clip

_MINOR_THIRD, _MAJOR_THIRD, _SEVENTH = 3, 4, 10


class ClosingChord(Operation, frozen=True):
    """Make the last chord of the song, or of the scope, major or minor."""

    mode: Literal["major", "minor"]

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return f"the last chord in {self.mode}"


def closing_chord(stage: Stage, operation: ClosingChord) -> None:
    """Move the thirds of the last chord by a semitone in all parts and octaves; over a new major chord a minor seventh
    becomes major.

    Notes that ended before the chord begins stay. Raises `Blocked` if the chord is not of the other mode.
    """
    to_major = operation.mode == "major"
    third, by = (_MINOR_THIRD, 1) if to_major else (_MAJOR_THIRD, -1)
    moving = {third, _SEVENTH} if to_major else {third}
    span, root = _last(stage)
    sounding = [tone for voice in voices_of(stage) if not voice.rhythmic for tone in taken(voice.track, *span)]
    if not any((tone.pitch - root) % 12 == third for tone in sounding):
        raise Blocked(msg("the last chord is no minor chord") if to_major else msg("the last chord is no major chord"))
    within = replace(stage, spans=_with_held(stage, span, root, third), whole=False)

    def turned(tones: Sequence[Tone], _: Clip) -> Sequence[Tone]:
        return [
            structs.replace(tone, pitch=tone.pitch + by) if (tone.pitch - root) % 12 in moving else tone
            for tone in tones
        ]

    for voice in voices_of(within):
        if not voice.rhythmic:
            rewrite(within, voice, turned, f"ends in {operation.mode}", "the third of the last chord")


def _last(stage: Stage) -> tuple[Span, int]:
    """The stretch of the last chord in which anything pitched begins, and its root."""
    rhythmic = {track for track, role in stage.roles().items() if role in RHYTHMIC}
    pitched = [track for track in stage.song.tracks if track.id not in rhythmic]
    for chord in reversed(stage.heard().chords_in(0, stage.spans[-1][1])):
        if any(taken(track, chord.start, chord.end) for track in pitched):
            return (chord.start, chord.end), chord.chord.root
    raise Blocked(msg("there is no last chord to be heard"))


def _with_held(stage: Stage, span: Span, root: int, third: int) -> tuple[Span, ...]:
    """The stretch, and the beginnings of thirds that are held into it."""
    held = {
        clip.start + note.start for track in stage.sketch.free_tracks() for clip in track.clips for note in clip.notes
        if clip.start + note.start < span[0] < clip.start + note.end and (note.pitch - root) % 12 == third
    }
    return (*((at, at + 1) for at in sorted(held)), span)


def _read(filled: Filled) -> tuple[Operation, ...]:
    return (ClosingChord("major" if filled.words.sign > 0 else "minor"),)


KINDS = (
    OperationKind(ClosingChord, 15, closing_chord, MappingProxyType({"closing_chord": SlotReading(_read)})),
)
