"""Planning the parts of a request apart from each other, and joining their plans."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import aclosing

from msgspec.structs import replace

from agent.conversation.messages import UserTurn
from agent.errors import BandleaderError
from agent.message import msg
from agent.model_planner.prompt.budget import first_words, tokens_of
from agent.model_planner.prompt.data_block import data_block, inert
from agent.model_planner.prompt.plan_form import row_headings
from agent.model_planner.rounds.asking import AnswerLoop
from agent.model_planner.rounds.errors import NoPlan
from agent.model_planner.rounds.merging import merged, prefixed_draft, prefixed_ids, renamed
from agent.model_planner.rounds.model_planning import ModelPlanning
from agent.model_planner.rounds.showing import reshown
from agent.model_planner.rounds.sizing import first_size
from agent.model_planner.rounds.splitting import RequestPart
from agent.model_planner.rounds.stream import Stream
from agent.plan.plan import Clause, Draft, Step
from agent.plan.planning import ClarifyingQuestion, PlannerEvent, StepProposed, StepsWithdrawn, Thinking
from agent.providers.errors import ONCE_MORE, ProviderError


class PlanningParts:
    """Plans the parts of a request separately and joins their plans. After `events`, `draft` or `question` is set.

    For a model with a small window the parts are planned one after another, each with the rows before it in its prompt.
    A part that fails is tried once more at the end; if it fails again this is reported, and the other parts stand.
    """

    def __init__(self, desk: ModelPlanning, base: UserTurn, parts: Sequence[RequestPart]) -> None:
        self._desk = desk
        self._base = base
        self._parts = parts
        self._drafts: dict[int, Draft] = {}
        self._failures: dict[int, BandleaderError] = {}
        self._heard: dict[int, int] = {}
        self.draft: Draft | None = None
        self.question: ClarifyingQuestion | None = None

    @property
    def heard(self) -> int:
        """The number of the person's words that all parts have taken into account."""
        return min(self._heard.values(), default=0)

    async def events(self) -> Stream:
        """The planner events of all parts, rows with their final ids. Raises the first part's error if all parts
        failed."""
        names = ", ".join(part.title for part in self._parts)
        yield Thinking(f"Plans {len(self._parts)} parts by themselves: {names}")
        numbers = range(1, len(self._parts) + 1)
        async with aclosing(self._planned(numbers, self._desk.limits.reflections)) as events:
            async for event in events:
                yield event
        again = [number for number in self._failures if self._drafts and _may_pass(self._failures[number])]
        for number in again:
            yield Thinking(f"{self._failures[number].what}: asks for it once more, alone")
        if again and self.question is None:
            async with aclosing(self._planned(again, 0)) as events:
                async for event in events:
                    yield event
                    if isinstance(event, StepsWithdrawn):
                        for step in self._shown():
                            yield StepProposed(step)
        if self.question is not None:
            return
        if not self._drafts:
            raise self._failures[min(self._failures)]
        async with aclosing(self._joined()) as events:
            async for event in events:
                yield event

    async def _planned(self, numbers: Sequence[int], rounds: int) -> Stream:
        """What happens while some parts are planned, each asked again in so many rounds at most where its answer cannot
        be read; their drafts, failures or question are kept."""
        streams = [self._part(number, rounds) for number in numbers]
        async with aclosing(_side_by_side(streams, 1 if self._desk.small else len(streams))) as events:
            async for event in events:
                yield event
                if self.question is not None:
                    return

    async def _joined(self) -> Stream:
        """Make one draft of those that came, and tell of the others."""
        for problem in self._failures.values():
            yield Thinking(f"{problem.what}: the plan is without it")
        came = sorted(self._drafts)
        one = merged([self._parts[number - 1] for number in came], [self._drafts[number] for number in came])
        told = tuple(self._told())
        ignored = (f"{clause.text} ({clause.reason})" for clause in told)
        self.draft = replace(
            one, ignored=(*one.ignored, *ignored), clauses=(*one.clauses, *(clause for clause in told if clause.end))
        )
        for change in reshown(self._shown(), self.draft.steps):
            yield change

    def _shown(self) -> list[Step]:
        """The rows of the parts that have come, as they are shown."""
        return [
            _grouped(step, self._parts[number - 1]) for number in sorted(self._drafts)
            for step in self._drafts[number].steps
        ]

    def _told(self) -> Iterator[Clause]:
        """The words of the parts that did not come."""
        for number, problem in sorted(self._failures.items()):
            part = self._parts[number - 1]
            words = self._desk.brief.request[part.start : part.end] or part.request
            yield Clause(words, part.start, part.end, "told", reason=first_words(str(problem), 200))

    async def _part(self, number: int, rounds: int) -> Stream:
        """Plan a part, in so many rounds of asking again at most; a failure is kept and not raised."""
        part = self._parts[number - 1]
        asking = self._asking(part, rounds)
        shown: list[str] = []
        try:
            async with aclosing(asking.events()) as events:
                async for event in events:
                    if isinstance(event, StepProposed):
                        shown.append(event.step.id)
                        yield StepProposed(_grouped(renamed([event.step], prefixed_ids(shown, number))[0], part))
                    elif isinstance(event, Thinking):
                        yield Thinking(f"{part.title}: {event.text}")
                    else:
                        yield event
        except BandleaderError as problem:
            self._failures[number] = _of_part(part, problem)
            if shown:
                yield StepsWithdrawn()
            return
        self._failures.pop(number, None)
        self._heard[number] = asking.heard
        if asking.question is not None:
            self.question = asking.question
            yield Thinking(f"{part.title}: the model asks back")
            return
        assert asking.draft is not None
        self._drafts[number] = prefixed_draft(asking.draft, number)

    def _asking(self, part: RequestPart, rounds: int) -> AnswerLoop:
        desk = self._desk
        rows = row_headings([step for draft in self._drafts.values() for step in draft.steps])
        told = desk.prompts.filled(
            "part", title=inert(part.title), part=inert(part.request), rows=data_block("rows", rows)
        )
        turn = UserTurn(f"{self._base.text}\n\n{told}")
        left = desk.window - desk.fixed - tokens_of((turn,))
        size = first_size(part.request, desk.brief.song, desk.limits, desk.window)
        used = desk.limits.reflections - min(rounds, desk.limits.reflections)
        return AnswerLoop(desk, (turn,), min(size, max(left, 1)), rounds=used)


def _grouped(step: Step, part: RequestPart) -> Step:
    return step if step.group else replace(step, group=part.title)


def _of_part(part: RequestPart, problem: BandleaderError) -> BandleaderError:
    """The failure with the name of its part; that of a server keeps its kind."""
    what = msg("part {part!r}: {what}", part=part.title, what=problem.said.what)
    if isinstance(problem, ProviderError):
        return ProviderError(problem.fault, what, why=problem.said.why, fix=problem.fix, wait=problem.wait)
    return NoPlan(what, why=problem.said.why, fix=problem.fix)


def _may_pass(problem: BandleaderError) -> bool:
    """Whether the same question may be answered the next time."""
    return not isinstance(problem, ProviderError) or problem.transient or problem.fault in ONCE_MORE


async def _side_by_side(streams: Sequence[Stream], at_once: int) -> Stream:
    """The events of several streams as one stream; at most `at_once` streams run at a time, started in order.

    A stream that withdraws its rows leaves those of the others on display. The first failure ends all and is raised.
    """
    queue: asyncio.Queue[tuple[int, PlannerEvent] | None] = asyncio.Queue()
    runner = asyncio.create_task(_run(streams, at_once, queue))
    shown: list[list[Step]] = [[] for _ in streams]
    try:
        while (item := await queue.get()) is not None:
            place, event = item
            if isinstance(event, StepProposed):
                shown[place].append(event.step)
            elif isinstance(event, StepsWithdrawn):
                shown[place] = []
            yield event
            if isinstance(event, StepsWithdrawn):
                for step in [step for rows in shown for step in rows]:
                    yield StepProposed(step)
        await _end_of(runner)
    finally:
        runner.cancel()
        await asyncio.gather(runner, return_exceptions=True)


async def _run(
    streams: Sequence[Stream], at_once: int, queue: asyncio.Queue[tuple[int, PlannerEvent] | None]
) -> None:
    gate = asyncio.Semaphore(at_once)

    async def pump(place: int, stream: Stream) -> None:
        async with gate, aclosing(stream) as events:
            async for event in events:
                queue.put_nowait((place, event))

    try:
        async with asyncio.TaskGroup() as group:
            for place, stream in enumerate(streams):
                group.create_task(pump(place, stream))
    finally:
        queue.put_nowait(None)


async def _end_of(runner: asyncio.Task[None]) -> None:
    """Wait for the end; of several failures the first is raised as it was."""
    try:
        await runner
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
