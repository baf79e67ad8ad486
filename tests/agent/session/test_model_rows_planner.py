"""Goals that a planner works on instead of a model: its rows within the limits, and no others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

import pytest
from patience import PATIENCE
from scripted_model import goal, worked
from studio_parts import DRUMS, PAD, Ran, Studio, a_song, step, the_palette

from agent.plan.errors import PlanError
from agent.plan.plan import Draft, Step
from agent.plan.planning import Brief, ClarifyingChoice, ClarifyingQuestion, DraftReady, PlannerEvent, Spent, Thinking
from agent.session.cancellation import Cancellation
from agent.session.gathering import gathered_edits
from agent.session.planner_worker import PlannerWorker
from agent.session.spending import Spending
from agent.song.locks import BarsLock, TrackLock


class Script:
    """A planner that plans what it is told."""

    name = "script"

    def __init__(self, *events: PlannerEvent | BaseException, seconds: float = 0) -> None:
        self._events = events
        self._seconds = seconds
        self.briefs: list[Brief] = []

    async def plan(self, brief: Brief) -> AsyncIterator[PlannerEvent]:
        self.briefs.append(brief)
        yield Thinking("...")
        await asyncio.sleep(self._seconds)
        for event in self._events:
            if isinstance(event, BaseException):
                raise event
            yield event


def plans(*steps: Step) -> Script:
    return Script(DraftReady(Draft(steps, analysis="softer")))


def by_planner(script: Script, row: Step, after: Sequence[Step] = (), **fields: object) -> Ran:
    return asyncio.run(worked(PlannerWorker(script, the_palette(), 7), row, *after, **fields))  # type: ignore[arg-type]


def test_a_planner_is_asked_with_the_goal_as_request_and_the_limits_as_tools_and_locks() -> None:
    script = plans(step("s1", "update_track", {"track_id": PAD, "volume_db": -9}))
    ran = by_planner(script, goal(words="softer pads"), locks=(BarsLock(1, 2),))
    assert ran.states == ["done"]
    [brief] = script.briefs
    assert (brief.request, brief.seed) == ("softer pads", 7)
    assert {tool.name for tool in brief.tools if tool.changes_song} == {"update_track"}
    assert set(brief.locks) == {BarsLock(1, 2), TrackLock(DRUMS), TrackLock(a_song().tracks[0].id)}


def test_rows_outside_of_the_limits_are_left_out_with_those_that_need_them_and_said() -> None:
    ran = by_planner(
        plans(
            step("s1", "update_track", {"track_id": PAD, "volume_db": -9}),
            step("s2", "update_track", {"track_id": DRUMS, "volume_db": -9}),
            step("s3", "create_track", {"name": "Air", "instrument": "pad_warm"}),
            step("s4", "update_track", {"track_id": "{{s3.track_id}}", "pan": 0.5}),
            step("s5", "find_tracks", {"family": "pad"}),
            step("s6", "update_track", {"track_id": "{{item.track_id}}", "pan": 0.25}, for_each="{{s5.items}}"),
        ),
        goal(),
    )
    assert ran.states == ["done"]
    result = ran["g"].result
    assert [one["ok"] for one in result["calls"]] == [True, False, False, False, True, True]
    assert result["edits"] == 2
    assert result["words"] == "softer. 3 of 6 rows lie outside of the limits and were left out"
    assert (ran.studio.song.track(PAD).volume_db, ran.studio.song.track(PAD).pan) == (-9, 0.25)
    assert ran.studio.song.track(DRUMS) == a_song().track(DRUMS)


def test_a_plan_with_more_edits_than_approved_waits_for_a_person() -> None:
    rows = [step(f"s{n}", "update_track", {"track_id": PAD, "volume_db": -float(n)}) for n in range(1, 5)]
    ran = by_planner(plans(*rows), goal(max_edits=2))
    assert ran.states == ["needs_review"]
    assert "more edits than were approved" in ran["g"].reason
    assert len(gathered_edits(ran["g"])) == 2
    assert ran.studio.song is a_song()


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (Script(
            ClarifyingQuestion("Which style?", (ClarifyingChoice("a", "b"),))
        ), "the goal is unclear: Which style?"),
        (Script(PlanError("there is nothing to change")), "there is nothing to change"),
        (Script(ValueError("a bug")), "script broke: ValueError: a bug"),
        (Script(), "the planner ended without a plan"),
        (plans(step("s1", "update_track", {"track_id": DRUMS, "pan": 1})), "nothing was changed"),
    ],
)
def test_without_an_edit_the_row_fails_with_its_reason(script: Script, reason: str) -> None:
    ran = by_planner(script, goal())
    assert ran.states == ["failed"]
    assert reason in ran["g"].reason
    assert ran.studio.song is a_song()


def test_a_cancel_breaks_planning_off() -> None:
    async def story() -> Ran:
        cancellation = Cancellation()
        slow = Script(seconds=60)
        worker = PlannerWorker(slow, the_palette(), 1)
        running = asyncio.create_task(worked(worker, goal(), studio=Studio(a_song()), cancellation=cancellation))
        await asyncio.sleep(0.05)
        cancellation.cancel()
        return await asyncio.wait_for(running, PATIENCE)

    assert asyncio.run(story()).states == ["not_run"]


def test_what_a_planner_spends_is_counted() -> None:
    spending = Spending()
    row = step("s1", "update_track", {"track_id": PAD, "volume_db": -9})
    script = Script(Spent(5, 0.1), Spent(50, 0.5), DraftReady(Draft((row,))))
    by_planner(script, goal(), spending=spending)
    assert (spending.usage.total, spending.cost) == (50, 0.5)
