"""A plan with a person's decisions on it, judged on one song."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from msgspec import Struct, field

from agent.plan.decision import Change, Decision, Reject
from agent.plan.document import Plan
from agent.plan.order import needed
from agent.plan.plan import Inputs, Step
from agent.review.review import Review
from agent.song.ids import RunId
from agent.song.song import Song
from app.viewmodels.plan.replan_diff import ReplanDiff
from app.viewmodels.plan.touched import Trace


class Sources:
    """Cache of the rows whose results each row takes as inputs, as finding them in the inputs of a long plan is
    slow."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Step, frozenset[str]]] = {}

    def of(self, steps: Sequence[Step]) -> dict[str, frozenset[str]]:
        """Ids of the rows whose results a row takes as inputs, by step id, in the order of `steps`. Rows that are
        unchanged since the last call are not read again."""
        found = {}
        for step in steps:
            known = self._known.get(step.id)
            found[step.id] = known[1] if known is not None and known[0] is step else needed(step)
        self._known = {step.id: (step, found[step.id]) for step in steps}
        return found


class Proposal(Struct, frozen=True, eq=False, dict=True):
    """A plan with a person's decisions on it.

    `plan` is what was proposed; `whole` is that plan with the person's changes but without rejections, so
    that a rejected row still shows what it would have done; `judged` is what would run.
    """

    plan: Plan
    whole: Review
    judged: Review
    song: Song
    """The song against which `judged` was checked."""
    changes: Mapping[str, Change] = {}
    rejections: Mapping[str, Reject] = {}
    replan_diff: ReplanDiff | None = None
    """The differences from the plan before, if some rows were asked for again; else None."""
    run: RunId | None = None
    """The queued run that waits for approval of this plan; None if there is none."""
    trace: Trace = field(default_factory=Trace)
    """Cache of what the rows of `judged` touch."""
    sources: Sources = field(default_factory=Sources)
    """Cache of which rows need which; kept from one decision to the next."""

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The person's decisions: changed inputs first, then rejections."""
        return (*self.changes.values(), *self.rejections.values())

    @property
    def approved(self) -> frozenset[str]:
        """Ids of the rows that would run."""
        return frozenset(step.id for step in self.judged.plan.steps)

    @cached_property
    def needs(self) -> dict[str, frozenset[str]]:
        """For each row, by step id, the ids of the rows whose results it takes as inputs."""
        return self.sources.of(self.plan.steps)

    @cached_property
    def blocked(self) -> dict[str, str]:
        """Ids of rows that cannot run because they need a rejected row, each with that row's id."""
        return blocked(list(self.needs), self.needs, frozenset(self.rejections)) if self.rejections else {}

    def inputs(self, step: str) -> Inputs:
        """The inputs of the row `step`, with the person's changes."""
        return self.whole.plan.step(step).inputs

    @property
    def ghost(self) -> Song | None:
        """The song as the plan would make it; None if the plan cannot be previewed."""
        return None if self.judged.preview is None else self.judged.preview.song


def blocked(order: Sequence[str], needs: Mapping[str, frozenset[str]], rejected: frozenset[str]) -> dict[str, str]:
    """Ids of rows that cannot run because they need a rejected row, directly or through others, each with that row's id
    (the first in `order`).

    `needs` are the ids of the rows that each row needs."""
    users: dict[str, list[str]] = {}
    for step, sources in needs.items():
        for source in sources:
            users.setdefault(source, []).append(step)
    fallen: dict[str, str] = {}
    for root in order:
        frontier = [root] if root in rejected else []
        while frontier:
            for user in users.get(frontier.pop(), ()):
                if user not in fallen and user not in rejected:
                    fallen[user] = root
                    frontier.append(user)
    return fallen
