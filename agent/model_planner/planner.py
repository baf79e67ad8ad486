"""The planner that asks a language model: it has no means to change a song."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from functools import partial

from msgspec.structs import replace

from agent.conversation.messages import UserTurn
from agent.message import msg
from agent.model_planner.making import desk_for
from agent.model_planner.memory import AnswerMemory, memory_key
from agent.model_planner.prompt.budget import tokens
from agent.model_planner.prompt.context import request_turn
from agent.model_planner.prompt.data_block import data_block, inert
from agent.model_planner.prompt.plan_form import row_headings, written_rows
from agent.model_planner.prompt.prompts import Prompts
from agent.model_planner.rounds.account import Price, unpriced
from agent.model_planner.rounds.asking import AnswerLoop
from agent.model_planner.rounds.limits import PlanningLimits
from agent.model_planner.rounds.model_planning import ModelPlanning
from agent.model_planner.rounds.planning_parts import PlanningParts
from agent.model_planner.rounds.reflecting import ModelTask, Reflecting
from agent.model_planner.rounds.revising import revised, wanted_rows
from agent.model_planner.rounds.sizing import first_size
from agent.model_planner.rounds.splitting import RequestPart, Splitting
from agent.model_planner.rounds.stream import Stream
from agent.plan.errors import PlanError
from agent.plan.plan import Ask, Draft
from agent.plan.planning import Brief, ClarifyingQuestion, DraftReady, PlannerEvent, StepProposed, Thinking
from agent.providers.provider import Provider
from agent.services.registry import Registry


class ModelPlanner:
    """Plans with a language model: streams rows as they arrive, continues cut answers, splits large requests, has
    faulty plans corrected, and caches answers.

    `registry` has the tools with which a model may read the song. `price` gives US dollars for tokens of a model. The
    provider belongs to the caller, who closes it.
    """

    def __init__(
        self, provider: Provider, prompts: Prompts, registry: Registry, *, limits: PlanningLimits | None = None,
        price: Price = unpriced, memory: AnswerMemory | None = None,
    ) -> None:
        self._provider = provider
        self._prompts = prompts
        self._registry = registry
        self._limits = limits or PlanningLimits()
        self._price = price
        self._memory = AnswerMemory() if memory is None else memory

    @property
    def name(self) -> str:
        """The planner's name in stored iterations: "provider/model"."""
        return f"{self._provider.name}/{self._provider.model}"

    @property
    def steers(self) -> bool:
        """Whether words said while planning reach the planner; always True: they go to the model with its next turn."""
        return True

    async def plan(self, brief: Brief) -> AsyncGenerator[PlannerEvent, None]:
        """Stream the rows as the model writes them, then the whole draft; or a single question.

        Raises `PlanError` if there is no plan (`NoPlan` if the model gave none), and `ProviderError`.
        """
        key = await asyncio.to_thread(memory_key, self.name, brief, f"{self._prompts.fingerprint} {self._limits}")
        draft = None if brief.fresh else self._memory.recall(key)
        if draft is not None:
            yield Thinking("The same was asked before: this is the answer of then, at no cost. Ask again for another.")
            for step in draft.steps:
                yield StepProposed(step)
            yield DraftReady(draft)
            return
        desk = await asyncio.to_thread(
            desk_for, brief, self._provider, self._prompts, self._registry, self._limits, self._price
        )
        async with aclosing(_planned(desk)) as events:
            async for event in events:
                if isinstance(event, DraftReady) and not desk.steering.spoke:
                    self._memory.keep(key, event.draft)
                yield event


async def _planned(desk: ModelPlanning) -> Stream:
    """One planning from start to end."""
    size = first_size(desk.brief.request, desk.brief.song, desk.limits, desk.window)
    room = desk.window - desk.fixed - size
    parts: tuple[RequestPart, ...] = ()
    if desk.brief.revision is None:
        splitting = Splitting(desk)
        async with aclosing(splitting.events()) as events:
            async for event in events:
                yield event
        parts = splitting.parts
    if parts:
        frame = tokens(desk.prompts.filled("part", title="", part="", rows=""))
        room -= frame + max(tokens(part.request) for part in parts)
    base = await asyncio.to_thread(request_turn, desk.brief, desk.prompts, room)
    task = _revision_task(desk, base, size) or ModelTask((base,), size, partial(bound, request=desk.brief.request))
    work = PlanningParts(desk, base, parts) if parts else AnswerLoop(desk, task.turns, size)
    async with aclosing(work.events()) as events:
        async for event in events:
            yield event
    if work.question is not None or work.draft is None:
        yield work.question or _no_question()
        return
    rounds = work.rounds if isinstance(work, AnswerLoop) else 0
    reflecting = Reflecting(desk, task, task.whole(work.draft), rounds=rounds, heard=work.heard)
    async with aclosing(reflecting.events()) as events:
        async for event in events:
            yield event
    yield reflecting.question or DraftReady(reflecting.draft)


def _no_question() -> ClarifyingQuestion:
    raise PlanError(msg("the planner ended without a plan"))


_BPM = re.compile(r"\b(\d{2,3}(?:\.\d+)?)\s*(?:bpm|beats per minute)\b", re.IGNORECASE)
_KEY = re.compile(
    r"\b(?:in|to|into|key of)\s+(?:the key of\s+)?([A-G](?:#|b|♯|♭|[- ]sharp|[- ]flat)?)[- ](major|minor)\b",
    re.IGNORECASE,
)
_NO_DRUMS = re.compile(r"\b(?:no|without(?: any)?)\s+(?:drums|percussion|beats?)\b", re.IGNORECASE)
_SLOWEST, _FASTEST = 20, 400


def bound(draft: Draft, request: str) -> Draft:
    """The draft with asks for the figures that its request states (a tempo, a key, "no drums"); they replace the
    draft's own asks for the same measure.

    A figure stated more than once, as in "from 90 to 120 bpm", is left to the model.
    """
    stated = tuple(_stated(draft, request))
    measures = {ask.measure for ask in stated}
    return replace(draft, asks=(*stated, *(ask for ask in draft.asks if ask.measure not in measures)))


def _stated(draft: Draft, request: str) -> Iterator[Ask]:
    tempos = {float(found) for found in _BPM.findall(request)}
    if len(tempos) == 1 and _SLOWEST <= (bpm := tempos.pop()) <= _FASTEST:
        yield Ask(f"{bpm:g} BPM", _rows(draft, "set_tempo"), "tempo", "equals", bpm)
    keys = {(_tonic(tonic), mode.lower()) for tonic, mode in _KEY.findall(request)}
    if len(keys) == 1:
        key = " ".join(keys.pop())
        yield Ask(key, _rows(draft, "set_key"), "key", "equals", key)
    if _NO_DRUMS.search(request):
        yield Ask("no drums", (), "percussion_hits", "equals", 0.0)


def _tonic(written: str) -> str:
    letter, rest = written[0].upper(), written[1:].strip("- ").lower()
    return letter + {"#": "#", "♯": "#", "sharp": "#", "b": "b", "♭": "b", "flat": "b"}.get(rest, "")


def _rows(draft: Draft, tool: str) -> tuple[str, ...]:
    return tuple(step.id for step in draft.steps if step.tool == tool)


_OTHERS_SHARE = 0.3


def _revision_task(desk: ModelPlanning, base: UserTurn, size: int) -> ModelTask | None:
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
