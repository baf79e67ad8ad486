"""Keys of what runs store: one number that holds the run's number and the place within it.

What a run stores comes last in its table then, where SQLite fills page after page. Keys of several values are kept in
an order that has pages balanced with every few rows, and a page more costs as much as all else of a small step.
"""

from __future__ import annotations

from agent.message import msg
from app.storage.errors import StorageError

EVENT_BITS = 32
PLACE_BITS = ITEM_BITS = 20
RUN_SHIFT = PLACE_BITS + ITEM_BITS
"""Of a step's key: the run's number, the row's place in the plan, the item plus one."""
ITEM_MASK = PLACE_MASK = (1 << ITEM_BITS) - 1
EVENT_MASK = (1 << EVENT_BITS) - 1


def step_key(run: int, place: int, item: int) -> int:
    """The key of a row (item -1) or an item of it; `run` is the run's number, `place` the row's index in the plan.
    Raises `StorageError` for a place or item that cannot be."""
    if not (0 <= place <= PLACE_MASK and -1 <= item < ITEM_MASK):
        raise StorageError(
            msg("a row cannot be at place {place}, item {item}", place=place, item=item), fix=msg("nothing was stored"),
        )
    return run << RUN_SHIFT | place << ITEM_BITS | item + 1


def steps_of(run: int) -> tuple[int, int]:
    """(least, greatest) key that a step of the run may have."""
    return run << RUN_SHIFT, (run + 1 << RUN_SHIFT) - 1


def events_of(run: int, after: int = 0) -> tuple[int, int]:
    """(lower, upper) bounds of the keys of a run's events with a number above `after`: the keys are above the first and
    at most the second."""
    return run << EVENT_BITS | after, run << EVENT_BITS | EVENT_MASK
