"""Meant players: who of a band the wishes of a request mean."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.understanding.wishes import Wish
from agent.composer.writing.frame import Player


def those(wishes: Sequence[Wish], players: Sequence[Player]) -> set[str]:
    """The names of the players that wishes mean: those called so, else by instrument, else by family or role."""
    return {player.style.name for wish in wishes for player in meant(wish, players)}


def meant(wish: Wish, players: Sequence[Player]) -> list[Player]:
    """The players that one wish means, none where nobody is like it."""
    label = wish.label.casefold()
    called = (label, f"{label} chords", f"{label} melody")
    found = [p for p in players if p.style.name.casefold() in called]
    found = found or [p for p in players if wish.whole_role and p.style.role == wish.role]
    found = found or [p for p in players if p.instrument.name in wish.instruments]
    found = found or [p for p in players if p.style.name.casefold().startswith(label)]
    return found or [p for p in players if covers(wish, p)]


def covers(wish: Wish, player: Player) -> bool:
    """Whether a player is of the role or the family of a wish."""
    return wish.covers(player.style.role, player.instrument.family)
