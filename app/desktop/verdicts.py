"""What a person decided on rows of a plan, as later plans of the project are told of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Literal, NamedTuple, TypeAlias

from agent.plan.plan import Inputs, Step
from app.desktop.reviewing import Proposal

Deed: TypeAlias = Literal["rejected", "changed"]
OnVerdict: TypeAlias = Callable[[str, Step, Deed, str, Inputs | None], object]
"""Takes the request, the row as it was proposed, the deed, its reason, and the inputs that it was changed to."""


class Judged(NamedTuple):
    """The arguments of an `OnVerdict`."""

    request: str
    step: Step
    deed: Deed
    reason: str
    changed_to: Inputs | None


def verdicts(proposal: Proposal) -> Iterator[Judged]:
    """All decisions of a person on a plan."""
    plan = proposal.plan
    for step, gone in proposal.rejections.items():
        yield Judged(plan.request, plan.step(step), "rejected", gone.reason, None)
    for step, change in proposal.changes.items():
        yield Judged(plan.request, plan.step(step), "changed", change.reason, dict(change.inputs))


def asked_again(proposal: Proposal, steps: Collection[str], wish: str) -> Iterator[Judged]:
    """What asking for rows again says of them: they were decided on, or were not what the person wished."""
    decided = [one for one in verdicts(proposal) if one.step.id in steps]
    for one in decided:
        yield one._replace(reason=one.reason or wish)
    told = {one.step.id for one in decided}
    for step in proposal.plan.steps:
        if wish and step.id in steps and step.id not in told:
            yield Judged(proposal.plan.request, step, "rejected", wish, None)
