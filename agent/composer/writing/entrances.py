"""Entrances: a player who is new in a section may come in halfway, so that the section grows."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from agent.composer.dice import Dice
from agent.composer.styles import Role
from agent.composer.tones import Tone
from agent.composer.writing.frame import Player, Scene

_WAITING: tuple[Role, ...] = ("counter", "texture", "percussion", "arp", "pad", "chords")
"""Who may come in later than the others, first whom one misses least."""
_HARMONY: tuple[Role, ...] = ("chords", "pad", "arp")
_LONG, _FEWEST = 8, 3
"""Bars from which a section has time to grow, and players it has at least meanwhile."""
_EARLY = 60
"""Ticks that a player may be ahead of the beat."""
_OFTEN = 0.65
"""How often one comes in halfway where somebody can."""


def with_entrances(scenes: Sequence[Scene], players: Sequence[Player], dice: Dice) -> tuple[Scene, ...]:
    """The scenes; in some calm ones one new player enters only halfway (`Scene.late`).

    Peaks are complete from their first bar, chords never wait where nobody else plays any, and two that play one riff
    come in together.
    """
    roles = {player.style.name: player.style.role for player in players if not player.style.builds}
    paired = {name for one in players if one.style.beside for name in (one.style.name, one.style.beside)}
    before: frozenset[str] = frozenset()
    result = []
    for scene in scenes:
        fresh = [name for name in scene.parts if name in roles and name not in before]
        alone = [name for name in fresh if name not in paired]
        late = _late(scene, alone, roles) if dice.of(f"entrance {scene.index}").chance(_OFTEN) else ""
        result.append(replace(scene, late=late) if late else scene)
        before = frozenset(scene.parts)
    return tuple(result)


def entered(tones: Sequence[Tone], player: Player, scene: Scene) -> Sequence[Tone]:
    """The player's tones in a scene, without those before its entrance."""
    if player.style.name != scene.late:
        return tones
    return [tone for tone in tones if tone.start >= scene.start + scene.bars // 2 // 4 * 4 * scene.bar - _EARLY]


def _late(scene: Scene, fresh: Sequence[str], roles: dict[str, Role]) -> str:
    """Who comes in halfway; empty where nobody can."""
    playing = [name for name in scene.parts if name in roles]
    if scene.bars < _LONG or scene.arrives or scene.closing or scene.repeats or len(playing) <= _FEWEST:
        return ""
    can = [name for name in fresh if roles[name] in _WAITING and _keeps_harmony(name, playing, roles)]
    return min(can, key=lambda name: _WAITING.index(roles[name]), default="")


def _keeps_harmony(name: str, playing: Sequence[str], roles: dict[str, Role]) -> bool:
    return roles[name] not in _HARMONY or any(roles[other] in _HARMONY for other in playing if other != name)
