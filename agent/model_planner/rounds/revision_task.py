"""The question behind "ask again": some rows of a plan that lies before the person."""

from __future__ import annotations

from functools import partial

from agent.conversation.messages import UserTurn
from agent.model_planner.prompt.budget import tokens
from agent.model_planner.prompt.data_block import data_block, inert
from agent.model_planner.prompt.plan_form import row_headings, written_rows
from agent.model_planner.rounds.model_planning import ModelPlanning
from agent.model_planner.rounds.reflecting import ModelTask
from agent.model_planner.rounds.revising import revised, wanted_rows

_OTHERS_SHARE = 0.3


def revision_task(desk: ModelPlanning, base: UserTurn, size: int) -> ModelTask | None:
    """The model task for replanning rows: `base` and the plan, the wanted rows in full and the others in full if there
    is room, otherwise as id, tool and title. `size` is the length of the answer in tokens.

    None if the brief has no revision. Raises `PlanError` for a row that the plan lacks.
    """
    revision = desk.brief.revision
    if revision is None:
        return None
    wanted = wanted_rows(revision)
    own, whole = written_rows(wanted), written_rows(revision.plan.steps)
    told = whole
    if tokens(whole) > desk.window * _OTHERS_SHARE:
        told = f"{row_headings(revision.plan.steps, len(revision.plan.steps))}\n\nThe rows in question:\n{own}"
    words = desk.prompts.filled(
        "revise", plan=data_block("plan", told), rows=", ".join(revision.steps),
        wish=inert(revision.wish) or "they did not say",
    )
    turns = (base, UserTurn(words))
    return ModelTask(turns, max(size, tokens(own) * 2), partial(revised, revision), frozenset(revision.steps))
