"""Rounds of mending: what was found goes back to the model, and the better plan stays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial

from agent.conversation.messages import ModelTurn, Turn, UserTurn
from agent.model_planner.prompt.budget import tokens
from agent.model_planner.prompt.plan_form import written
from agent.model_planner.rounds.asking import AnswerLoop
from agent.model_planner.rounds.errors import NoPlan
from agent.model_planner.rounds.judging import Judgement, PlanIssue, judge, listed
from agent.model_planner.rounds.model_planning import ModelPlanning
from agent.model_planner.rounds.revising import completed, rows_of
from agent.model_planner.rounds.showing import reshown
from agent.model_planner.rounds.stream import Stream
from agent.plan.in_thread import in_thread
from agent.plan.plan import Draft
from agent.plan.planning import ClarifyingQuestion, Thinking
from agent.providers.errors import ProviderError


@dataclass(frozen=True)
class ModelTask:
    """What the model is asked: its `turns` and the `size` of the answer in tokens. `whole` makes the complete plan from
    its answer; with `concerned` it answers only for these rows."""

    turns: tuple[Turn, ...]
    size: int
    whole: Callable[[Draft], Draft]
    concerned: frozenset[str] | None = None

    def own(self, draft: Draft) -> Draft:
        """The rows of a plan for which the model was asked, with the plan's reasons; the whole plan if it was asked for
        all."""
        if self.concerned is None:
            return draft
        return Draft(rows_of(draft.steps, self.concerned), draft.analysis, draft.musical_reasoning)


class Reflecting:
    """Has the model correct the faults of a draft. After `events`, `draft` is the best plan so far, and `question` is
    set if the model asked one."""

    def __init__(self, desk: ModelPlanning, task: ModelTask, draft: Draft, *, rounds: int = 0, heard: int = 0) -> None:
        self._desk = desk
        self._task = task
        self._rounds = rounds
        self._heard = heard
        self.draft = draft
        self.question: ClarifyingQuestion | None = None
        self._found = Judgement()
        self._settled: set[PlanIssue] = set()

    @property
    def _open(self) -> tuple[PlanIssue, ...]:
        """What the model may still mend: not what it was told of and left as it is."""
        return tuple(mark for mark in self._found.marks if mark not in self._settled)

    async def events(self) -> Stream:
        """The planner events of all rounds. A round that fails leaves the plan as it is."""
        self._found = await self._judge(self.draft)
        while True:
            steered = bool(self._desk.steering.since(self._heard))
            if not steered and (not self._open or self._rounds >= self._desk.limits.reflections):
                return
            if not self._has_room():
                yield Thinking("The plan is too long for the model to mend: it stays as it is, with its marks")
                return
            self._rounds += not steered
            if not steered:
                yield Thinking(f"Round {self._rounds}: {_counted(self._open)} → asks the model to mend")
            asked, asking = self._open, self._asking()
            try:
                async with aclosing(asking.events()) as events:
                    async for event in events:
                        yield event
            except (NoPlan, ProviderError) as problem:
                # A plan is there already: what fails now must not take it away.
                why = f" ({problem.why})" if problem.why else ""
                yield Thinking(f"The plan stays as it is: {problem.what}{why}")
                return
            self._rounds, self._heard = asking.rounds, asking.heard
            steered = steered or asking.steered
            if asking.draft is None:
                # A model that was asked to mend and asks back has not made the plan any worse.
                self.question = asking.question if steered else None
                return
            better = await self._better(asking.draft, steered=steered)
            if better is None:
                yield Thinking(f"Round {self._rounds}: no better, so the plan stays as it is")
                return
            if not steered:
                yield Thinking(f"Round {self._rounds}: {_counted(self._found.marks)} → {_counted(better[1].marks)}")
            old = self._task.own(self.draft).steps
            self._settled |= _left_as_they_are(asked, self.draft, better[0])
            self.draft, self._found = better
            for event in reshown(list(old), self._task.own(self.draft).steps):
                yield event

    def _asking(self) -> AnswerLoop:
        """The question that goes with the plan as it is."""
        task = self._task
        plan = ModelTurn(written(task.own(self.draft)))
        turns: tuple[Turn, ...] = (*task.turns, plan)
        if self._open:
            turns = (*turns, UserTurn(self._desk.prompts.filled("reflect", findings=listed(self._open))))
        size = max(task.size, tokens(plan.text) * 3 // 2)
        return AnswerLoop(self._desk, turns, size, rounds=self._rounds, heard=self._heard, show=False)

    async def _better(self, answer: Draft, *, steered: bool) -> tuple[Draft, Judgement] | None:
        """The answered plan, if it is better, or was asked for in new words."""
        try:
            new = self._task.whole(answer)
        except NoPlan:
            return None
        if self._task.concerned is None and not steered:
            new = completed(self.draft, new, self._found.rows)
        judged = await self._judge(new)
        return (new, judged) if steered or judged.better_than(self._found) else None

    async def _judge(self, draft: Draft) -> Judgement:
        desk = self._desk
        return await in_thread(partial(judge, draft, desk.brief, desk.registry, self._task.concerned))

    def _has_room(self) -> bool:
        """Whether plan and mended plan fit beside the system part."""
        return 2 * tokens(written(self._task.own(self.draft))) < self._desk.window - self._desk.fixed - 500


def _left_as_they_are(asked: Sequence[PlanIssue], before: Draft, after: Draft) -> set[PlanIssue]:
    """Warnings whose row came back as it was, or that have none: it is meant so, and asking again changes nothing.

    Errors are asked for again: each round mends some of them, or is the last.
    """
    old = {step.id: step for step in before.steps}
    same = {step.id for step in after.steps if old.get(step.id) == step}
    return {mark for mark in asked if not mark.error and (not mark.step or mark.step in same)}


def _counted(marks: Sequence[PlanIssue]) -> str:
    if not marks:
        return "no findings"
    errors = sum(mark.error for mark in marks)
    return f"{len(marks)} finding{'s' if len(marks) > 1 else ''}{f' ({errors} forbid it)' if errors else ''}"
