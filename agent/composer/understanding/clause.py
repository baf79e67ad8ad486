"""Clauses: which words of a request belong to what was understood, and which are told as not understood."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Outcome = Literal["understood", "limit", "told"]


class ReadClause(Struct, frozen=True):
    """A stretch of a request and what became of it.

    Its tokens are `first` to `last` (not included). `number` is that of the tasks that it asks for; a `limit` says what
    is to stay, and `told` is what nothing could be made of, for the `reason`. `text` are the characters `start` to
    `end` (not included) of the request.
    """

    first: int
    last: int
    outcome: Outcome
    number: int = -1
    reason: str = ""
    text: str = ""
    start: int = 0
    end: int = 0
