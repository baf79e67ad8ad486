"""Inner voices: what moves in a chord that stays: suspensions, passing sevenths, thirds that are filled, sixths."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, structs
from msgspec.structs import replace

from agent.composer.dice import Dice
from agent.composer.tones import STEP, Tone
from agent.composer.writing.frame import ChordSpan, Frame, Player, Scene
from agent.composer.writing.harmony import chord_lengths, coloured
from agent.theory.pitch import in_scale, move

_FEWEST = 2
"""Voices of a chord from which on one of them moves."""
_THIN, _FULL = 2, 3
"""Voices of a pad that only adds to chords, and those of a whole chord."""
_STEPS = (1, 2)
_THIRDS = (3, 4)
_FOURTH, _SEVENTH = 5, 2
_RUBS = (1, 11)
_APART = 2
"""Semitones between a voice that moves and those beside it."""


class VoicedChord(Struct, frozen=True):
    """A chord as hands hold it: its span, its pitches where it begins, the lowest first, and the later moves of single
    voices as (tick, number of the voice, MIDI pitch)."""

    span: ChordSpan
    pitches: tuple[int, ...]
    moves: tuple[tuple[int, int, int], ...] = ()

    def at(self, voice: int, tick: int) -> int:
        """The pitch of a voice at a tick of the span."""
        moved = [pitch for at, number, pitch in self.moves if number == voice and at <= tick]
        return moved[-1] if moved else self.pitches[voice]

    def heard(self, voice: int, start: int, end: int) -> Iterator[tuple[int, int, int]]:
        """What a voice sounds from `start` to `end` (ticks), as (start, end, pitch)."""
        cuts = [at for at, number, _ in self.moves if number == voice and start < at < end]
        for begin, stop in zip((start, *cuts), (*cuts, end), strict=True):
            yield begin, stop, self.at(voice, begin)


def thinned(players: Sequence[Player], names: Sequence[str]) -> tuple[str, ...]:
    """The pads among the parts `names` that hold two voices of a chord: those with inner voices where others strike the
    chords, and every pad but the first."""
    here = [player.style for player in players if player.style.name in names]
    struck = any(part.role == "chords" for part in here)
    pads = [part for part in here if part.role == "pad" and not part.drone and (part.voices or _FULL) > _THIN]
    return tuple(part.name for at, part in enumerate(pads) if at or (struck and part.inner))


def lightened(player: Player, scene: Scene) -> Player:
    """The player as it plays in the scene: with two voices if it only adds to chords there."""
    thin = player.style.name in scene.thin
    return replace(player, style=structs.replace(player.style, voices=_THIN)) if thin else player


def moving(
    led: Sequence[tuple[ChordSpan, tuple[int, ...]]], scene: Scene, frame: Frame, tune: Sequence[Tone], share: float,
    dice: Dice,
) -> list[VoicedChord]:
    """The chords `led` of a scene; as often as `share` one voice of a chord hangs over from the chord before, or moves
    on to the next one or to its neighbour and back.

    No voice rubs against the `tune` or another voice. Stated and silent chords stay as they are.
    """
    result = [VoicedChord(span, pitches) for span, pitches in led]
    for number, held in enumerate(result):
        span = held.span
        free = not (span.symbol or span.silent) and span.end - span.start >= scene.bar and len(held.pitches) >= _FEWEST
        own = dice.of(f"voice {number}")
        if not free or not own.chance(share):
            continue
        before = result[number - 1] if number else None
        after = result[number + 1] if number + 1 < len(result) else None
        options = (
            *_hanging(before, held, scene, frame), *_leading(held, after, frame), *_turning(held, scene, frame),
        )
        clean = [one for one in options if _is_clean(one, tune)]
        if clean:
            result[number] = clean[0] if own.chance(0.5) else own.pick(clean)
    return result


def _hanging(before: VoicedChord | None, here: VoicedChord, scene: Scene, frame: Frame) -> Iterator[VoicedChord]:
    """The chord with a voice of the one before it held over, which then goes down by step: 4-3, 9-8, 7-6."""
    if before is None or before.span.silent or before.span.end != here.span.start:
        return
    if len(before.pitches) != len(here.pitches):
        return
    until = here.span.start + chord_lengths(0.5, scene.bar, frame.beats)[0]
    for voice in range(1, len(here.pitches)):
        old, new = before.at(voice, before.span.end - 1), here.pitches[voice]
        if old - new in _STEPS and in_scale(frame.key, old):
            pitches = (*here.pitches[:voice], old, *here.pitches[voice + 1 :])
            yield VoicedChord(here.span, pitches, ((until, voice, new),))


def _leading(here: VoicedChord, after: VoicedChord | None, frame: Frame) -> Iterator[VoicedChord]:
    """The chord with a voice that moves towards the next chord on its last beat: a passing seventh, a filled third."""
    if after is None or after.span.silent or len(after.pitches) != len(here.pitches):
        return
    beat = 4 * STEP if frame.beats[-1] % 4 == 0 else frame.beats[-1] * STEP
    at = here.span.end - beat
    falls = (after.span.chord.root - here.span.chord.root) % 12 == _FOURTH
    for voice, (old, new) in enumerate(zip(here.pitches, after.pitches, strict=True)):
        between = None
        if falls and old % 12 == here.span.chord.root and old - _SEVENTH - new in _STEPS:
            between = old - _SEVENTH
        elif abs(new - old) in _THIRDS:
            between = coloured(move(frame.key, old, 1 if new > old else -1), here.span.chord, frame.key)
        if between is not None and min(old, new) - 3 < between < max(old, new) and between != new:
            yield VoicedChord(here.span, here.pitches, ((at, voice, between),))


def _turning(here: VoicedChord, scene: Scene, frame: Frame) -> Iterator[VoicedChord]:
    """The chord with a voice that goes up to its neighbour and back: 5-6-5, 3-4-3."""
    half = chord_lengths(0.5, scene.bar, frame.beats)[0]
    long = here.span.end - here.span.start >= 2 * scene.bar
    begin = here.span.start + (scene.bar if long else half)
    back = begin + half
    chord = here.span.chord
    for voice in range(1, len(here.pitches)):
        pitch = here.pitches[voice]
        if pitch % 12 == chord.root:
            continue
        near = coloured(move(frame.key, pitch, 1), chord, frame.key)
        moves = ((begin, voice, near), (back, voice, pitch)) if back < here.span.end else ((begin, voice, near),)
        yield VoicedChord(here.span, here.pitches, moves)


def _is_clean(held: VoicedChord, tune: Sequence[Tone]) -> bool:
    """Whether the voice that moves keeps a tone from its neighbours, and does not rub against the tune where it is no
    tone of the chord."""
    voices = {voice for _, voice, _ in held.moves}
    for voice in voices:
        beside = [near for near in (voice - 1, voice + 1) if 0 <= near < len(held.pitches)]
        for start, end, pitch in held.heard(voice, held.span.start, held.span.end):
            if any(abs(held.pitches[near] - pitch) < _APART for near in beside):
                return False
            over = (tone for tone in tune if tone.start < end and tone.end > start)
            if pitch not in held.span.chord and any((tone.pitch - pitch) % 12 in _RUBS for tone in over):
                return False
    return True
