"""Putting rows that were planned anew into the plan that they belong to; every other row stays as it is."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from agent.message import msg
from agent.model_planner.rounds.errors import NoPlan
from agent.model_planner.rounds.merging import renamed
from agent.plan.plan import Draft, Step
from agent.plan.planning import Revision


def revised(revision: Revision, answer: Draft) -> Draft:
    """The plan with the wanted rows replaced by those of the answer: ids, order and all other rows are kept.

    Rows are matched by id; rows with unknown ids are taken for unanswered ones in order, and what is left over is
    dropped and reported. Raises `NoPlan` if no wanted row was answered.
    """
    plan, wanted = revision.plan, revision.steps
    named = {step.id: step for step in answer.steps if step.id in wanted}
    others = [step for step in answer.steps if step.id not in wanted]
    known = {step.id for step in plan.steps}
    open_ids = [step_id for step_id in wanted if step_id not in named]
    strangers = [step for step in others if step.id not in known]
    names = {step.id: step_id for step, step_id in zip(strangers, open_ids, strict=False)}
    rows = {step.id: step for step in renamed([*named.values(), *(s for s in strangers if s.id in names)], names)}
    if not rows:
        raise NoPlan(msg("the model answered other rows than the ones that were asked for"), fix=msg("ask again"))
    missing = [step_id for step_id in wanted if step_id not in rows]
    notes = [f"row {step_id} was not planned anew, so it stays" for step_id in missing]
    notes += [f"row {step.id} was not asked for and was left out" for step in others if step.id not in names]
    steps = tuple(_in_place(step, rows[step.id]) if step.id in rows else step for step in plan.steps)
    return Draft(
        steps, answer.analysis or plan.analysis, answer.musical_reasoning or plan.musical_reasoning,
        plan.understood, plan.ignored, plan.asks, (*plan.normalised, *answer.normalised, *notes),
    )


def completed(before: Draft, after: Draft, named: Collection[str]) -> Draft:
    """The corrected plan, with rows restored that the model left out and that had no faults; rows in `named` may be
    dropped.

    Otherwise a model that answers with only the corrected rows would lose the plan.
    """
    answered = {step.id for step in after.steps}
    lost = [step for step in before.steps if step.id not in answered and step.id not in named]
    if not lost or len(after.steps) >= len(before.steps) - len(named):
        return after
    new = {step.id: step for step in after.steps}
    steps: list[Step] = []
    for step in before.steps:
        if step.id in new:
            steps.append(new.pop(step.id))
        elif step.id not in named:
            steps.append(step)
    said = f"{len(lost)} rows that the model left out when it mended its plan stand as before"
    return replace(after, steps=(*steps, *new.values()), normalised=(*after.normalised, said),
                   asks=after.asks or before.asks)


def wanted_rows(revision: Revision) -> tuple[Step, ...]:
    """The rows that should be planned anew. Raises `PlanError` for one that the plan lacks."""
    return tuple(revision.plan.step(step_id) for step_id in revision.steps)


def _in_place(old: Step, new: Step) -> Step:
    """The new row where the old one stood: its group stays unless another is given."""
    return new if new.group else replace(new, group=old.group)


def rows_of(steps: Sequence[Step], ids: Collection[str]) -> tuple[Step, ...]:
    """The rows with these ids, in their order."""
    return tuple(step for step in steps if step.id in ids)
