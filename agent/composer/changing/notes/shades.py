"""Shades: darker and brighter by register, voicing and the loudness of what is high."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.changing.hearing.around import rubs
from agent.composer.changing.hearing.grid import attacks
from agent.composer.changing.notes.voices import Voice
from agent.composer.tones import Tone
from agent.composer.writing.kit import PITCHES

_CYMBALS = frozenset(
    PITCHES[drum] for drum in ("hat", "pedal", "open", "ride", "bell", "crash", "splash", "tambourine", "shaker")
)
_CLOSE, _MUD, _FLOOR = 60, 52, 43
"""Below the first seconds are muddy, below the next thirds too; below the last no chord is voiced."""
_FAR = 0.75
"""How far a colour must go to move a whole line by an octave."""


def tilt(tone: Tone, bright: float, *, drum: bool) -> float:
    """The factor for a tone's velocity: high notes and cymbals change most. `bright` is negative for darker, positive
    for brighter; `drum` says that the pitch is a drum."""
    if drum:
        return 1 + (0.22 if bright < 0 else 0.3) * bright * (tone.pitch in _CYMBALS)
    height = max(0.0, min(1.0, (tone.pitch - 48) / 36))
    # dark is not soft: what is high steps back a little more than the rest
    return 1 + bright * (0.06 + 0.12 * height) if bright < 0 else 1 + bright * (0.05 + 0.2 * height)


def revoiced(tones: Sequence[Tone], voice: Voice, bright: float) -> list[Tone]:
    """Chords with some top voices an octave lower (`bright` below 0) or bottom voices higher (above 0); arpeggios and
    melodies move as a whole, if `bright` is strong.

    No note leaves the instrument's range, goes below the bass or comes to clash. Drums and bass stay.
    """
    if not bright or voice.rhythmic or voice.role == "bass":
        return list(tones)
    step = 12 if bright > 0 else -12
    if voice.role in ("chords", "pad"):
        return [tone for group in attacks(tones) for tone in _turned(group, voice, bright, step)]
    if abs(bright) < _FAR:
        return list(tones)
    mean = sum(tone.pitch for tone in tones) / len(tones)
    edge = {"lead": (66, 74), "counter": (62, 70)}.get(voice.role, (64, 67))
    beyond = mean < edge[0] if bright > 0 else mean > edge[1]
    moved = [Tone(t.start, t.pitch + step, t.length, t.velocity) for t in tones]
    clear = all(voice.fits(t.pitch) and _above_bass(t, voice) for t in moved)
    clear = clear and sum(voice.around.rubs(t.pitch, t.start, t.end) for t in moved) <= sum(
        voice.around.rubs(t.pitch, t.start, t.end) for t in tones
    )
    return moved if beyond and clear else list(tones)


def _turned(group: Sequence[Tone], voice: Voice, bright: float, step: int) -> list[Tone]:
    """A chord with some voices an octave away."""
    if len(group) < 3:
        return list(group)
    count = max(1, round(abs(bright) * len(group) / 3))
    ordered = sorted(group, key=lambda tone: tone.pitch, reverse=bright < 0)
    turned = list(ordered)
    for at in range(min(count, len(ordered) - 1)):
        tone = ordered[at]
        moved = Tone(tone.start, tone.pitch + step, tone.length, tone.velocity)
        others = [other.pitch for other in turned if other is not turned[at]]
        if _stands(moved, others, voice):
            turned[at] = moved
    return sorted(turned)


def _stands(tone: Tone, others: Sequence[int], voice: Voice) -> bool:
    near = min((abs(tone.pitch - other) for other in others), default=12)
    if not voice.fits(tone.pitch) or tone.pitch in others or tone.pitch < _FLOOR or tone.pitch > 91:
        return False
    if near < (5 if tone.pitch < _MUD else 3 if tone.pitch < _CLOSE else 1):
        return False
    if rubs(tone.pitch, others) or voice.around.rubs(tone.pitch, tone.start, tone.end):
        return False
    return tone.pitch > min(others, default=0) or _above_bass(tone, voice)


def _above_bass(tone: Tone, voice: Voice) -> bool:
    """Whether something lower sounds, so that the chord keeps its bass; else the note is high anyway."""
    lowest = voice.around.lowest(tone.start, tone.end)
    return tone.pitch > 60 if lowest is None else tone.pitch > lowest + 2
