"""The chords that a new piece states: those that it was written over, where anybody plays them."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.styles import RHYTHMIC
from agent.composer.writing.frame import Frame, Player, Scene
from agent.song.chart import ChordSymbol
from agent.song.chord_symbols import NO_CHORD
from agent.song.time import Ticks
from agent.theory.chords import chord_symbol
from agent.theory.pitch import in_scale


def stated_chords(scenes: Sequence[Scene], players: Sequence[Player], frame: Frame) -> tuple[ChordSymbol, ...]:
    """The chords of the scenes as chord symbols, spelled in the key of each scene; one that leads out of a key in the
    key to which it leads.

    Where no pitched player could sound one, `N.C.` is stated. Empty for a piece of drums alone without a chart.
    """
    pitched = frozenset(player.style.name for player in players if player.style.role not in RHYTHMIC)
    if not pitched and not any(span.symbol for scene in scenes for span in scene.chords):
        return ()
    stated: list[ChordSymbol] = []
    for scene, following in zip(scenes, (*scenes[1:], scenes[-1]), strict=True):
        key, goal = frame.within(scene).key, frame.within(following).key
        for start, end, symbol in _spans(scene, sounds=bool(pitched.intersection(scene.parts))):
            span = scene.chord_at(start)
            leads = goal != key and end == scene.end and not in_scale(key, span.chord.root)
            spelled = span.symbol or symbol or chord_symbol(span.chord, goal if leads else key)
            stated.append(ChordSymbol(Ticks(start), Ticks(end - start), spelled))
    return tuple(stated)


def _spans(scene: Scene, *, sounds: bool) -> list[tuple[int, int, str]]:
    """Starts and ends, with N.C. where no chord sounds; all join the last chord of a piece, whoever has rested."""
    if sounds or any(span.symbol for span in scene.chords):
        return [(span.start, span.end, "") for span in scene.chords]
    last = scene.end - scene.bar if scene.closing and scene.turn is None else scene.end
    silent = [(scene.start, last, NO_CHORD)] if last > scene.start else []
    return [*silent, *((last, scene.end, "") for _ in (0,) if last < scene.end)]
