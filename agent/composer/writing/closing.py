"""Closing: the last chord of a piece as a request wants it: loud, soft, harsh, wide, short or long."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import structs

from agent.composer.styles import RHYTHMIC
from agent.composer.tones import Tone
from agent.composer.understanding.note_rules import FinalTrait
from agent.composer.writing.frame import Player, Scene
from agent.song.time import PPQ

_OCTAVE, _TRITONE = 12, 6
_LOUD, _SOFT = 124, 36
_SHORT = PPQ // 2
_CHORD = 3
"""From so many tones on a player has a chord that can be opened."""


def last_chord(tones: Sequence[Tone], player: Player, traits: Collection[FinalTrait], last: Scene) -> list[Tone]:
    """A player's tones with the first chord of the last bar as the final one, with the traits asked for; tones after it
    are left out.

    A harsh chord gets a semitone next to each tone, for a single line a tritone above the root.
    """
    start = last.end - last.bar
    body = [tone for tone in tones if tone.start < start]
    final = [tone for tone in tones if tone.start >= start]
    if not final:
        return list(tones)
    first = min(tone.start for tone in final)
    chord = [tone for tone in final if tone.start == first]
    if player.style.role not in RHYTHMIC:
        chord = _pitched(chord, player, traits, last)
        chord = [structs.replace(tone, length=last.end - tone.start) for tone in chord]
    if "short" in traits:
        chord = [structs.replace(tone, length=min(tone.length, _SHORT)) for tone in chord]
    loud = _LOUD if "loud" in traits else None
    loud = _SOFT if "soft" in traits and loud is None else loud
    chord = [structs.replace(tone, velocity=loud) for tone in chord] if loud is not None else chord
    body = [structs.replace(tone, length=max(1, min(tone.length, first - tone.start))) for tone in body]
    return sorted([*body, *chord])


def _pitched(chord: Sequence[Tone], player: Player, traits: Collection[FinalTrait], last: Scene) -> list[Tone]:
    """The chord with other pitches."""
    result = list(chord)
    low, high = player.instrument.low, player.instrument.high
    if "wide" in traits:
        result = _opened(result, player)
    if "harsh" in traits and player.style.role != "bass":
        root = last.chords[-1].chord.root
        if len(result) == 1 and player.style.role in ("lead", "counter"):
            tone = result[0]
            harsh = [p for p in range(low, high + 1) if p % _OCTAVE == (root + _TRITONE) % _OCTAVE]
            pitch = min(harsh, key=lambda one: abs(one - tone.pitch)) if harsh else tone.pitch
            return [structs.replace(tone, pitch=pitch)]
        beside = [structs.replace(tone, pitch=tone.pitch + 1) for tone in result if tone.pitch < high]
        result = list({tone.pitch: tone for tone in (*result, *beside)}.values())
    return result


def _opened(chord: Sequence[Tone], player: Player) -> list[Tone]:
    """A chord spread out: its middle an octave up, the tune high and the bass low."""
    low, high = player.instrument.low, player.instrument.high
    tones = sorted(chord, key=lambda tone: tone.pitch)
    if len(tones) >= _CHORD:
        middle = tones[1].pitch + _OCTAVE
        return [tones[0], *(structs.replace(tones[1], pitch=middle) for _ in (0,) if middle <= high), *tones[2:]]
    step = -_OCTAVE if player.style.role == "bass" else _OCTAVE if player.style.role == "lead" else 0
    return [structs.replace(t, pitch=t.pitch + step) if low <= t.pitch + step <= high else t for t in tones]
