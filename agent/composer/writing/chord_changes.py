"""Chord changes: where a part meets the chords that begin in it, and those that are stated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import structs

from agent.composer.tones import Tone
from agent.composer.writing.frame import Player, Scene
from agent.composer.writing.phrased import Stroke

_BELOW = 0.4
"""Energy at which a bass plays a chord that its own rhythm leaves out."""


def with_changes(strokes: Iterable[Stroke], scene: Scene) -> Iterator[Stroke]:
    """The strokes of a part in a scene, with one added for each stated chord in which none begins."""
    found = list(strokes)
    starts = [stroke.start for stroke in found]
    stated = [span for span in scene.chords if span.symbol]
    unheard = [span for span in stated if not any(span.start <= start < span.end for start in starts)]
    yield from sorted([*found, *(Stroke(span.start, span.end - span.start, "R") for span in unheard)])


def on_stated_bass(tones: Sequence[Tone], player: Player, scene: Scene) -> list[Tone]:
    """The bass line over a chart: each stated chord begins on its bass note, and the bass rests in stated silences."""
    line = sorted(tones)
    for span in scene.chords:
        if not span.symbol:
            continue
        inside = [tone for tone in line if span.start <= tone.start < span.end]
        line = [tone for tone in line if tone not in inside]
        before = [tone for tone in line if tone.start < span.start]
        line = [
            structs.replace(tone, length=span.start - tone.start) if tone.start < span.start < tone.end else tone
            for tone in line
        ]
        if span.silent:
            continue
        goal = inside[0].pitch if inside else before[-1].pitch if before else player.low + 5
        length = max(60, int((span.end - span.start) * player.style.gate))
        first = inside[0] if inside else Tone(span.start, goal, length, max(1, int(player.velocity(_BELOW))))
        line += [structs.replace(first, pitch=_nearest(span.chord.lowest, goal, player)), *inside[1:]]
        line.sort()
    return line


def _nearest(pitch_class: int, to: int, player: Player) -> int:
    options = [pitch for pitch in range(player.low, player.high + 1) if pitch % 12 == pitch_class]
    return min(options, key=lambda pitch: (abs(pitch - to), pitch), default=to)
