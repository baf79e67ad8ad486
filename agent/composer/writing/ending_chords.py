"""Ending chords: the last bars of a piece over the chords on which it is said to end."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from agent.composer.writing.frame import ChordSpan, Scene
from agent.song.chord_symbols import chord


def ended_on(symbols: Sequence[str], scenes: tuple[Scene, ...]) -> tuple[Scene, ...]:
    """The scenes with the last bars of the last scene over these chords, a bar each; unchanged without symbols."""
    if not symbols or not scenes:
        return scenes
    last = scenes[-1]
    said = symbols[-last.bars :]
    begin = last.end - len(said) * last.bar
    kept = [replace(span, end=min(span.end, begin)) for span in last.chords if span.start < begin]
    own = [
        ChordSpan(begin + at * last.bar, begin + (at + 1) * last.bar, chord(symbol), symbol)
        for at, symbol in enumerate(said)
    ]
    return (*scenes[:-1], replace(last, chords=(*kept, *own)))
