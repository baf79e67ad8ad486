"""Manners: how one player of a piece plays whose part is described: hardly at all, or short chords."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.tones import Tone
from agent.composer.writing.frame import Player, Scene
from agent.song.time import PPQ

_REST = 4
"""Bars in which one who hardly plays has a note or two."""
_GAP = PPQ * 3 // 4
"""Ticks between two short chords at least."""
_STAB, _VOICES = PPQ // 3, 3
_ACCENT = 12


def now_and_then(tones: Sequence[Tone], bar: int) -> list[Tone]:
    """Only the first tone of every few bars (of `bar` ticks), now and then with the next one in its bar; of tones
    struck together only the highest."""
    groups: dict[int, list[Tone]] = {}
    for tone in sorted(tones):
        groups.setdefault(tone.start // (bar * _REST), []).append(tone)
    kept: list[Tone] = []
    for number, group in sorted(groups.items()):
        starts = sorted({tone.start for tone in group})[: 1 + number % 2]
        kept += [max((one for one in group if one.start == start), key=lambda one: one.pitch) for start in starts]
    return kept


def stabbed(tones: Sequence[Tone], player: Player, scenes: Sequence[Scene]) -> list[Tone]:
    """A short chord at each start of a tone, except right after another one."""
    result: list[Tone] = []
    last = -_GAP
    for start in sorted({tone.start for tone in tones}):
        scene = next((one for one in scenes if one.start <= start < one.end), None)
        if scene is None or start - last < _GAP:
            continue
        last = start
        at = max(tone.velocity for tone in tones if tone.start == start)
        result += [Tone(start, pitch, _STAB, min(120, at + _ACCENT)) for pitch in _chord(player, scene, start)]
    return result


def _chord(player: Player, scene: Scene, start: int) -> list[int]:
    """Three tones of the chord around the middle of the part."""
    chord = scene.chord_at(start).chord
    classes = {(chord.root + step) % 12 for step in chord.intervals}
    low = max(player.instrument.low, player.style.centre - 7)
    open_ = [pitch for pitch in range(low, player.instrument.high + 1) if pitch % 12 in classes]
    return open_[:_VOICES]
