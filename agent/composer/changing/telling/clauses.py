"""Clauses: what became of every part of a request, with the rows that serve it or the reason why there are none."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from agent.composer.changing.changed import Changed
from agent.composer.changing.operations.catalogue import catalogue
from agent.composer.understanding import clause as read
from agent.composer.understanding.intent import Intent
from agent.plan.plan import Clause, StepId


def clauses_of(intent: Intent, changed: Changed, cleared: tuple[StepId, ...] = ()) -> tuple[Clause, ...]:
    """The clauses of a request after its tasks were tried on the song, in their order.

    `cleared` are the rows that take the song away for another piece: they belong to the clause that asks for one.
    """
    told = [_clause(one, intent, changed) for one in intent.clauses]
    asks = next((at for at, one in enumerate(told) if one.outcome == "done"), None)
    if cleared and asks is not None:
        told[asks] = replace(told[asks], steps=(*cleared, *told[asks].steps))
    return tuple(told)


def _clause(one: read.Clause, intent: Intent, changed: Changed) -> Clause:
    if one.outcome == "told":
        return Clause(one.text, one.start, one.end, "told", reason=one.reason)
    tasks = [number for number, task in enumerate(intent.tasks) if one.number in task.clauses]
    steps: list[StepId] = [step for number in tasks for step in changed.serving.get(number, ())]
    reasons = [changed.blocked[number] for number in tasks if number in changed.blocked]
    return Clause(
        one.text, one.start, one.end, "done" if steps or not reasons else "told", tuple(dict.fromkeys(steps)),
        "; ".join(dict.fromkeys(reasons)), _removes(intent, tasks), _thins(intent, tasks),
    )


def _removes(intent: Intent, tasks: Sequence[int]) -> bool:
    operations = [intent.tasks[number].operation for number in tasks]
    return intent.goal == "replace" or any(catalogue().of(one).removes(one) for one in operations)


def _thins(intent: Intent, tasks: Sequence[int]) -> bool:
    operations = [intent.tasks[number].operation for number in tasks]
    return any(catalogue().of(one).thins(one) for one in operations)
