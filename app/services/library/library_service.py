"""The library service: what there is to make music with, found by kind, tags and words. No effects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec
from msgspec import Struct

from agent.plan.tool import ToolSpec
from agent.services.schemas import input_schema, result_schema, taken
from agent.services.service import Call, Outcome
from agent.song.palette import Palette

Kind = Literal["instrument", "kit", "effect", "style"]


class QueryLibrary(Struct, frozen=True, forbid_unknown_fields=True):
    """All that is given must fit; `text` fits in name, label or tags."""

    kind: Kind | None = None
    tags: tuple[str, ...] = ()
    text: str = ""


class LibraryItem(Struct, frozen=True):
    """One thing of the library; `name` is what plans use."""

    kind: Kind
    name: str
    label: str
    tags: tuple[str, ...] = ()


def shelf_of(palette: Palette) -> tuple[LibraryItem, ...]:
    """The palette as items of the library."""
    instruments = tuple(
        LibraryItem("kit" if one.is_kit else "instrument", one.name, one.label, (one.family, *one.tags))
        for one in palette.instruments
    )
    return (*instruments, *(LibraryItem("effect", one.name, one.label) for one in palette.effects))


class ItemsFound(Struct, frozen=True):
    """Items in the library's order."""

    items: tuple[LibraryItem, ...]


class LibraryService:
    """Owns `query_library`. `shelves` gives the items, and is asked each time."""

    name = "library"
    limit = 4

    def __init__(self, shelves: Callable[[], Sequence[LibraryItem]]) -> None:
        self._shelves = shelves
        self.tools = (
            ToolSpec(
                "query_library", self.name, "1", "Instruments, kits, effects and styles by kind, tags and words.",
                input_schema(QueryLibrary), result_schema(ItemsFound), pure=True, safe_to_repeat=True,
            ),
        )

    async def call(self, call: Call) -> Outcome:
        """The same as `foresee`."""
        return self.foresee(call)

    def foresee(self, call: Call) -> Outcome:
        """The items that fit."""
        wanted = taken(call.inputs, QueryLibrary)
        found = tuple(item for item in self._shelves() if _fits(item, wanted))
        return Outcome(msgspec.to_builtins(ItemsFound(found)))


def _fits(item: LibraryItem, wanted: QueryLibrary) -> bool:
    if wanted.kind is not None and item.kind != wanted.kind:
        return False
    if not set(wanted.tags) <= set(item.tags):
        return False
    words = f"{item.name} {item.label} {' '.join(item.tags)}".casefold()
    return wanted.text.casefold() in words
