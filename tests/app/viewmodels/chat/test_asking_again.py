"""Rows asked for again, words said while planning, what planning waits for and uses, and what is told of decisions."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest
from asking_rooms import AskingRoom, asking_room, until
from msgspec.structs import replace

from agent.chat.messages import Refinement, Refusal
from agent.plan.document import Plan
from agent.plan.plan import Step
from agent.plan.planning import (
    ClarifyingQuestion,
    Countdown,
    PlannerEvent,
    Revision,
    Spent,
    StepProposed,
    StepsWithdrawn,
    Thinking,
    Verdict,
)
from agent.providers.errors import ProviderError
from agent.review.review import Review
from agent.song.fence import Fence
from app.storage.records import Project
from app.studio.observable import Observable
from app.studio.planning import PlanningContext
from app.studio.studio import Studio
from app.studio.workspace import Workspace
from app.viewmodels.chat.asking import TAKEN_IN
from app.viewmodels.chat.entries import MessageEntry, ProblemEntry, WorkEntry
from app.viewmodels.plan.replan_diff import change_words
from app.viewmodels.texts.money import countdown_words, dollars, used

FIRST = (
    Step("s1", "set_tempo", {"bpm": 84.0}, title="Slower", group="Frame"),
    Step("s2", "create_track", {"name": "Pad", "instrument": "pad_warm"}, group="Harmony"),
    Step("s3", "create_track", {"name": "Bass", "instrument": "bass_finger"}, group="Harmony"),
)


class Scripted:
    """A planner with a plan of these rows; `answer` is what it makes of rows that are asked for again."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self.events: Observable[PlannerEvent] = Observable()
        self.told: list[PlannerEvent] = []
        self.answer: tuple[Step, ...] = FIRST
        self.asked: list[tuple[str, Revision | None, bool]] = []
        self.steered: list[str] = []
        self.steers = False
        self.error: ProviderError | None = None
        self.go_on = asyncio.Event()
        self.go_on.set()

    async def stage(self, project: Project) -> PlanningContext:
        return await self._studio.planning.stage(project)

    async def propose(
        self, request: str, stage: PlanningContext, *, revision: Revision | None = None, fresh: bool = False,
        locks: Sequence[str] = (), fence: Fence | None = None,
    ) -> Review | ClarifyingQuestion:
        self.asked.append((request, revision, fresh))
        for event in self.told:
            self.events.emit(event)
        await self.go_on.wait()
        if self.error is not None:
            raise self.error
        plan = self._studio.planning.adopt(Plan(self.answer, request=request), stage)
        return await self._studio.planning.judge(plan, stage.song)

    async def refine(
        self, plan: Plan, message: Refinement | Refusal, stage: PlanningContext, *, fence: Fence | None = None
    ) -> Review | ClarifyingQuestion:
        return await self._studio.planning.refine(plan, message, stage, fence=fence)

    def steer(self, words: str) -> bool:
        if self.steers:
            self.steered.append(words)
        return self.steers


class Room(AskingRoom):
    """With a scripted planner, and what it was told of rows."""

    def __init__(self, studio: Studio, workspace: Workspace) -> None:
        self.planner = Scripted(studio)
        super().__init__(studio, workspace, self.planner)
        self.verdicts: list[Verdict] = []
        self.asking.approving.verdicts.listen(self.verdicts.append)

    @property
    def steps(self) -> dict[str, Step]:
        proposal = self.reviewing.proposal.value
        assert proposal is not None
        return {step.id: step for step in proposal.whole.plan.steps}


@pytest.fixture
def told(studio: Studio) -> Callable[[Callable[[Room], Awaitable[None]]], None]:
    return lambda story: asking_room(studio, story, Room)


def other(step: Step, **inputs: object) -> Step:
    return replace(step, inputs={**step.inputs, **inputs})


def test_only_what_was_asked_again_changes_and_decisions_on_the_rest_stay(told: Callable[..., None]) -> None:
    async def story(room: Room) -> None:
        await room.asking.ask("slower, a pad and a bass")
        await room.reviewing.change("s1", {"bpm": 72.0})
        await room.reviewing.reject(["s3"], "too low")
        room.planner.answer = (other(FIRST[0], bpm=72.0), other(FIRST[1], name="Deep pad"), FIRST[2])
        await room.asking.ask_again(["s2"], "darker")
        request, revision, fresh = room.planner.asked[-1]
        assert (request, fresh) == ("slower, a pad and a bass", True)
        assert revision is not None
        assert (revision.steps, revision.wish) == (("s2",), "darker")
        assert revision.plan.step("s1").inputs == {"bpm": 72.0}
        proposal = room.reviewing.proposal.value
        assert proposal is not None
        assert proposal.replan_diff is not None
        assert proposal.replan_diff.was == {"s2": FIRST[1]}
        assert room.steps["s2"].inputs["name"] == "Deep pad"
        assert (set(proposal.changes), set(proposal.rejections)) == ({"s1"}, {"s3"})
        assert proposal.approved == {"s1", "s2"}
        await room.reviewing.back("s1")
        assert room.steps["s1"].inputs == {"bpm": 84.0}
        said = [entry.text for entry in room.all(MessageEntry)]  # type: ignore[attr-defined]
        assert said[-2:] == [
            "Ask again for step 2: darker",
            "Here is step 2 again: step 2 changed. Nothing runs until you approve it.",
        ]

    told(story)


def test_what_a_planner_changes_besides_is_seen_and_loses_its_decision(told: Callable[..., None]) -> None:
    async def story(room: Room) -> None:
        await room.asking.ask("slower")
        await room.reviewing.reject(["s3"])
        new = Step("s9", "create_track", {"name": "Choir", "instrument": "pad_warm"})
        room.planner.answer = (other(FIRST[0], bpm=60.0), other(FIRST[2], name="Sub"), new)
        await room.asking.ask_again(["s1"])
        proposal = room.reviewing.proposal.value
        assert proposal is not None
        assert proposal.replan_diff is not None
        assert proposal.replan_diff.was == {"s1": FIRST[0], "s3": FIRST[2], "s9": None}
        assert [step.id for step in proposal.replan_diff.gone] == ["s2"]
        assert proposal.rejections == {}
        assert room.conversation.entries[-1].text == (  # type: ignore[union-attr]
            "Here is step 1 again: steps 1 and 2 changed, step 3 new, 1 step gone. Nothing runs until you approve it."
        )

    told(story)


def test_a_plan_that_was_discarded_meanwhile_does_not_come_back(told: Callable[..., None]) -> None:
    async def story(room: Room) -> None:
        await room.asking.ask("slower")
        room.planner.go_on.clear()
        again = asyncio.ensure_future(room.asking.ask_again(["s1"], "much"))
        await until(lambda: len(room.planner.asked) == 2)
        room.asking.approving.discard()
        room.planner.go_on.set()
        await again
        assert room.reviewing.proposal.value is None
        assert "no longer under review" in room.conversation.entries[-1].text  # type: ignore[union-attr]

    told(story)


def test_the_whole_plan_is_asked_for_again_as_it_was_asked(told: Callable[..., None]) -> None:
    async def story(room: Room) -> None:
        await room.asking.ask("slower")
        await room.asking.ask_afresh()
        assert room.planner.asked == [("slower", None, False), ("slower", None, True)]

    told(story)


def test_words_said_while_it_plans_are_heard_or_wait(told: Callable[..., None]) -> None:
    async def story(room: Room) -> None:
        room.planner.go_on.clear()
        room.planner.steers = True
        first = asyncio.ensure_future(room.asking.ask("slower"))
        await until(lambda: room.planner.asked)
        await room.asking.ask("and keep the bass")
        assert room.planner.steered == ["and keep the bass"]
        words = room.conversation.entries[-1]
        assert isinstance(words, MessageEntry)
        assert (words.text, words.note) == ("and keep the bass", TAKEN_IN)
        room.planner.steers = False
        second = asyncio.ensure_future(room.asking.ask("then a choir"))
        await until(lambda: room.asking.waiting.value)
        assert room.asking.waiting.value == ("then a choir",)
        room.planner.go_on.set()
        await asyncio.gather(first, second)
        assert [request for request, *_ in room.planner.asked] == ["slower", "then a choir"]

    told(story)


def test_a_secret_is_kept_neither_as_a_wish_nor_while_planning(told: Callable[..., None]) -> None:
    async def story(room: Room) -> None:
        room.planner.steers = True
        await room.asking.ask("slower")
        secret = "use sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIj"
        await room.asking.ask_again(["s1"], secret)
        assert len(room.planner.asked) == 1
        assert len(room.all(ProblemEntry)) == 1
        assert not any(secret in str(entry) for entry in room.conversation.entries)

    told(story)


def test_rows_waits_and_cost_are_told_while_planning(told: Callable[..., None]) -> None:
    async def story(room: Room) -> None:
        asking = room.asking
        seen: list[tuple[str, ...]] = []
        asking.drafting.changed.listen(lambda steps: seen.append(tuple(step.id for step in steps)))
        room.planner.told = [
            Thinking("slower"), StepProposed(FIRST[2]), StepsWithdrawn(), *map(StepProposed, FIRST),
            Thinking("Checking the plan, round 1 of 3"), Spent(1840, 0.012, "alpha"), Countdown(11.2, "rate limited"),
        ]
        room.planner.go_on.clear()
        work = asyncio.ensure_future(asking.ask("slower"))
        await until(lambda: asking.drafting.value)
        assert asking.drafting.value == FIRST
        assert (asking.rows.value, asking.doing.value) == (3, "Checking the plan, round 1 of 3")
        assert asking.countdown.value is not None
        assert countdown_words(asking.countdown.value) == "Again in 12 s: rate limited"
        room.planner.go_on.set()
        await work
        assert (asking.drafting.value, asking.countdown.value, asking.doing.value) == ((), None, "")
        assert WorkEntry("Asked alpha", "1,840 tokens · $0.012") in room.conversation.entries
        assert seen[-1] == ()

    told(story)


def test_a_thousand_rows_are_told_in_few_steps(told: Callable[..., None]) -> None:
    async def story(room: Room) -> None:
        tellings: list[int] = []
        room.asking.drafting.changed.listen(lambda steps: tellings.append(len(steps)))
        room.planner.told = [StepProposed(replace(FIRST[0], id=f"s{n}")) for n in range(1000)]
        room.planner.go_on.clear()
        work = asyncio.ensure_future(room.asking.ask("slower"))
        await until(lambda: len(room.asking.drafting.value) == 1000)
        assert tellings == [1000]
        room.planner.go_on.set()
        await work

    told(story)


def test_a_model_that_does_not_answer_leaves_the_composer_as_a_way_on(told: Callable[..., None]) -> None:
    async def story(room: Room) -> None:
        room.planner.error = ProviderError("authentication", "Anthropic refused the key", fix="paste another")
        room.planner.told = [Spent(10, None, "alpha")]
        await room.asking.ask("slower")
        [problem] = room.all(ProblemEntry)
        assert isinstance(problem, ProblemEntry)
        assert (problem.request, problem.offline) == ("slower", True)
        assert room.asking.refused.value == problem.trouble
        assert WorkEntry("Asked alpha", "10 tokens · price unknown") in room.conversation.entries
        room.planner.error = None
        await room.asking.ask("slower")
        assert room.asking.refused.value is None

    told(story)


def test_decisions_are_told_once_the_plan_is_approved_or_put_away(told: Callable[..., None]) -> None:
    async def story(room: Room) -> None:
        await room.asking.ask("slower")
        await room.reviewing.reject(["s3"], "too low")
        await room.reviewing.change("s1", {"bpm": 72.0})
        assert room.verdicts == []
        proposal = room.reviewing.proposal.value
        assert proposal is not None
        await room.asking.approving.run(proposal.judged.plan.hash)
        assert room.verdicts == [
            Verdict("slower", FIRST[2], "rejected", "too low"),
            Verdict("slower", FIRST[0], "changed", "", {"bpm": 72.0}),
        ]
        room.verdicts.clear()
        await room.asking.ask("a choir")
        room.asking.approving.discard()
        assert room.verdicts == []
        await room.asking.ask("a choir")
        await room.asking.ask_again(["s2"], "darker")
        assert room.verdicts == [Verdict("a choir", FIRST[1], "rejected", "darker")]

    told(story)


@pytest.mark.parametrize(("old", "new", "words"), [
    (FIRST[0], other(FIRST[0], bpm=72.0), "bpm 84 → 72"),
    (FIRST[1], other(FIRST[1], name="Deep"), "name Pad → Deep"),
    (other(FIRST[1], notes=[1, 2]), other(FIRST[1], notes=[1, 2, 3]), "notes 2 → 3"),
    (other(FIRST[1], notes=[1, 2]), other(FIRST[1], notes=[1, 3]), "other notes"),
    (FIRST[1], replace(FIRST[1], tool="add_track"), "create_track → add_track"),
    (FIRST[1], replace(FIRST[1], retry=2), "other settings"),
    (None, FIRST[1], "new"),
])
def test_what_changed_in_a_row_in_words(old: Step | None, new: Step, words: str) -> None:
    assert change_words(old, new) == words


@pytest.mark.parametrize(("cost", "words"), [
    (0.0, "$0.00"), (0.0004, "< $0.001"), (0.012, "$0.012"), (0.02, "$0.02"), (0.34, "$0.34"), (12.5, "$12.50"),
    (1234.5, "$1,234.50"),
])
def test_money_in_words(cost: float, words: str) -> None:
    assert dollars(cost) == words
    assert used(1, cost) == f"1 token · {words}"
