"""The plan under review: decisions, their consequences, and an approval bound to what was shown."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from studios import tempo

from agent.plan.document import Plan
from agent.plan.errors import PlanError
from agent.plan.plan import Step
from agent.session.session import NotApproved
from app.studio.studio import Studio
from app.studio.workspace import Workspace
from app.viewmodels.plan.proposal import Proposal
from app.viewmodels.plan.reviewing import Reviewing

NOTE = {"n": 60, "s": 0, "d": 1, "v": 90}
ROWS = (
    Step("s1", "create_track", {"name": "Pad", "instrument": "pad_warm"}),
    Step("s2", "create_midi_clip", {"track_id": "{{s1.track_id}}", "start_time": 0, "duration": 4, "notes": [NOTE]}),
    Step("s3", "set_tempo", {"bpm": 90}),
)


def reviewed(
    studio: Studio, story: Callable[[Reviewing, Workspace], Awaitable[None]], rows: tuple[Step, ...] = ROWS
) -> None:
    """Run a story over a fresh project with a plan of these rows under review."""

    async def work() -> None:
        project = await studio.projects.create("One")
        workspace = await studio.open(project)
        reviewing = Reviewing(studio.session, studio.planning, workspace, studio.palette)
        stage = await studio.planning.stage(project)
        plan = studio.planning.adopt(Plan(rows, request="more"), stage)
        await reviewing.put_up(await studio.planning.judge(plan, stage.song))
        await story(reviewing, workspace)
        reviewing.close()

    asyncio.run(work())


def shown(reviewing: Reviewing) -> Proposal:
    assert reviewing.proposal.value is not None
    return reviewing.proposal.value


def test_a_rejected_row_takes_what_needs_it_along_and_comes_back_with_it(studio: Studio) -> None:
    async def story(reviewing: Reviewing, _: Workspace) -> None:
        first = shown(reviewing).judged.plan.hash
        await reviewing.reject(["s1"])
        now = shown(reviewing)
        assert now.approved == {"s3"}
        assert now.blocked == {"s2": "s1"}
        assert now.ghost is not None
        assert now.ghost.tracks == ()
        assert now.whole.preview is not None
        assert len(now.whole.preview.song.tracks) == 1
        await reviewing.take_in(["s1"])
        assert shown(reviewing).judged.plan.hash == first
        assert shown(reviewing).blocked == {}

    reviewed(studio, story)


def test_a_changed_row_runs_with_its_new_inputs_and_can_go_back(studio: Studio) -> None:
    async def story(reviewing: Reviewing, _: Workspace) -> None:
        first = shown(reviewing).judged.plan.hash
        await reviewing.change("s3", {"bpm": 72})
        now = shown(reviewing)
        assert now.ghost is not None
        assert now.ghost.tempos[0].bpm == 72
        assert list(now.changes) == ["s3"]
        assert now.judged.plan.hash != first
        await reviewing.reject(["s3"])
        await reviewing.take_in(["s3"])
        assert shown(reviewing).inputs("s3") == {"bpm": 72}
        await reviewing.back("s3")
        assert shown(reviewing).judged.plan.hash == first

    reviewed(studio, story)


def test_inputs_that_do_not_fit_forbid_the_approval_and_name_the_row(studio: Studio) -> None:
    async def story(reviewing: Reviewing, workspace: Workspace) -> None:
        await reviewing.change("s3", {"bpm": "fast"})
        assert [one.step for one in shown(reviewing).judged.errors] == ["s3"]
        with pytest.raises(PlanError):
            reviewing.approve(shown(reviewing).judged.plan.hash)
        assert workspace.song.tempos[0].bpm == 120

    reviewed(studio, story)


def test_all_rows_rejected_leaves_nothing_to_approve(studio: Studio) -> None:
    async def story(reviewing: Reviewing, _: Workspace) -> None:
        await reviewing.reject(["s1", "s3"])
        assert shown(reviewing).approved == frozenset()
        assert shown(reviewing).ghost is None
        await reviewing.take_in(["s3"])
        assert shown(reviewing).approved == {"s3"}

    reviewed(studio, story)


def test_an_approval_is_for_what_was_shown(studio: Studio) -> None:
    async def story(reviewing: Reviewing, _: Workspace) -> None:
        seen = shown(reviewing).judged.plan.hash
        await reviewing.reject(["s3"])
        with pytest.raises(NotApproved):
            reviewing.approve(seen)
        plan, approval = reviewing.approve(shown(reviewing).judged.plan.hash)
        assert [step.id for step in plan.steps] == ["s1", "s2"]
        assert approval.hash == plan.hash

    reviewed(studio, story)


def test_nothing_is_approved_while_a_decision_is_being_judged(studio: Studio) -> None:
    async def story(reviewing: Reviewing, _: Workspace) -> None:
        seen = shown(reviewing).judged.plan.hash
        deciding = asyncio.create_task(reviewing.reject(["s3"]))
        await asyncio.sleep(0)
        assert reviewing.pending.value
        with pytest.raises(NotApproved):
            reviewing.approve(seen)
        await deciding
        assert not reviewing.pending.value

    reviewed(studio, story)


def test_decisions_that_come_at_once_all_count(studio: Studio) -> None:
    async def story(reviewing: Reviewing, _: Workspace) -> None:
        await asyncio.gather(reviewing.reject(["s2"]), reviewing.change("s3", {"bpm": 60}), reviewing.reject(["s3"]))
        now = shown(reviewing)
        assert now.approved == {"s1"}
        assert now.inputs("s3") == {"bpm": 60}

    reviewed(studio, story)


def test_the_proposal_follows_an_edit_by_hand(studio: Studio) -> None:
    async def story(reviewing: Reviewing, workspace: Workspace) -> None:
        old = shown(reviewing).judged.plan.hash
        await workspace.commit(tempo(150), label="Faster")
        with pytest.raises(NotApproved):
            reviewing.approve(old)
        while reviewing.pending.value:
            await asyncio.sleep(0.01)
        plan, approval = reviewing.approve(shown(reviewing).judged.plan.hash)
        assert approval.song_revision == workspace.revision == plan.song_revision
        assert plan.hash != old

    reviewed(studio, story)


def test_one_click_drops_a_row_that_makes_nothing(studio: Studio) -> None:
    async def story(reviewing: Reviewing, _: Workspace) -> None:
        [mark] = [one for one in shown(reviewing).judged.plan.lint if one.step == "s2"]
        assert reviewing.fix(mark) is not None
        await reviewing.apply_fix(mark)
        assert shown(reviewing).approved == {"s1"}

    same_tempo = Step("s2", "set_tempo", {"bpm": 120})
    reviewed(studio, story, (ROWS[0], same_tempo))


def test_one_click_brings_notes_into_the_range_of_a_track_that_the_plan_makes(studio: Studio) -> None:
    low = {"n": 3, "s": 0, "d": 1, "v": 90}
    rows = (
        Step("s1", "create_track", {"name": "Flute", "instrument": "woodwind_flute"}),
        Step("s2", "create_midi_clip",
             {"track_id": "{{s1.track_id}}", "start_time": 0, "duration": 4, "notes": [low]}),
    )

    async def story(reviewing: Reviewing, _: Workspace) -> None:
        marks = [one for one in shown(reviewing).judged.plan.lint if one.step == "s2"]
        assert marks
        await reviewing.apply_fix(marks[0])
        assert not [one for one in shown(reviewing).judged.plan.lint if one.step == "s2"]
        assert shown(reviewing).inputs("s2")["notes"][0]["n"] > 3

    reviewed(studio, story, rows)
