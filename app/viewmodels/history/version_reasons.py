"""What can be done with the versions that are chosen, and why not."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent.song.ids import IterationId
from app.i18n import tr
from app.storage.records import Iteration


class Reasons(Struct, frozen=True):
    """Why actions on the selected versions are disabled, empty if enabled; the tips say what they would do. `pair` is
    what would be compared, older first. `at_end`: the selected one is the end of another branch."""

    compare: str = ""
    compare_tip: str = ""
    restore: str = ""
    restore_tip: str = ""
    branch: str = ""
    branch_tip: str = ""
    pair: tuple[Iteration, Iteration] | None = None
    at_end: bool = False


def reasons(
    chosen: Sequence[Iteration], known: Sequence[Iteration], head: IterationId | None, *, running: bool
) -> Reasons:
    """Why actions on the `chosen` versions are disabled; `known` are all versions, `head` is the current one."""
    one = chosen[0] if len(chosen) == 1 else None
    pair = _pair(chosen, known, head)
    here = tr("This is the current iteration")
    held = tr("A run holds the song")
    at_end = one is not None and one.id != head and is_end(one.id, known)
    return Reasons(
        "" if pair is not None else tr("Select two iterations to compare them (Ctrl+click)"),
        tr("Show what differs between A and B") if len(chosen) == 2 else tr("Show what differs from the current one"),
        tr("Select one iteration to restore it") if one is None else here if one.id == head else held * running,
        tr("Make this iteration the newest one; nothing is lost"),
        tr("Select one iteration to go on from it") if one is None
        else tr("You are here: your next change goes on from this iteration") if one.id == head else held * running,
        tr("Go on from the end of this branch") if at_end
        else tr("Begin a new branch with this iteration"),
        pair, at_end,
    )


def is_end(wanted: IterationId, known: Sequence[Iteration]) -> bool:
    """Whether no version among `known` is a child of `wanted`."""
    return all(other.parent != wanted for other in known)


def _pair(
    chosen: Sequence[Iteration], known: Sequence[Iteration], head: IterationId | None
) -> tuple[Iteration, Iteration] | None:
    both = list(chosen)
    if len(both) == 1 and both[0].id != head:
        both += [one for one in known if one.id == head]
    if len(both) != 2:
        return None
    first, second = sorted(both, key=lambda one: one.number)
    return first, second
