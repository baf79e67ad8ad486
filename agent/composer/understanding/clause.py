"""Clauses: which words of a request belong to what was understood, and which are told as not understood."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Outcome = Literal["understood", "limit", "told"]


class ReadClause(Struct, frozen=True):
    """A stretch of a request (tokens `first` to `last`, not included) and how it was read.

    Its `outcome` is "understood"; "limit" if it says what has to stay; or "told" if it was not understood or cannot be
    done, for the `reason`. `number` links the clause to the tasks that it asks for, -1 for none. `text` is the request
    from character `start` to `end` (not included).
    """

    first: int
    last: int
    outcome: Outcome
    number: int = -1
    reason: str = ""
    text: str = ""
    start: int = 0
    end: int = 0
