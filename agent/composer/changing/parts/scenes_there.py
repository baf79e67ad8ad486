"""Scenes there: a stretch of a song as what a player of a style writes for, with the chords that are heard."""

from __future__ import annotations

from itertools import groupby

from msgspec.structs import replace

from agent.composer.changing.hearing.listening import SongAnalysis
from agent.composer.changing.notes.on_chords import bars_of
from agent.composer.changing.stage import Span
from agent.composer.writing.frame import Frame, Scene
from agent.song.chord import Chord

_ENERGY = 0.5


def scenes_there(heard: SongAnalysis, span: Span) -> list[tuple[Scene, Frame]]:
    """The whole bars of a span of the song `heard` as scenes for a style's player, one for each run of bars of the same
    length, each with its frame. Runs without chords are left out."""
    found: list[tuple[Scene, Frame]] = []
    for length, run in groupby(bars_of(heard.song, *span), key=lambda bar: bar[1] - bar[0]):
        bars = list(run)
        start, end = bars[0][0], bars[-1][1]
        chords = tuple(heard.chords_in(start, end))
        if chords:
            scene = Scene("", len(found), start, len(bars), length, _ENERGY, "a", (), chords)
            found.append((scene, replace(heard.frame, bar=length)))
    return found


def chord_after(heard: SongAnalysis, span: Span) -> Chord | None:
    """The chord heard at the end of a span; None if there is none."""
    return next((one.chord for one in heard.chords if one.start <= span[1] < one.end), None)
