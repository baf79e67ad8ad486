"""What all advice has in common, and advice that is no more than a text."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import asdict

from agent.message import Text


class Advice(Struct, frozen=True):
    """What a person can do about an error. Interfaces word it in their own way; `plain`, with the fields in braces, is
    the wording for readers without one (a stored record, a mark of a plan, a prompt, a log)."""

    plain: ClassVar[str]

    def __str__(self) -> str:
        return self.plain.format(**self.values())

    def values(self) -> dict[str, object]:
        """The fields by name, as sentences are filled with them."""
        return asdict(self)


class Say(Advice, frozen=True):
    """Advice that is worded alike in every interface: its `text`."""

    text: Text
    plain: ClassVar[str] = "{text}"
