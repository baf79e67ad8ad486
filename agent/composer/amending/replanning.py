"""Replanning: the plan of a request that a remark amends, row for row as it was wherever the remark changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct, structs

from agent.composer.amending.merging import merged, shares_a_row
from agent.composer.amending.remarks import Remarks, RevisedTasks
from agent.composer.understanding.intent import Intent
from agent.plan.document import Plan
from agent.plan.errors import PlanError
from agent.plan.plan import Ask, Clause, Draft, StepId

LEFT_OUT = "it is left out again, as you said"
"""The reason shown for a clause that the person took back."""
_LINE = "\n"
"""What stands between the request of a plan and each remark that was made on it."""


class Replanned(Struct, frozen=True):
    """A plan after a remark, the words of the remark that were not about its tasks (`rest`), and its new intent."""

    plan: Plan
    rest: str
    intent: Intent


class Replanning(Struct, frozen=True):
    """Amends plans of the composer. `write` drafts an intent for the song before the plan, and raises `PlanError` if
    nothing would change."""

    remarks: Remarks
    read: Callable[[str], Intent]
    write: Callable[[Intent], Draft]

    def amended(self, plan: Plan, words: str) -> Replanned | None:
        """The plan after a remark; None if the remark is not about its tasks, or the plan was not written from its
        request."""
        found = self._request_of(plan)
        if found is None:
            return None
        request, asked, base = found
        tasks = asked.tasks
        for line in plan.request[len(request) + 1 :].split(_LINE):
            before = self.remarks.on(line, asked, tasks) if line.strip() else None
            tasks = tasks if before is None else before.tasks
        remark = self.remarks.on(words, asked, tasks)
        if remark is None:
            return None
        try:
            old = base if tasks == asked.tasks else self.write(structs.replace(asked, tasks=tasks))
            new = self.write(structs.replace(asked, tasks=remark.tasks))
        except PlanError:
            return None
        if _told_only(new) - _told_only(old):
            # what was done cannot be done so
            return None
        told = self._told(plan, old, new, remark, len(request))
        return Replanned(told, remark.rest, structs.replace(asked, tasks=remark.tasks))

    def _request_of(self, plan: Plan) -> tuple[str, Intent, Draft] | None:
        """The request that a plan was first made of, as it is read, and its draft: all of its words, or their first
        line where the rest are remarks."""
        for request in dict.fromkeys((plan.request, plan.request.partition(_LINE)[0])):
            intent = self.read(request)
            if intent.goal != "change" or not intent.tasks:
                continue
            try:
                draft = self.write(intent)
            except PlanError:
                continue
            if shares_a_row(plan.steps, draft.steps):
                return request, intent, draft
        return None

    @staticmethod
    def _told(plan: Plan, old: Draft, new: Draft, remark: RevisedTasks, length: int) -> Plan:
        steps, ids = merged(plan.steps, old.steps, new.steps)
        present = {step.id for step in steps}
        was = {step.id: step for step in plan.steps}
        behind = len(plan.request) + 1
        fresh = tuple(step.id for step in steps if was.get(step.id) != step)
        said = Clause(remark.said, behind, behind + len(remark.said), "done", fresh)
        done = {one.start for one in old.clauses if one.steps}
        first = (_after(structs.replace(one, steps=_of(one.steps, ids, present)), done) for one in new.clauses)
        asks = (structs.replace(one, steps=_of(one.steps, ids, present)) for one in new.asks)
        own = {one.asked for one in old.asks}
        return structs.replace(
            plan, steps=tuple(steps), request=f"{plan.request}{_LINE}{remark.said}", hash="", lint=(),
            clauses=(*first, *(one for one in plan.clauses if one.start > length), said),
            understood=(*new.understood, *(one for one in plan.understood if one not in old.understood)),
            ignored=new.ignored, asks=(*asks, *_others(plan.asks, own)),
        )


def _told_only(draft: Draft) -> set[int]:
    """Where the clauses begin of which nothing is done."""
    return {one.start for one in draft.clauses if one.outcome == "told" and not one.steps}


def _after(clause: Clause, done: set[int]) -> Clause:
    """A clause after the remark: one whose rows are all gone is done no more."""
    if clause.steps or clause.start not in done:
        return clause
    return structs.replace(clause, outcome="told", reason=LEFT_OUT)


def _of(rows: Sequence[StepId], ids: dict[StepId, StepId], present: set[StepId]) -> tuple[StepId, ...]:
    return tuple(ids[row] for row in rows if ids.get(row) in present)


def _others(asks: Sequence[Ask], own: set[str]) -> tuple[Ask, ...]:
    """What was asked for beside the request itself."""
    return tuple(ask for ask in asks if ask.asked not in own)

