"""Gamuts: music of a few tones, where no others exist."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import structs

from agent.composer.tones import Tone
from agent.composer.writing.frame import Player
from agent.song.key import Key
from agent.theory.pitch import scale


def ladder(gamut: Sequence[int], key: Key, player: Player) -> tuple[int, ...]:
    """All pitches of the instrument on the scale degrees `gamut` (from 1) of the key, ascending; empty without
    degrees."""
    classes = {scale(key)[degree - 1] for degree in gamut}
    return tuple(p for p in range(player.instrument.low, player.instrument.high + 1) if p % 12 in classes)


def within(tones: Iterable[Tone], rungs: Sequence[int]) -> tuple[Tone, ...]:
    """The tones, each moved to the nearest pitch of `rungs`."""
    return tuple(structs.replace(tone, pitch=min(rungs, key=lambda rung: abs(rung - tone.pitch))) for tone in tones)
