"""Which versions of the tree are shown: without edits by hand, only named ones, by author, by words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from agent.song.ids import IterationId
from app.storage.records import Iteration

Author = Literal["you", "agent", "import"]


class VersionFilter(Struct, frozen=True):
    """Which versions to show; the default is all. `words` are searched in names, labels, requests and numbers;
    `no_hand` hides edits by hand, `named` shows only named ones."""

    words: str = ""
    no_hand: bool = False
    named: bool = False
    author: Author | None = None

    @property
    def active(self) -> bool:
        """Whether the filter may hide any version."""
        return self != VersionFilter()


def author_of(one: Iteration) -> Author:
    """Who made a version: a person, Bandleader, or an imported file."""
    if one.source == "import":
        return "import"
    return "agent" if one.source == "ai_iteration" and one.author != "person" else "you"


def shown_versions(
    iterations: Sequence[Iteration], names: Mapping[IterationId, str], wanted: VersionFilter, head: IterationId | None
) -> tuple[Iteration, ...]:
    """The versions that match, newest first, each with the nearest shown ancestor as its parent; `names` are given by
    the person. Without search words the current version (`head`) is always included."""
    if not wanted.active:
        return tuple(iterations)
    words = wanted.words.casefold().split()
    kept = {
        one.id for one in iterations
        if _fits(one, names.get(one.id, ""), wanted, words) or (one.id == head and not words)
    }
    parents = {one.id: one.parent for one in iterations}
    nearest: dict[IterationId, IterationId | None] = {}
    found = []
    # Oldest first, so that a parent's nearest is known before it is asked for.
    for one in reversed(iterations):
        parent = parents[one.id]
        nearest[one.id] = parent if parent in kept or parent is None else nearest.get(parent)
        if one.id in kept:
            found.append(one if nearest[one.id] == parent else replace(one, parent=nearest[one.id]))
    return tuple(found[::-1])


def _fits(one: Iteration, name: str, wanted: VersionFilter, words: Sequence[str]) -> bool:
    if wanted.named and not name:
        return False
    author = author_of(one)
    if wanted.no_hand and author == "you" and not name:
        return False
    if wanted.author is not None and author != wanted.author:
        return False
    if not words:
        return True
    text = f"#{one.number} {name} {one.label} {one.message}".casefold()
    return all(word in text for word in words)
