"""Asking a model for other inputs of a row that failed: a proposal, which a person approves like any other change."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import aclosing
from types import MappingProxyType

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from agent.conversation.messages import UserTurn
from agent.message import msg
from agent.model_planner.prompt.data_block import data_block
from agent.model_planner.prompt.offered_schema import tool_offers
from agent.model_planner.reading.json_finding import MAX_TEXT
from agent.plan.document import Plan
from agent.plan.errors import PlanError
from agent.plan.plan import Inputs, Json, Step
from agent.plan.tool import ToolSpec
from agent.providers.errors import ProviderError
from agent.providers.provider import Finish, Finished, OutputForm, Provider, Query, Reply, Usage
from agent.review.check import check
from agent.services.registry import Registry
from agent.services.service import Call, Origin, foreseen
from agent.session.worker import one_line
from agent.song.locks import describe
from agent.song.song import Song

_LANGUAGE = re.compile(r"[a-zA-Z]{0,20}[ \t\r]{0,20}")
_FIX = "try the row again as it is, edit it by hand, or skip it"
_UNENDED: Mapping[Finish, str] = MappingProxyType({
    "tools": "it called a tool, and none was offered", "length": "it was cut at its limit of length",
    "context": "the model's window is full", "paused": "the model paused",
})


class Repair(Struct, frozen=True):
    """Proposed inputs for the row `step`, valid for its tool, and the model usage of the proposal; nothing was carried
    out."""

    step: str
    inputs: Inputs
    usage: Usage


async def propose_repair(
    provider: Provider, prompt: str, plan: Plan, step_id: str, reason: str, song: Song, registry: Registry
) -> Repair:
    """Ask the model once for inputs with which the row `step_id`, which failed for `reason`, would do what it was meant
    for; `prompt` is the system prompt. Nothing is carried out.

    Raises `ProviderError` if there is no complete answer, and `PlanError` for a row with a goal, and for an answer that
    is no set of inputs, does not fit the tool, or changes nothing.
    """
    step = plan.step(step_id)
    if step.by == "model":
        raise PlanError(
            msg("row {step_id} has no inputs to repair", step_id=step_id), why=msg("it is left to a model"),
            fix=msg("try it again"),
        )
    tool = registry.tools[step.tool]
    question = _question(plan, step, tool, reason, song, registry)
    [offer] = tool_offers((tool,))
    query = Query(prompt, (UserTurn(question),), form=OutputForm(f"inputs_of_{offer.name}"[:64], offer.schema))
    reply = await _whole(provider, query)
    inputs = inputs_in(reply.text, step_id)
    _refuse_unfit(plan, replace(step, inputs=inputs), registry.tools)
    if inputs == step.inputs:
        raise PlanError(msg("the model has no other inputs for row {step_id}", step_id=step_id), fix=_FIX)
    return Repair(step_id, inputs, reply.usage)


async def _whole(provider: Provider, query: Query) -> Reply:
    async with aclosing(provider.reply(query)) as stream:  # type: ignore[type-var]
        async for event in stream:
            if isinstance(event, Finished):
                reply = event.reply
                if reply.finish == "refused":
                    why = one_line(reply.text) or msg("without a word")
                    raise ProviderError("refused", msg("the model refused"), why=why, fix=_FIX)
                if reply.finish != "end":
                    why = _UNENDED[reply.finish]
                    raise ProviderError("cut_off", msg("the model's answer is not whole"), why=why, fix=_FIX)
                return reply
    raise ProviderError("cut_off", msg("{provider} gave no whole reply", provider=provider.name), fix=_FIX)


def _question(plan: Plan, step: Step, tool: ToolSpec, reason: str, song: Song, registry: Registry) -> str:
    """All that the model is told: foreign words as data."""
    earlier = plan.steps[: plan.steps.index(step)]
    parts = {
        "request": plan.request,
        "row": {"id": step.id, "title": step.title, "why": step.why, "tool": step.tool, "inputs": step.inputs},
        "failed_because": reason,
        "tool": {"about": tool.about, "schema": tool.inputs},
        "earlier_rows": [{"id": row.id, "tool": row.tool, "title": row.title} for row in earlier],
        "locked": [describe(lock, song) for lock in plan.locks],
        "song": _view(song, registry),
    }
    told = "\n".join(data_block(name, msgspec.json.encode(value).decode()) for name, value in parts.items())
    return f"{told}\n\nAnswer with the repaired inputs of this row as one JSON object, and nothing else."


def _view(song: Song, registry: Registry) -> Json:
    call = Call("get_song", {}, song, Origin("", "repair"))
    return foreseen(registry.owner("get_song"), call).result if "get_song" in registry.tools else None


def inputs_in(text: str, step_id: str) -> Inputs:
    """The JSON object in an answer, with or without a code fence. Raises `PlanError`, which names the row `step_id`,
    for any other answer, and for one longer than a plan may be."""
    if len(text) > MAX_TEXT:
        raise PlanError(
            msg("the model's inputs for row {step_id} are too long", step_id=step_id),
            why=msg("{count:,} characters", count=len(text)), fix=_FIX,
        )
    try:
        found: Json = msgspec.json.decode(_unfenced(text))
    except (msgspec.DecodeError, RecursionError, ValueError):
        found = None
    if not isinstance(found, dict):
        said = one_line(text, 120) or msg("it said nothing")
        raise PlanError(msg("the model's inputs for row {step_id} cannot be read", step_id=step_id), why=said, fix=_FIX)
    return found


def _unfenced(text: str) -> str:
    """What stands in the first fence of the text, or the text."""
    _, _, fenced = text.partition("```")
    language, _, rest = fenced.partition("\n")
    inside, end, _ = rest.partition("```")
    return inside if end and _LANGUAGE.fullmatch(language) else text


def _refuse_unfit(plan: Plan, row: Step, tools: Mapping[str, ToolSpec]) -> None:
    steps = tuple(row if one.id == row.id else one for one in plan.steps)
    for finding in check(steps, tools):
        if finding.step == row.id:
            raise PlanError(
                finding.message, why=msg("rule: {rule}, in what the model proposed", rule=finding.rule), fix=_FIX,
            )
