"""Left hand: the bass of a piece in which nobody else plays one, under chords that leave it its beats."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.tones import SHORTEST, Tone
from agent.composer.understanding.intent import Intent
from agent.composer.writing.feel import accent
from agent.composer.writing.frame import Player, Scene
from agent.song.chord import Chord
from agent.song.palette import Family

_TWO_HANDED: tuple[Family, ...] = ("piano", "keys", "organ", "guitar")
"""Whose hands, or thumb and fingers, play a bass and chords over it."""
_AROUND, _LOWEST = 43, 33
"""Where such a bass lies, and where it ends."""
_APART = 3
"""Semitones that it stays below the chords."""
_FIFTH = 7


def left_handed(players: Sequence[Player], intent: Intent) -> str:
    """The name of the part whose left hand plays the bass: the first chord part that can; "" if a bass plays or is
    excluded, or none can."""
    if any(player.style.role == "bass" for player in players) or any(wish.role == "bass" for wish in intent.refused):
        return ""
    able = (one for one in players if one.style.role == "chords" and one.instrument.family in _TWO_HANDED)
    return next((player.style.name for player in able), "")


def bass_notes(player: Player, scene: Scene, struck: Sequence[Tone]) -> list[Tone]:
    """Left-hand notes where a bar or chord begins and none of the `struck` chords sounds: the root, in every other bar
    of a chord its fifth. Each lasts until the next chord and lies below the chords."""
    top = min((tone.pitch for tone in struck), default=player.low) - _APART
    begins = {scene.start + bar * scene.bar for bar in range(scene.bars)} | {span.start for span in scene.chords}
    velocity = int(player.velocity(scene.energy) * accent("R"))
    tones: list[Tone] = []
    for at in sorted(begins):
        span = scene.chord_at(at)
        if span.silent or any(tone.start <= at < tone.end for tone in struck):
            continue
        pitch = _pitch(span.chord, (at - span.start) // scene.bar % 2 == 1, top, player)
        nexts = [one for one in (*begins, *(tone.start for tone in struck), span.end, scene.end) if one > at]
        length = min(nexts, default=at) - at
        if pitch is not None and length >= SHORTEST:
            tones.append(Tone(at, pitch, max(SHORTEST, int(length * player.style.gate)), velocity))
    return tones


def _pitch(chord: Chord, fifth: bool, top: int, player: Player) -> int | None:
    """The note that is nearest to where such a bass lies; None where the instrument has no room below its chords."""
    over = fifth and chord.bass is None and _FIFTH in chord.intervals
    wanted = (chord.root + _FIFTH) % 12 if over else chord.lowest
    low = max(_LOWEST, player.instrument.low)
    return min(
        (pitch for pitch in range(low, top + 1) if pitch % 12 == wanted),
        key=lambda pitch: (abs(pitch - _AROUND), pitch), default=None,
    )
