"""Limits beside an order: "only snare and toms" behind a drum fill limits the fill, and never the whole song."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import structs

from agent.composer.understanding.items import Item
from agent.composer.understanding.operations import Add, Double, Remove, Replace, Reshape, Solo
from agent.composer.understanding.pieces import Piece
from agent.composer.understanding.tasks import Bars, Operation, Scope, Task
from agent.composer.understanding.wishes import Wish

BESIDE = "limit_beside"
"""The name of the reading for a limit that belongs to another operation."""
CANNOT = "I cannot do that yet"
APART = "I cannot keep one thing of a place apart yet"
UNCLEAR = "that limits what is said before it, and I cannot limit it so yet"


def of_kit(operation: Operation) -> bool:
    """Whether an operation concerns a whole drum kit."""
    wish = getattr(operation, "wish", None)
    return operation.of_kit or (isinstance(wish, Wish) and not wish.pieces and wish.role == "drums")


def limits(operation: Operation, items: Sequence[Item], limiting: Collection[str]) -> bool:
    """Whether an operation that removes something is asked for by a limiting word ("only") alone, without a verb such
    as "take out"."""
    if not isinstance(operation, Solo | Remove):
        return False
    return any(item.kind == "word" and item.text in limiting for item in (*items[:1], *items[-1:]))


def pieces_of(operation: Operation) -> tuple[Wish, ...]:
    """The drums that a limit names; empty if it names anything else."""
    wishes = operation.wishes if isinstance(operation, Solo) else (getattr(operation, "wish", None),)
    named = [wish for wish in wishes if isinstance(wish, Wish)]
    return tuple(named) if all(wish.pieces for wish in named) else ()


def host_of(
    operation: Operation, tasks: Sequence[Task], pieces: Sequence[Piece], piece: Piece
) -> Task | None:
    """The task that a limit belongs to: one made from the same sentence as the fragment `piece` (of `pieces`), or for
    drums the last one that brings them in; None if there is none. "Add drums, only snare and toms": the adding."""
    kit = bool(pieces_of(operation))
    for task in reversed(tasks):
        sentence = max((pieces[number].sentence for number in task.clauses), default=-1)
        near = sentence == piece.sentence
        brought = kit and sentence == piece.sentence - 1 and _brings(task.operation)
        if isinstance(task.operation, Solo | Remove) or not (near or brought):
            continue
        if (kit and of_kit(task.operation)) or (near and _brings(task.operation)):
            return task
    return None


def _brings(operation: Operation) -> bool:
    """Whether something is written or comes in that was not there."""
    return isinstance(operation, Add | Double | Replace) or operation.of_entrance or operation.of_kit


def specifies(operation: Operation, vague: Task) -> bool:
    """Whether an operation only says how the task `vague` right before it is meant: "simpler, with fewer notes"."""
    before = vague.operation
    simpler = operation.says_how and isinstance(before, Reshape) and before.how == "simplify"
    return simpler or operation.specifies(before)


def limited_by(task: Task, operation: Operation) -> Task | None:
    """The task that inserts bars, with only the operation's parts playing in them ("4 bars up front, just drums"); None
    if it does not apply."""
    limited = task.operation.limited_to(operation.wishes) if isinstance(operation, Solo) else None
    return structs.replace(task, operation=limited) if limited is not None else None


def in_place_of(vague: Task, how: Task) -> Task:
    """The more precise task `how` in place of the `vague` one before it, with its part and place; if both name a place,
    from the one to the other: "closed at bar 17, fully open by bar 24"."""
    wish, named = getattr(how.operation, "wish", None), getattr(vague.operation, "wish", None)
    operation = structs.replace(how.operation, wish=wish or named) if wish or named else how.operation
    clauses = tuple(dict.fromkeys((*vague.clauses, *how.clauses)))
    return structs.replace(how, operation=operation, scope=_over_both(vague.scope, how.scope), clauses=clauses)


def _over_both(vague: Scope, how: Scope) -> Scope:
    first, last = vague.places[:1], how.places[:1]
    if not (first and last and first != last):
        return vague if first or vague.excluded else how
    begin, end = first[0], last[0]
    if isinstance(begin, Bars) and isinstance(end, Bars) and begin.first <= end.last:
        return Scope((Bars(begin.first, end.last),))
    return vague
