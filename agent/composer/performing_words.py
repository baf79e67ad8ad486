"""Words of performing as values: how loud, what lies between two places, and what is played next."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from agent.composer.piece_words import Phrases

Dynamics = dict[str, Annotated[int, Meta(ge=1, le=127)]]
"""The velocity of each dynamic mark: "mp" is 62."""


class PerformingWords(Struct, frozen=True):
    """Phrases for dynamics and for the order of sections.

    `dynamics` maps marks ("pp") to velocities; `between` stands before two places, `following` between two sections
    that follow each other, `sequels` before what comes next.
    """

    dynamics: Dynamics = {}
    between: Phrases = ()
    following: Phrases = ()
    sequels: Phrases = ()
