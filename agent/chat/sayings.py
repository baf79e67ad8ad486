"""Examples of what people say, each with its intent, and the manual from which questions about the program are
answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from agent.chat.messages import Action
from agent.chat.reading.intent_model import IntentModel

_Text = Annotated[str, Meta(min_length=1, max_length=900)]
Lines = Annotated[str, Meta(max_length=200_000)]
"""Examples, one a line."""


class Sayings(Struct, frozen=True, forbid_unknown_fields=True):
    """Examples by intent (`song.key`, `command.undo`; see `intents`), and the endings without which words are
    compared, the longer before the shorter."""

    endings: tuple[Annotated[str, Meta(min_length=1, max_length=8)], ...] = ()
    examples: Mapping[str, Lines] = {}


class ManualEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer about the program. `name` is its intent without "about."; `ways` are actions of which is said behind
    the answer how they are done here; `asked` are examples of questions, more than those of `Sayings`."""

    name: Annotated[str, Meta(pattern=r"^[a-z_]+(\.[a-z_]+)?$", max_length=40)]
    answer: _Text
    ways: tuple[Action, ...] = ()
    asked: tuple[Annotated[str, Meta(min_length=1, max_length=300)], ...] = ()


Learn: TypeAlias = Callable[[Callable[[], IntentModel]], IntentModel]
"""Gives a model of examples that the function makes; it may know it already."""


def at_once(make: Callable[[], IntentModel]) -> IntentModel:
    """Make the model anew."""
    return make()
