"""Planning the parts of a request apart from each other, and joining their plans."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing

from msgspec.structs import replace

from agent.conversation.messages import UserTurn
from agent.errors import BandleaderError
from agent.model_planner.rounds.asking import Asking
from agent.model_planner.rounds.desk import Desk
from agent.model_planner.rounds.errors import NoPlan
from agent.model_planner.rounds.merging import merged, prefixed_draft, prefixed_ids, renamed
from agent.model_planner.rounds.showing import reshown
from agent.model_planner.rounds.side_by_side import side_by_side
from agent.model_planner.rounds.sizing import first_size
from agent.model_planner.rounds.splitting import Part
from agent.model_planner.rounds.stream import Stream
from agent.model_planner.telling.budget import tokens_of
from agent.model_planner.telling.data_block import data_block, inert
from agent.model_planner.telling.plan_form import row_headings
from agent.plan.plan import Draft, Step
from agent.plan.planning import Question, StepProposed, Thinking
from agent.providers.errors import ProviderError


class PlanningParts:
    """One draft from several parts. After `events`, `draft` or `question` holds it.

    At a model with a short memory the parts come one after another, and each is told the rows before it.
    """

    def __init__(self, desk: Desk, base: UserTurn, parts: Sequence[Part]) -> None:
        self._desk = desk
        self._base = base
        self._parts = parts
        self._drafts: dict[int, Draft] = {}
        self._heard: dict[int, int] = {}
        self.draft: Draft | None = None
        self.question: Question | None = None

    @property
    def heard(self) -> int:
        """How much of what the person typed all parts have taken in."""
        return min(self._heard.values(), default=0)

    async def events(self) -> Stream:
        """What happens, all rows with their final ids. One part that fails ends all, and is named."""
        names = ", ".join(part.title for part in self._parts)
        yield Thinking(f"Plans {len(self._parts)} parts by themselves: {names}")
        streams = [self._part(number, part) for number, part in enumerate(self._parts, 1)]
        async with aclosing(side_by_side(streams, 1 if self._desk.small else len(streams))) as events:
            async for event in events:
                yield event
                if self.question is not None:
                    return
        drafts = [self._drafts[number] for number in range(1, len(self._parts) + 1)]
        self.draft = merged(self._parts, drafts)
        pairs = zip(self._parts, drafts, strict=True)
        for change in reshown([_grouped(s, part) for part, draft in pairs for s in draft.steps], self.draft.steps):
            yield change

    async def _part(self, number: int, part: Part) -> Stream:
        asking = self._asking(part)
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
        except ProviderError as problem:
            raise ProviderError(
                problem.fault, f"part {part.title!r}: {problem.what}", why=problem.why, fix=problem.fix,
                wait=problem.wait,
            ) from problem
        except BandleaderError as problem:
            raise NoPlan(f"part {part.title!r}: {problem.what}", why=problem.why, fix=problem.fix) from problem
        self._heard[number] = asking.heard
        if asking.question is not None:
            self.question = asking.question
            yield Thinking(f"{part.title}: the model asks back")
            return
        assert asking.draft is not None
        self._drafts[number] = prefixed_draft(asking.draft, number)

    def _asking(self, part: Part) -> Asking:
        desk = self._desk
        rows = row_headings([step for draft in self._drafts.values() for step in draft.steps])
        told = desk.prompts.filled(
            "part", title=inert(part.title), part=inert(part.request), rows=data_block("rows", rows)
        )
        turn = UserTurn(f"{self._base.text}\n\n{told}")
        left = desk.window - desk.fixed - tokens_of((turn,))
        size = first_size(part.request, desk.brief.song, desk.limits, desk.window)
        return Asking(desk, (turn,), min(size, max(left, 1)))


def _grouped(step: Step, part: Part) -> Step:
    return step if step.group else replace(step, group=part.title)
