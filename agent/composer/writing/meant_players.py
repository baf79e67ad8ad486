"""Meant players: who of a band the wishes of a request mean."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.understanding.wishes import Wish
from agent.composer.writing.frame import Player


def those(wishes: Sequence[Wish], players: Sequence[Player]) -> set[str]:
    """The part names of the players that the wishes mean."""
    return {player.style.name for wish in wishes for player in meant(wish, players)}


def meant(wish: Wish, players: Sequence[Player]) -> list[Player]:
    """The players that a wish means: by part name, otherwise by role, instrument or family; empty for none."""
    label = wish.label.casefold()
    called = (label, f"{label} chords", f"{label} melody")
    found = [p for p in players if p.style.name.casefold() in called]
    found = found or [p for p in players if wish.whole_role and p.style.role == wish.role]
    found = found or [p for p in players if p.instrument.name in wish.instruments]
    found = found or [p for p in players if p.style.name.casefold().startswith(label)]
    return found or [p for p in players if covers(wish, p)]


def covers(wish: Wish, player: Player) -> bool:
    """Whether the player's role or instrument family is the wish's."""
    return wish.covers(player.style.role, player.instrument.family)
