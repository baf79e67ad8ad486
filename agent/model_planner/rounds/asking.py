"""Asking until the answer can be read: each answer that cannot goes back with what is wrong with it."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

from msgspec.structs import replace

from agent.conversation.messages import ModelTurn, Turn, UserTurn
from agent.message import msg
from agent.model_planner.prompt.budget import first_words
from agent.model_planner.prompt.data_block import inert
from agent.model_planner.reading.answered import UnreadableAnswer
from agent.model_planner.rounds.drafting import Drafting
from agent.model_planner.rounds.errors import NoPlan
from agent.model_planner.rounds.model_planning import ModelPlanning
from agent.model_planner.rounds.stream import Stream
from agent.plan.normalise import normalise
from agent.plan.plan import Draft
from agent.plan.planning import ClarifyingQuestion, PlannerEvent, StepsWithdrawn, Thinking

_SHOWN_AGAIN = 6_000


class AnswerLoop:
    """Calls the model until its answer can be read. After `events`, `draft` or `question` is set, and `rounds` is the
    number of rounds used."""

    def __init__(
        self, desk: ModelPlanning, turns: tuple[Turn, ...], size: int, *, rounds: int = 0, heard: int = 0,
        show: bool = True,
    ) -> None:
        self._desk = desk
        self._turns = turns
        self._size = size
        self._show = show
        self.rounds = rounds
        self._heard_before = heard
        self.heard = heard
        self.draft: Draft | None = None
        self.question: ClarifyingQuestion | None = None

    @property
    def steered(self) -> bool:
        """Whether words of the person were passed to the model meanwhile."""
        return self.heard > self._heard_before

    async def events(self) -> Stream:
        """The planner events of all calls. Raises `NoPlan`, also after too many rounds, and `ProviderError`."""
        turns = self._turns
        while True:
            drafting = Drafting(self._desk, turns, self._size, heard=self.heard, show=self._show)
            try:
                async with aclosing(drafting.events()) as events:
                    async for event in events:
                        yield event
            except UnreadableAnswer as problem:
                self.heard = drafting.heard
                yield self._again(problem, drafting.text)
                if self._show:
                    yield StepsWithdrawn()
                findings = self._desk.prompts.filled("reflect", findings=f"- error: {inert(_told(problem))}")
                turns = (*self._turns, ModelTurn(drafting.text[:_SHOWN_AGAIN]), UserTurn(findings))
                continue
            answer = drafting.answer
            assert answer is not None
            self.heard = drafting.heard
            if answer.question is not None:
                self.question = answer.question
            else:
                self.draft = await asyncio.to_thread(self._in_one_form, answer.draft)
            return

    def _again(self, problem: UnreadableAnswer, text: str) -> PlannerEvent:
        most = self._desk.limits.reflections
        if self.rounds >= most:
            raise NoPlan(
                msg("the model's answer cannot be read as a plan"),
                why=msg("{problem}; it begins: {text}", problem=problem, text=first_words(text, 160)),
                fix=problem.fix if not text.strip() else msg("ask again, or choose a larger model"),
            ) from None
        self.rounds += 1
        why = first_words(str(problem), 160)
        return Thinking(f"Round {self.rounds}: the answer cannot be read ({why}) → asks again")

    def _in_one_form(self, draft: Draft) -> Draft:
        """References in the one form, while row numbers still mean rows of this answer."""
        normal = normalise(draft.steps, self._desk.registry.tools)
        return replace(draft, steps=normal.steps, normalised=(*draft.normalised, *normal.notes))


def _told(problem: UnreadableAnswer) -> str:
    return ". ".join(part for part in (problem.what, problem.why, problem.advice) if part)
