"""Words of performing as values: how loud, what lies between two places, and what is played next."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from agent.composer.piece_words import Phrases

Dynamics = dict[str, Annotated[int, Meta(ge=1, le=127)]]
"""Dynamic marks by their velocity: "mp" is 62."""


class PerformingWords(Struct, frozen=True):
    """Dynamic marks, words before two places, from a section to the next one, and those that say that it comes next."""

    dynamics: Dynamics = {}
    between: Phrases = ()
    following: Phrases = ()
    sequels: Phrases = ()
