"""What a clause of a message is: a question, a command, a wish for music, or a reaction that wants nothing."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from agent.chat.messages import Command, Question


class WishClause(Struct, frozen=True):
    """A clause that wants music made or changed."""

    tokens: tuple[str, ...]
    words: str


class Reaction(Struct, frozen=True):
    """A clause that only reacts, or tells something: `kinds` are those of `Talk`, "dislike", "again", "approve" and
    "aside"."""

    kinds: frozenset[str]


Clause: TypeAlias = Question | Command | WishClause | Reaction
