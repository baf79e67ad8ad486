"""Entrances: players come in and leave beside the borders of sections, so that not all parts change at once."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs
from msgspec.structs import replace

from agent.composer.dice import Dice
from agent.composer.styles import Role
from agent.composer.tones import Tone
from agent.composer.writing.frame import HeardBars, Player, Scene

_WAITING: tuple[Role, ...] = ("counter", "texture", "percussion", "arp", "pad", "chords")
"""Who may come in later than the others, first whom one misses least."""
_HARMONY: tuple[Role, ...] = ("chords", "pad", "arp")
_CROSSING: tuple[Role, ...] = ("counter", "arp", "pad", "chords")
"""Who may come in before a section begins, or stay when it is over."""
_LONG, _FEWEST = 8, 3
"""Bars from which a section has time to grow, and players it has at least meanwhile."""
_SHORT = 4
"""Bars from which a section has room for one who comes early or stays."""
_EARLY = 60
"""Ticks that a player may be ahead of the beat."""
_OFTEN = 0.65
"""How often one comes in later where somebody can."""
_AHEAD, _STAYS = 0.45, 0.4
"""How often one comes in before its section, and stays after it, where somebody can."""


def with_entrances(scenes: Sequence[Scene], players: Sequence[Player], dice: Dice) -> tuple[Scene, ...]:
    """The scenes, in which some players are heard for a part of the bars only (`Scene.stays`).

    One who is new in a calm section comes in during it, one who is new in the next a bar or two before it, and one who
    rests in the next stays for as long.

    Peaks are complete from their first bar, chords never wait where nobody else plays any, and two that play one riff
    come in together.
    """
    roles = {player.style.name: player.style.role for player in players if not player.style.builds}
    paired = {name for one in players if one.style.beside for name in (one.style.name, one.style.beside)}
    found: list[list[HeardBars]] = [[] for _ in scenes]
    before: frozenset[str] = frozenset()
    for at, scene in enumerate(scenes):
        own = dice.of(f"entrance {scene.index}")
        fresh = [name for name in scene.parts if name in roles and name not in before and name not in paired]
        gone = [name for name in before if name in roles and name not in scene.parts and name not in paired]
        late = _late(scene, fresh, roles) if own.chance(_OFTEN) else ""
        if late:
            half = scene.bars // 2 // 4 * 4
            found[at].append(HeardBars(late, own.of("bar").pick((half, half, 2, 1)), scene.bars))
        if at and _may_cross(scenes[at - 1], scene):
            many = own.of("bars").pick((1, 2))
            early = _crossing([name for name in fresh if name != late], roles)
            if early and own.of("ahead").chance(_AHEAD):
                found[at - 1].append(HeardBars(early, scenes[at - 1].bars - many, scenes[at - 1].bars))
            leaves = _crossing(gone, roles)
            if leaves and not scene.arrives and own.of("stays").chance(_STAYS):
                found[at].append(HeardBars(leaves, 0, many))
        before = frozenset(scene.parts)
    return tuple(map(_with, scenes, found))


def entered(tones: Sequence[Tone], player: Player, scene: Scene) -> Sequence[Tone]:
    """The player's tones in a scene, without those in bars in which it is not heard."""
    stay = next((one for one in scene.stays if one.name == player.style.name), None)
    if stay is None:
        return tones
    begin, end = scene.start + stay.first * scene.bar - _EARLY, scene.start + stay.last * scene.bar
    return [
        structs.replace(tone, length=min(tone.length, end - tone.start))
        for tone in tones if begin <= tone.start < end - _EARLY
    ]


def _with(scene: Scene, stays: Sequence[HeardBars]) -> Scene:
    names = [one.name for one in stays if one.name not in scene.parts]
    return replace(scene, stays=tuple(stays), parts=(*scene.parts, *names)) if stays else scene


def _may_cross(before: Scene, scene: Scene) -> bool:
    """Whether somebody may play over the border of two scenes."""
    plain = not (before.drop or before.builds or before.goes_on or before.turn or scene.turn or scene.closing)
    return plain and before.up == scene.up and min(before.bars, scene.bars) >= _SHORT


def _crossing(names: Sequence[str], roles: dict[str, Role]) -> str:
    can = [name for name in names if roles[name] in _CROSSING]
    return min(can, key=lambda name: (_CROSSING.index(roles[name]), name), default="")


def _late(scene: Scene, fresh: Sequence[str], roles: dict[str, Role]) -> str:
    """Who comes in during a scene; empty where nobody can."""
    playing = [name for name in scene.parts if name in roles]
    if scene.bars < _LONG or scene.arrives or scene.closing or scene.repeats or len(playing) <= _FEWEST:
        return ""
    can = [name for name in fresh if roles[name] in _WAITING and _keeps_harmony(name, playing, roles)]
    return min(can, key=lambda name: _WAITING.index(roles[name]), default="")


def _keeps_harmony(name: str, playing: Sequence[str], roles: dict[str, Role]) -> bool:
    return roles[name] not in _HARMONY or any(roles[other] in _HARMONY for other in playing if other != name)
