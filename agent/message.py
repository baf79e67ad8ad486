"""A sentence as data: English with named fields, and their values, so that it can be said in any language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Message:
    """`str` of it is the English sentence; `template` is the key of its translations.

    Fields are those of `str.format`; a value may be a message itself.
    """

    template: str
    values: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.template.format_map(self.values)

    def __bool__(self) -> bool:
        return bool(self.template)

    def worded(self, fill: Callable[[str, Mapping[str, object]], str]) -> str:
        """The sentence as `fill` makes it of a template and its values; messages among these are worded first."""
        values = {name: one.worded(fill) if isinstance(one, Message) else one for name, one in self.values.items()}
        return fill(self.template, values)


Text = Message | str
"""A sentence, or a text that was said elsewhere and has no translation."""


def msg(template: str, /, **values: object) -> Message:
    """A sentence with its values; every template stands in the catalogue of texts."""
    return Message(template, values)


def verbatim(text: Text) -> Message:
    """A text as it is, for what is a message already, is empty, or was said elsewhere and stays as it was said."""
    if isinstance(text, Message):
        return text
    return Message("{text}", {"text": text}) if text else Message("")
