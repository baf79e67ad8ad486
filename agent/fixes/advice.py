"""What all advice has in common, and advice that is no more than a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from agent.message import Text


@dataclass(frozen=True)
class Advice:
    """`str` of it suits a reader behind no door: a record, a mark of a plan, a prompt, a log."""

    plain: ClassVar[str]

    def __str__(self) -> str:
        return self.plain.format(**vars(self))


@dataclass(frozen=True)
class Say(Advice):
    """Advice that is worded alike everywhere; a plain text stays as it was said."""

    text: Text
    plain: ClassVar[str] = "{text}"
