"""Parts that are written together: the four voices of a choir, and the two of an invention."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.dice import Dice
from agent.composer.tones import Tone
from agent.composer.writing.frame import Frame, Player, Scene
from agent.composer.writing.invention import in_two_voices
from agent.composer.writing.part_writing import in_four_parts

Tunes = dict[int, list[Tone]]
"""A player's tones in each scene, by the scene's index."""


def written_together(
    players: Sequence[Player], scenes: Sequence[Scene], frame: Frame, dice: Dice
) -> dict[str, Tunes]:
    """The tones of players whose parts depend on each other (choir voices, inventions), by part name and scene
    index."""
    lines: dict[str, Tunes] = {}
    for scene in scenes:
        own = frame.within(scene)
        here = [player for player in players if player.style.name in scene.parts]
        if any(player.style.voice is not None for player in here):
            for name, tones in in_four_parts(here, scene, own, dice.of("choir")).items():
                lines.setdefault(name, {})[scene.index] = tones
        for lower in here:
            upper = next((one for one in here if one.style.name == lower.style.imitates), None)
            if upper is None:
                continue
            above, below = in_two_voices(upper, lower, scene, own, dice.of("invention"))
            lines.setdefault(upper.style.name, {})[scene.index] = above
            lines.setdefault(lower.style.name, {})[scene.index] = below
    return {name: {at: tones for at, tones in tunes.items() if tones} for name, tunes in lines.items()}
