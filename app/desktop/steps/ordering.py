"""Where a row of a plan may stand: it can go anywhere but across a row that it needs, or one that needs it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from agent.plan.order import needed
from agent.plan.plan import Step
from app.words import tr


def moved(steps: Sequence[Step], step: str, beside: str, *, below: bool) -> tuple[Step, ...]:
    """The rows with one of them right above or below another, under whose heading it stands then.

    Raises KeyError for rows that are not there.
    """
    places = {one.id: at for at, one in enumerate(steps)}
    row, other = steps[places[step]], steps[places[beside]]
    if row is other:
        return tuple(steps)
    left = [one for one in steps if one is not row]
    at = left.index(other) + below
    return (*left[:at], row if row.group == other.group else replace(row, group=other.group), *left[at:])


def obstacle(steps: Sequence[Step], step: str, beside: str, *, below: bool) -> str:
    """Why a row cannot stand there, in words; empty where it can."""
    numbers = {one.id: number for number, one in enumerate(steps, 1)}
    if step not in numbers or beside not in numbers:
        return tr("This step is not in the plan any more.")
    order = [one.id for one in moved(steps, step, beside, below=below)]
    now, then = numbers[step] - 1, order.index(step)
    crossed = steps[now + 1:then + 1] if then > now else steps[then:now]
    row = steps[now]
    for one in crossed:
        first, second = (one, row) if then < now else (row, one)
        if first.id in needed(second) or second.id in needed(first):
            later, earlier = (second, first) if first.id in needed(second) else (first, second)
            return tr("Step {later} needs step {earlier}, so they keep their order.", later=numbers[later.id],
                      earlier=numbers[earlier.id])
    return ""
