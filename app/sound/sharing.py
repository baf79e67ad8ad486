"""Which process plays which part: to load the samples of an instrument takes longer than to play many a part."""

from __future__ import annotations

from collections.abc import Sequence

from app.sound.part import SynthPart

Sound = tuple[int, int, str]
"""Bank, program, and the file of a sampled kit or SoundFont ("" for the bank): what a process loads once."""


def sounds_of(part: SynthPart) -> frozenset[Sound]:
    """All sounds that a part needs loaded."""
    if part.layers:
        return frozenset((layer.bank, layer.program, "") for layer in part.layers)
    if part.font is not None:
        return frozenset({(part.font.bank, part.font.program, part.font.path)})
    return frozenset({(part.bank, part.program, "" if part.kit is None else part.kit.path)})


def next_part(waiting: Sequence[frozenset[Sound]], mine: frozenset[Sound], others: frozenset[Sound]) -> int:
    """The index of the waiting part that a process takes; the last one is the heaviest.

    Preferred is the heaviest part whose sounds this process (`mine`) has loaded; else the heaviest whose sounds no
    other process has (`others`); else the heaviest."""
    ranks = [(sounds <= mine, sounds.isdisjoint(others), number) for number, sounds in enumerate(waiting)]
    return max(ranks)[2]
