"""Finishing tasks: which clauses of a new piece ask for what is done to it once it is there."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from agent.composer.understanding.clause import ReadClause
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.operations import Remove
from agent.composer.understanding.orders import Orders
from agent.composer.understanding.tasks import Task
from agent.composer.understanding.wishes import Wish


def numbered(one: ReadClause, orders: Orders, finishing: Sequence[Task]) -> ReadClause:
    """A new piece's clause; with the number of the first of the tasks `finishing` whose words overlap it. Those tasks
    are done once the piece is written ("transpose it up a tone")."""
    numbers = {number for task in finishing for number in task.clauses}
    asked = (other for other in orders.clauses if other.number in numbers and other.outcome != "told")
    met = next((other.number for other in asked if other.first < one.last and one.first < other.last), -1)
    return one if one.outcome == "told" or met < 0 else structs.replace(one, number=met)


def within(task: Task, orders: Orders, tokens: frozenset[int]) -> bool:
    """Whether any of the task's words are among `tokens` (indices), which say how the piece is written from the
    start."""
    asked = [clause for clause in orders.clauses if clause.number in task.clauses]
    return any(tokens & set(range(clause.first, clause.last)) for clause in asked)


def places_itself(task: Task, orders: Orders) -> bool:
    """Whether the clause that removes a part has words beside the part's name, as it then says where: "no drums in the
    intro"."""
    wish = getattr(task.operation, "wish", None)
    asked = [clause for clause in orders.clauses if clause.number in task.clauses]
    least = len(wish.label.split()) + 1 if isinstance(wish, Wish) else 1
    return any(clause.last - clause.first > least for clause in asked)


def without_pieces(intent: Intent) -> Intent:
    """The intent of a new piece, with a task for each single drum that the request refuses ("no cowbell") and no task
    removes yet; it is removed from the finished kit."""
    limits = [task.operation for task in intent.tasks if task.scope.whole]
    gone = [one.wish for one in limits if isinstance(one, Remove)]
    gone += [wish for one in limits if getattr(one, "without", False) for wish in getattr(one, "pieces", ())]
    left = [wish for wish in intent.refused if wish.pieces and wish not in gone]
    more = tuple(Task(Remove(wish), words=wish.label) for wish in left) if intent.goal != "change" else ()
    return structs.replace(intent, tasks=(*intent.tasks, *more)) if more else intent
