"""A tune over other chords: what clashes with them goes by the smallest step, and everything else stays."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec import structs

from agent.composer.changing.notes.leading import ChordChange, cut, joined, turn_at
from agent.composer.changing.notes.substitutes import fits
from agent.composer.changing.notes.voices import Voice
from agent.composer.tones import Tone
from agent.song.time import PPQ

_HEARD = PPQ // 4
"""Ticks from which a note that no chord carries is heard as wrong where it falls on a beat."""
_FAR = 5
"""Semitones that a note of a tune goes at most."""
_STEP = 2


def tune_on(tones: Sequence[Tone], turns: Sequence[ChordChange], voice: Voice) -> list[Tone]:
    """The melody with clashing notes moved to the nearest tone of their new chord in `turns`; a held note is cut, and
    only its clashing piece moved.

    Short passing notes, and notes that only colour the chord, stay.
    """
    passing = _passing(tones)
    made: list[Tone] = []
    for tone in sorted(tones):
        pieces = cut(tone, turns)
        clashing = [piece for piece in pieces if _clashes(piece, turns, tone in passing)]
        if not clashing:
            made.append(tone)
            continue
        made += [_moved(piece, turns, voice) if piece in clashing else piece for piece in pieces]
    return joined(made, tones)


def clashing(tones: Sequence[Tone], turns: Sequence[ChordChange]) -> list[Tone]:
    """The notes of a melody that clash with the new chord that they get by the changes `turns`."""
    passing = _passing(tones)
    found = ((tone, cut(tone, turns)) for tone in sorted(tones))
    return [tone for tone, pieces in found if any(_clashes(one, turns, tone in passing) for one in pieces)]


def _clashes(tone: Tone, turns: Sequence[ChordChange], passing: bool) -> bool:
    turn = turn_at(tone.start, turns)
    if turn is None or tone.pitch in turn.new:
        return False
    carried = fits(turn.new, [tone], turn.start, turn.end)
    if carried is None or _beside(tone.pitch, turn):
        return True
    on_beat = (tone.start - turn.start) % PPQ < _HEARD
    return carried < 0 and not passing and on_beat and tone.length >= _HEARD


def _beside(pitch: int, turn: ChordChange) -> bool:
    """Whether it lies a semitone from what an alteration or a suspension puts into the chord."""
    chord = turn.new
    special = chord.altered or chord.quality in ("sus2", "sus4", "7sus4", "aug", "dim", "dim7", "m7b5")
    return bool(special) and any((pitch - one) % 12 in (1, 11) for one in chord.pitch_classes if one != chord.root)


def _moved(tone: Tone, turns: Sequence[ChordChange], voice: Voice) -> Tone:
    turn = turn_at(tone.start, turns)
    assert turn is not None
    near = [pitch for pitch in range(tone.pitch - _FAR, tone.pitch + _FAR + 1) if pitch in turn.new]
    options = [pitch for pitch in near if voice.fits(pitch)]
    free = [pitch for pitch in options if not voice.around.rubs(pitch, tone.start, tone.end)] or options
    pitch = min(free, key=lambda one: (abs(one - tone.pitch), one), default=tone.pitch)
    return structs.replace(tone, pitch=pitch)


def _passing(tones: Sequence[Tone]) -> frozenset[Tone]:
    """The notes that a step leads to and a step leads from."""
    row = sorted(tones)
    steps = [0 < abs(after.pitch - before.pitch) <= _STEP for before, after in pairwise(row)]
    return frozenset(tone for tone, into, out in zip(row[1:], steps, steps[1:], strict=False) if into and out)
