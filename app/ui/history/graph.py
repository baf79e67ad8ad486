"""Where the version tree's nodes and lines stand, without Qt."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent.song.ids import IterationId
from app.storage.records import Iteration


class GraphRow(Struct, frozen=True):
    """One row of the version tree. Lanes count from 0, which is the lane of the current version.

    `through` are lanes whose line passes the row, `joins` lanes whose line ends in this node from above; `above` and
    `below` say whether the node's own lane has a line there."""

    lane: int
    through: tuple[int, ...] = ()
    joins: tuple[int, ...] = ()
    above: bool = False
    below: bool = False

    @property
    def lanes(self) -> int:
        """How many lanes the row is wide."""
        return max((self.lane, *self.through, *self.joins)) + 1


def places(iterations: Sequence[Iteration], head: IterationId | None) -> tuple[GraphRow, ...]:
    """The place in the tree of each iteration, newest first. `head` is the current iteration; the line to a parent that
    is not listed ends."""
    known = {one.id for one in iterations}
    waiting: list[IterationId | None] = [head if head in known else None]
    begun = [False]
    found = []
    for one in iterations:
        mine = [lane for lane, wanted in enumerate(waiting) if wanted == one.id]
        lane = mine[0] if mine else _free(waiting, begun)
        above = bool(mine) and begun[lane]
        joins = tuple(mine[1:])
        for other in joins:
            waiting[other], begun[other] = None, False
        parent = one.parent if one.parent in known else None
        waiting[lane], begun[lane] = parent, parent is not None
        through = tuple(
            other for other, wanted in enumerate(waiting) if other != lane and wanted is not None and begun[other]
        )
        found.append(GraphRow(lane, through, joins, above, parent is not None))
    return tuple(found)


def branches(iterations: Sequence[Iteration]) -> int:
    """How many iterations have no child: 1 for a history without branches."""
    parents = {one.parent for one in iterations}
    return sum(one.id not in parents for one in iterations)


def _free(waiting: list[IterationId | None], begun: list[bool]) -> int:
    for lane in range(1, len(waiting)):
        if waiting[lane] is None:
            return lane
    waiting.append(None)
    begun.append(False)
    return len(waiting) - 1
