"""Soundness: what an operation did is taken back where the song did not stay sound and itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.song.palette import Palette
from agent.song.song import Song
from agent.theory.figures import figure
from agent.theory.gate import findings

Attempt = Callable[[Stage], None]


class Promise(Struct, frozen=True):
    """What must hold after an operation: the likeness of the melody is at least `melody` and the share of equal chord
    roots at least `roots` (0 to 1), and `proof` is true of the songs (before, after)."""

    melody: float = 0.5
    roots: float = 0.7
    proof: Callable[[Song, Song], bool] = lambda _before, _after: True


def first_sound(stage: Stage, attempts: Iterable[Attempt], promise: Promise, otherwise: str) -> None:
    """Try the attempts until one changes the song and keeps the promise; others are undone. Raises `Blocked` with the
    reason `otherwise` if none does."""
    before, saved = stage.song, stage.sketch.saved()
    for attempt in attempts:
        attempt(stage)
        if stage.song != before and _kept(before, stage.song, stage.palette, promise):
            return
        stage.sketch.go_back(saved)
    raise Blocked(otherwise)


def _kept(before: Song, after: Song, palette: Palette, promise: Promise) -> bool:
    if not promise.proof(before, after):
        return False
    floors = {"melody_similarity": promise.melody, "root_agreement": promise.roots}
    for name, least in floors.items():
        found = figure(name, before, after, palette)
        if least and before.note_count and float(found or 0.0) < least and _has(before, palette, name):
            return False
    known = {(flaw.rule, flaw.where) for flaw in findings(before, palette)}
    return all((flaw.rule, flaw.where) in known for flaw in findings(after, palette))


def _has(song: Song, palette: Palette, name: str) -> bool:
    """Whether a song has what a figure compares: it is then fully like itself."""
    return float(figure(name, song, song, palette) or 0.0) >= 1 - 1e-9
