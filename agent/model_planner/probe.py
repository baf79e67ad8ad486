"""Finding out whether a model can plan at all: a tiny plan is asked for and checked."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

from msgspec import Struct

from agent.errors import BandleaderError
from agent.model_planner.making import desk_for
from agent.model_planner.prompt.context import request_turn
from agent.model_planner.prompt.prompts import Prompts
from agent.model_planner.rounds.account import unpriced
from agent.model_planner.rounds.asking import AnswerLoop
from agent.model_planner.rounds.judging import judge
from agent.model_planner.rounds.limits import PlanningLimits
from agent.model_planner.rounds.model_planning import ModelPlanning
from agent.plan.plan import Draft
from agent.plan.planning import Brief, Countdown, Thinking
from agent.plan.request import RequestText
from agent.providers.errors import ProviderError
from agent.providers.provider import Provider, Usage
from agent.services.registry import Registry
from agent.song.palette import Palette
from agent.song.song import Song

_SIZE = 1_500
_NOTES = 4


class ProbeResult(Struct, frozen=True):
    """Whether the model can plan, the findings as sentences, and the tokens used."""

    ok: bool
    findings: tuple[str, ...]
    usage: Usage


async def can_plan(
    provider: Provider, prompts: Prompts, palette: Palette, registry: Registry, limits: PlanningLimits | None = None
) -> ProbeResult:
    """Ask the model for a tiny plan, a track with a clip of four notes, and check the answer.

    A bad answer is reported in the result. Raises `ProviderError` if the model cannot be called.
    """
    brief = Brief(RequestText(prompts.filled("probe")), Song(), palette, tuple(registry.tools.values()), 0)
    desk = await asyncio.to_thread(desk_for, brief, provider, prompts, registry, limits or PlanningLimits(), unpriced)
    turn = await asyncio.to_thread(request_turn, brief, prompts, desk.window - desk.fixed - _SIZE)
    asking = AnswerLoop(desk, (turn,), _SIZE)
    findings: list[str] = []
    try:
        async with aclosing(asking.events()) as events:
            async for event in events:
                if isinstance(event, Thinking):
                    findings.append(event.text)
                elif isinstance(event, Countdown):
                    findings.append(event.reason)
    except ProviderError:
        raise
    except BandleaderError as problem:
        return ProbeResult(False, (*dict.fromkeys(findings), str(problem), problem.advice), desk.account.usage)
    if asking.draft is None:
        return ProbeResult(False, (*findings, "it asks back where the task is plain"), desk.account.usage)
    wrong = await asyncio.to_thread(_wrong, asking.draft, desk)
    said = tuple(dict.fromkeys((*findings, *asking.draft.normalised, *wrong)))
    return ProbeResult(not wrong, said, desk.account.usage)


def _wrong(draft: Draft, desk: ModelPlanning) -> list[str]:
    """What keeps the answer from being the plan that was asked for."""
    wrong = [mark.line.removeprefix("- ") for mark in judge(draft, desk.brief, desk.registry).marks if mark.error]
    tools = [step.tool for step in draft.steps]
    if "create_track" not in tools:
        wrong.append("it made no track")
    notes = sum(len(step.inputs.get("notes", ())) for step in draft.steps if step.tool == "create_midi_clip")
    if notes < _NOTES:
        wrong.append(f"it wrote {notes} notes instead of {_NOTES}")
    return wrong
