"""Handing on: whose line another player gets is not taken away, and who gets it comes in once."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.operations import Add, Remove, Replace
from agent.composer.understanding.tasks import Task


def handed_on(tasks: Sequence[Task], lexicon: Lexicon) -> list[Task]:
    """The tasks without removals of a part whose line another task hands to a new player, and without adding that
    player a second time."""
    found: list[Task] = []
    for task in tasks:
        heirs = [other for other in tasks if isinstance(other.operation, Replace) and other.scope == task.scope]
        kept = _left(task, heirs, lexicon)
        if kept is None:
            heir = next(other for other in heirs if _concerns(task, other, lexicon))
            at = next((number for number, one in enumerate(found) if one.operation == heir.operation), None)
            merged = structs.replace(heir, clauses=tuple(dict.fromkeys((*task.clauses, *heir.clauses))))
            tasks = [merged if one == heir else one for one in tasks]
            if at is not None:
                found[at] = merged
        else:
            found.append(kept)
    return [_now(task, tasks) for task in found]


def _now(task: Task, tasks: Sequence[Task]) -> Task:
    """A task with the clauses that came to it."""
    return next((one for one in tasks if (one.operation, one.scope) == (task.operation, task.scope)), task)


def _concerns(task: Task, heir: Task, lexicon: Lexicon) -> bool:
    gone, operation = task.operation, heir.operation
    if not isinstance(operation, Replace):
        return False
    if isinstance(gone, Add):
        return gone.wish == operation.by
    return isinstance(gone, Remove) and (
        gone.wish == operation.wish or bool(set(lexicon.meant(gone.wish)) & set(lexicon.meant(operation.wish)))
    )


def _left(task: Task, heirs: Sequence[Task], lexicon: Lexicon) -> Task | None:
    """What is left of a task beside those that hand parts on; None where that is nothing."""
    meeting = [heir for heir in heirs if _concerns(task, heir, lexicon)]
    if not meeting:
        return task
    gone = task.operation
    if not isinstance(gone, Remove):
        return None
    taken = {
        track for heir in meeting if isinstance(heir.operation, Replace) for track in lexicon.meant(heir.operation.wish)
    }
    rest = tuple(track for track in lexicon.meant(gone.wish) if track not in taken)
    if not rest or any(isinstance(one.operation, Replace) and one.operation.wish == gone.wish for one in meeting):
        return None
    return structs.replace(task, operation=Remove(structs.replace(gone.wish, tracks=rest)))
