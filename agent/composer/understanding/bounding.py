"""Bounding: limits of length and of pitch that belong to a place or to an order beside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import structs

from agent.composer.understanding.items import PlaceRef
from agent.composer.understanding.operations import Double, Resize, Transpose
from agent.composer.understanding.tasks import Edge, Operation, Scope, Task
from agent.composer.understanding.wishes import same


def opening_of(operation: Operation, scope: Scope, only: bool) -> tuple[Operation, Scope]:
    """A maximum length that applies to the beginning only ("just the beginning, a minute at most") as an operation that
    leaves only that much of the song, with its scope; otherwise the operation and scope unchanged.

    `only` says whether nothing else is meant.
    """
    begins = len(scope.places) == 1 and isinstance(scope.places[0], Edge) and scope.places[0].at == "start"
    if not (only and begins and not scope.excluded and isinstance(operation, Resize) and operation.most):
        return operation, scope
    return structs.replace(operation, opening=True), Scope()


def cut_refs(refs: Sequence[PlaceRef]) -> list[PlaceRef]:
    """The places to cut, without places that the request then names as all that remains: "cut the break, i.e. just A
    and B"."""
    left = next((at for at, ref in enumerate(refs) if ref.narrowed), 0)
    return list(refs[:left] if left else refs)


def bounded(tasks: Sequence[Task]) -> list[Task]:
    """The tasks, with a pitch limit merged into a transposition of the same part right before it: "an octave down, but
    nothing below E1"."""
    found: list[Task] = []
    for task in tasks:
        limited = _limited(found[-1], task) if found else None
        if limited is None:
            found.append(task)
        else:
            found[-1] = limited
    return found


def set_apart(tasks: Sequence[Task], for_all: Callable[[Task], bool]) -> list[Task]:
    """The tasks, with an interval that names no part merged into the doubling right before it ("a cello could double
    the bass, an octave higher would be lovely"), unless `for_all` says that the task means all parts."""
    found: list[Task] = []
    for task in tasks:
        doubled, moved = found[-1].operation if found else None, task.operation
        if (
            isinstance(doubled, Double) and not doubled.semitones and isinstance(moved, Transpose)
            and moved.wish is None and task.scope.whole and not for_all(task)
        ):
            clauses = tuple(dict.fromkeys((*found[-1].clauses, *task.clauses)))
            operation = structs.replace(doubled, semitones=moved.semitones)
            found[-1] = structs.replace(found[-1], operation=operation, clauses=clauses)
        else:
            found.append(task)
    return found


def _limited(moved: Task, limit: Task) -> Task | None:
    """A transposition with the limit that is said of its part; None where they are about two things."""
    operation, bounds = moved.operation, limit.operation.bounds
    if bounds is None or not isinstance(operation, Transpose):
        return None
    if not limit.scope.whole and moved.scope != limit.scope:
        return None
    if operation.wish is None or not same(operation.wish, getattr(limit.operation, "wish", None)):
        return None
    clauses = tuple(dict.fromkeys((*moved.clauses, *limit.clauses)))
    return structs.replace(moved, operation=structs.replace(operation, low=bounds[0], high=bounds[1]), clauses=clauses)
