"""Layers: a stage that adds its players one by one, as a stage for each of them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from agent.composer.styles import Role
from agent.composer.understanding.course import CourseStage
from agent.composer.understanding.wishes import Wish
from agent.composer.writing.frame import Player
from agent.composer.writing.meant_players import those

_USUAL = 8
"""Bars of a layer of which nothing is said."""
_MOST_LAYERS, _LEAST_LAYER = 8, 2
"""Most stages of a piece that adds its layers one by one, and fewest bars of one."""
_LAYERS: tuple[Role, ...] = ("pad", "bass", "arp", "chords", "percussion", "drums", "texture", "counter", "lead")
"""Who comes in before whom where the layers enter one by one."""


def layered(
    stages: list[CourseStage], players: Sequence[Player], bars: int | None, *, named: bool = False
) -> list[CourseStage]:
    """The stages, with one whose players come in one by one divided into a stage for each player; a `named` band enters
    in its own order. `bars` is the length of the piece (None: open)."""
    result: list[CourseStage] = []
    for stage in stages:
        if stage.motion != "layered" or len(players) < 2:
            result.append(stage)
            continue
        heard = those([wish for one in result for wish in (*one.alone, *one.enters)], players)
        if stage.every:
            later = [player for player in players if player.style.name not in heard]
            result += _by_turns(stage, result, _heads(later), closed=bars is not None, named=named)
            continue
        room = (stage.bars or bars or _USUAL * len(players)) // _LEAST_LAYER
        count = max(2, min(len(players), _MOST_LAYERS, room))
        first = those(stage.alone, players)
        order = sorted(players, key=lambda p: (p.style.name not in first, _LAYERS.index(p.style.role)))
        groups = [order[at * len(order) // count : (at + 1) * len(order) // count] for at in range(count)]
        lengths = shared(stage.bars, count) if stage.bars else [0] * count
        for number, group in enumerate(groups):
            wishes = tuple(_exactly(player) for player in group)
            layer = structs.replace(
                stage, motion="", bars=lengths[number], seconds=stage.seconds / count, enters=wishes if number else (),
                alone=() if number else wishes, name=stage.name if not number else "",
                from_bar=stage.from_bar if not number else 0, from_seconds=stage.from_seconds if not number else 0.0,
            )
            result.append(layer)
    return result


def _by_turns(
    stage: CourseStage, before: list[CourseStage], players: Sequence[Player], *, closed: bool, named: bool
) -> list[CourseStage]:
    """A stage for each player who comes in when so many bars are over; what stands before lasts as long.

    The first begins alone where nothing stands before. In a piece whose length is said (`closed`) the last goes on to
    its end.
    """
    if before and not (before[-1].bars or before[-1].seconds):
        before[-1] = structs.replace(before[-1], bars=stage.every)
    told = stage.names_players or named
    order = players if told else sorted(players, key=lambda player: _LAYERS.index(player.style.role))
    first = those(stage.alone, players)
    order = sorted(order, key=lambda player: player.style.name not in first)
    last = 0 if stage.bars or closed else max(stage.every, _USUAL)
    return [
        structs.replace(
            stage, motion="", every=0, bars=stage.every if number < len(order) - 1 else last,
            enters=() if not (number or before) else (_exactly(player),),
            alone=(_exactly(player),) if not (number or before) else (), everyone=False,
            name=stage.name if not number else "", from_bar=stage.from_bar if not number else 0,
            from_seconds=stage.from_seconds if not number else 0.0,
        )
        for number, player in enumerate(order)
    ]


def _heads(players: Sequence[Player]) -> list[Player]:
    """The players without second hands, who come in with the first: "Organ melody" with "Organ"."""
    names = [player.style.name for player in players]
    return [one for one in players if not any(one.style.name.startswith(f"{name} ") for name in names)]


def shared(bars: int, count: int) -> list[int]:
    """`bars` divided into `count` shares that differ by at most one."""
    return [(at + 1) * bars // count - at * bars // count for at in range(count)]


def _exactly(player: Player) -> Wish:
    return Wish(player.style.name)
