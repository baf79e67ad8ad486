"""What all advice has in common, and advice that is no more than a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from agent.message import Text


@dataclass(frozen=True)
class Advice:
    """What a person can do about an error. Interfaces word it in their own way; `plain`, with the fields in braces, is
    the wording for readers without one (a stored record, a mark of a plan, a prompt, a log)."""

    plain: ClassVar[str]

    def __str__(self) -> str:
        return self.plain.format(**vars(self))


@dataclass(frozen=True)
class Say(Advice):
    """Advice that is worded alike in every interface: its `text`."""

    text: Text
    plain: ClassVar[str] = "{text}"
