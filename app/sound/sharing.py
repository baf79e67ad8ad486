"""Which process plays which part: to load the samples of an instrument takes longer than to play many a part."""

from __future__ import annotations

from collections.abc import Sequence

from app.sound.part import SynthPart

Sound = tuple[int, int, str]
"""Bank, program and the file of a sampled kit or of a SoundFont of one's own: what is loaded once."""


def sounds_of(part: SynthPart) -> frozenset[Sound]:
    """All that a part plays."""
    if part.layers:
        return frozenset((layer.bank, layer.program, "") for layer in part.layers)
    if part.font is not None:
        return frozenset({(part.font.bank, part.font.program, part.font.path)})
    return frozenset({(part.bank, part.program, "" if part.kit is None else part.kit.path)})


def next_part(waiting: Sequence[frozenset[Sound]], mine: frozenset[Sound], others: frozenset[Sound]) -> int:
    """The number of the part that a process takes of those that wait, the last of them being the heaviest.

    One whose sounds it has loaded; else one whose sounds no other process has; else the heaviest.
    """
    ranks = [(sounds <= mine, sounds.isdisjoint(others), number) for number, sounds in enumerate(waiting)]
    return max(ranks)[2]
