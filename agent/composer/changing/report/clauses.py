"""Clauses: what became of every part of a request, with the rows that serve it or the reason why there are none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from agent.composer.changing.changed import Changed
from agent.composer.changing.operations.catalogue import catalogue
from agent.composer.understanding import clause as read
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.ownership import CANNOT, quoted
from agent.plan.plan import Clause, StepId

_STAYS = "nothing in this plan touches it"
"""What is told of a clause that only wants something to stay."""
_BUT_ASKED = "nothing else in this plan touches it"
"""The same where the request itself asks for another mix."""


def clauses_of(intent: Intent, changed: Changed, cleared: tuple[StepId, ...] = ()) -> tuple[Clause, ...]:
    """The outcome of each clause of the request after its tasks were tried, in order of the text; no two clauses
    overlap.

    A clause that was not understood completely or could not be done has the outcome "told", a reason, and the rows for
    the rest of it. `cleared` are the rows that delete the old song before a new piece.
    """
    whole = [one for one in intent.clauses if one.outcome != "told"]
    told = [one for one in intent.clauses if one.outcome == "told"]
    apart = (one for one in told if not any(_within(one, other) for other in whole))
    done = [_clause(one, [left for left in told if _within(left, one)], intent, changed) for one in whole]
    if cleared and done:
        done[0] = replace(done[0], steps=(*cleared, *done[0].steps))
    done += (Clause(one.text, one.start, one.end, "told", reason=one.reason) for one in apart)
    return tuple(sorted(done, key=lambda one: one.start))


def _clause(one: read.ReadClause, left: Sequence[read.ReadClause], intent: Intent, changed: Changed) -> Clause:
    """A clause of which something was understood, and all but what is `left`."""
    tasks = [number for number, task in enumerate(intent.tasks) if one.number in task.clauses]
    steps = tuple(dict.fromkeys(step for number in tasks for step in changed.serving.get(number, ())))
    reasons = [*_missing(left), *(changed.blocked[number] for number in tasks if number in changed.blocked)]
    if one.outcome == "limit" and intent.goal == "change" and not (reasons or steps):
        mixed = "mix" in intent.kept_aspects and any(task.operation.of_mix for task in intent.tasks)
        return Clause(one.text, one.start, one.end, "done", reason=_BUT_ASKED if mixed else _STAYS)
    if reasons and steps:
        reasons.append("the rest is done")
    return Clause(
        one.text, one.start, one.end, "told" if reasons else "done", steps, "; ".join(dict.fromkeys(reasons)),
        _removes(intent, tasks), _thins(intent, tasks),
    )


def _missing(left: Sequence[read.ReadClause]) -> Iterator[str]:
    """Why the words that are left over of a clause are told."""
    bare = [one.text for one in left if one.reason == CANNOT]
    if bare:
        yield f"nothing comes of {quoted(bare)} yet"
    yield from (one.reason for one in left if one.reason != CANNOT)


def _within(inner: read.ReadClause, outer: read.ReadClause) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _removes(intent: Intent, tasks: Sequence[int]) -> bool:
    operations = [intent.tasks[number].operation for number in tasks]
    return intent.goal == "replace" or any(catalogue().of(one).removes(one) for one in operations)


def _thins(intent: Intent, tasks: Sequence[int]) -> bool:
    operations = [intent.tasks[number].operation for number in tasks]
    return intent.goal == "replace" or any(catalogue().of(one).asks_for_fewer(one) for one in operations)
