"""Changes by hand that follow one another, with their undo and redo, as one group of versions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from agent.song.ids import IterationId
from app.i18n import trn
from app.storage.records import Iteration
from app.studio.undo import walked
from app.viewmodels.history.version_filter import author_of

FEWEST = 3
"""Least number of versions in a group; fewer stay single."""


class VersionGroup(Struct, frozen=True):
    """Consecutive versions, each the child of the next, newest first."""

    members: tuple[Iteration, ...]

    @property
    def key(self) -> IterationId:
        """The id of its oldest version, which stays the same while the group grows."""
        return self.members[-1].id

    @property
    def folded(self) -> Iteration:
        """The newest version, with the oldest one's parent as its parent."""
        return replace(self.members[0], parent=self.members[-1].parent)

    @property
    def words(self) -> str:
        """The group in words: "12 changes by hand, 3 undone"."""
        ways = Counter(walked(one) for one in self.members)
        parts = (
            (ways[None], trn("{count} change by hand", "{count} changes by hand", ways[None])),
            (ways["undo"], trn("{count} undone", "{count} undone", ways["undo"])),
            (ways["redo"], trn("{count} redone", "{count} redone", ways["redo"])),
        )
        return ", ".join(words for count, words in parts if count)


Listed: TypeAlias = Iteration | VersionGroup


def grouped(
    listed: Sequence[Iteration], names: Mapping[IterationId, str], head: IterationId | None
) -> tuple[Listed, ...]:
    """Versions (newest first) with consecutive changes by hand in groups.

    Not grouped are versions made by a run, a file, a restore or a branch, the first version, named ones (`names`), and
    those with several children; the current one (`head`) is never inside a group below another version."""
    children = Counter(one.parent for one in listed)
    found: list[Listed] = []
    run: list[Iteration] = []
    for one in listed:
        by_hand = one.parent is not None and not names.get(one.id) and _by_hand(one)
        if run and by_hand and run[-1].parent == one.id and children[one.id] == 1 and one.id != head:
            run.append(one)
            continue
        found += _closed(run)
        run = [one] if by_hand else []
        if not by_hand:
            found.append(one)
    return (*found, *_closed(run))


def _by_hand(one: Iteration) -> bool:
    return author_of(one) == "you" and (one.source == "edit" or walked(one) is not None)


def _closed(run: Sequence[Iteration]) -> Sequence[Listed]:
    return (VersionGroup(tuple(run)),) if len(run) >= FEWEST else run
