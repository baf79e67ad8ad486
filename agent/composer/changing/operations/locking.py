"""Locking: the bass strikes with the kick, on the notes that it has."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from agent.composer.changing.hearing.listening import tones_of
from agent.composer.changing.notes.voices import Voice, rewrite, voices_of
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.styles import StyleBook
from agent.composer.tones import SHORTEST, Tone
from agent.composer.understanding.lexicon import thing_wish
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.clip import Clip
from agent.theory.pitch import fold

_KICKS = frozenset({35, 36})
_APART = 60
"""Ticks within which strokes of the kick are one."""
_BREATH = 20


class LockToKick(Operation, frozen=True):
    """A part strikes exactly where the kick drum does, in bars in which both play."""

    wish: Wish

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return f"{self.wish.label} with the kick"


def lock(stage: Stage, operation: LockToKick) -> None:
    """Move the part's attacks onto the kicks; pitches are the part's own, and each note lasts until the next or the end
    of its chord. Raises `Blocked` without a kick."""
    kicks = _kicks(stage)
    if not kicks:
        raise Blocked(msg("no kick drum plays there"))
    before = stage.song
    for voice in voices_of(stage, operation.wish):
        if voice.rhythmic:
            raise Blocked(msg("{wish} is the beat itself", wish=operation.wish.label))

        def locked(tones: list[Tone], clip: Clip, voice: Voice = voice) -> Sequence[Tone]:
            inside = [at for at in kicks if clip.start <= at < clip.end and stage.inside(at)]
            return with_kick(tones, inside, voice, int(clip.end))

        rewrite(stage, voice, locked, "with the kick", "bass and kick strike as one")
    if stage.song is before:
        raise Blocked(msg("{wish} strikes with the kick already", wish=operation.wish.label))


def with_kick(tones: Sequence[Tone], kicks: Sequence[int], voice: Voice, end: int) -> list[Tone]:
    """The line with its attacks at the ticks of `kicks`, in bars in which both play; other bars stay. `end` is the tick
    at which the last note stops."""
    bars = {voice.grid.bar(at) for at in kicks}
    playing = {voice.grid.bar(tone.start) for tone in tones}
    moving = bars & playing
    kept = [tone for tone in tones if voice.grid.bar(tone.start) not in moving]
    struck = [at for at in kicks if voice.grid.bar(at) in moving]
    starts = sorted({*struck, *(tone.start for tone in kept), end})
    made = []
    for at in struck:
        model = _model(tones, at)
        following = next(start for start in starts if start > at)
        chord_end = next((s.end for s in voice.heard.chords if s.start <= at < s.end), following)
        until = min(following, chord_end if chord_end - at >= 2 * SHORTEST else following)
        length = max(SHORTEST, until - at - _BREATH)
        made.append(Tone(at, _pitch(model.pitch, at, voice), length, model.velocity))
    return sorted([*kept, *made])


def _model(tones: Sequence[Tone], at: int) -> Tone:
    """The note that the part plays there: the last one begun, else the next."""
    begun = [tone for tone in tones if tone.start <= at + _APART]
    return begun[-1] if begun else min(tones)


def _pitch(pitch: int, at: int, voice: Voice) -> int:
    """The part's own pitch where the chord has it, else the chord's root nearest to it."""
    chord = voice.chord_at(at)
    if chord is None or pitch in chord:
        return pitch
    root = fold(chord.lowest, max(voice.low, pitch - 6), min(voice.high, pitch + 6))
    return root if voice.fits(root) else pitch


def _kicks(stage: Stage) -> list[int]:
    roles = stage.roles()
    struck = sorted(
        tone.start for track in stage.song.tracks if roles[track.id] == "drums" and not track.mute
        for clip in track.clips for tone in tones_of(clip) if tone.pitch in _KICKS and stage.inside(tone.start)
    )
    return [at for number, at in enumerate(struck) if not number or at - struck[number - 1] > _APART]


def _read(filled: Filled) -> tuple[Operation, ...]:
    wishes = [wish for wish in filled.parts if not wish.pieces and wish.role != "drums"]
    bass = thing_wish(filled.lexicon.words.thing("bass"))
    return tuple(LockToKick(wish) for wish in wishes or [bass])


def _asks(served: Served, _: LockToKick, _styles: StyleBook) -> list[Ask]:
    return served.ask("with_kick", "higher")


KINDS = (OperationKind(LockToKick, 12, lock, MappingProxyType({"lock": SlotReading(_read)}), _asks),)
