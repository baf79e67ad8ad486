"""Rows that are left to a model, with a real database: exactly once, approved later, taken up after a crash."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from patience import PATIENCE
from scripted_model import Answer, ScriptedProvider, calls, goal, louder, model, says
from studios import Crash, after, approved, dying_after

from agent.plan.plan import Step
from agent.session.cancellation import Cancellation
from agent.session.gathering import gathered_edits
from agent.session.ghost import GhostSong
from agent.session.run_state import RunError, RunState
from agent.session.session import NotApproved
from agent.session.spending import Spending
from agent.session.tool_loop import ModelWorker
from agent.session.worker import Goal, Worked, Worker
from agent.song.edits import SetTempo
from agent.song.ids import RunId
from agent.song.song import Song
from app.storage.records import Project
from app.studio.running.run_view import RunView
from app.studio.studio import Studio

PAD = Step("s1", "create_track", {"name": "Pad", "instrument": "pad_warm"})
LAST = Step("s3", "set_tempo", {"bpm": 77})


def softer(*, accept: bool = True) -> Step:
    return goal("s2", tracks=("{{s1.track_id}}",), accept=accept)


def a_model(*answers: Answer) -> ModelWorker:
    return model(ScriptedProvider(*answers), "prompt", lambda used: used.total * 0.001)


def lowers(query: Any) -> Any:
    """A call for the one track that the goal may change."""
    track = query.turns[0].text.split("these tracks: ")[1].split(";")[0]
    return calls(louder(track, -9.0))


def an_able_model() -> ModelWorker:
    return a_model(lowers, says("Softer."))


class Dying:
    """A worker whose program ends when its work has ended."""

    name = "dying"

    async def work(self, goal: Goal, ghost: GhostSong, cancellation: Cancellation, spending: Spending) -> Worked:
        await an_able_model().work(goal, ghost, cancellation, spending)
        raise Crash


async def begun(studio: Studio, *steps: Step) -> tuple[Project, RunId]:
    project = await studio.projects.create("One")
    return project, await approved(studio, project, steps)


async def song_of(studio: Studio) -> Song:
    return (await studio.open(await studio.projects.find("One"))).song


async def volumes(studio: Studio) -> list[float]:
    return [track.volume_db for track in (await song_of(studio)).tracks]


async def carried(studio: Studio, worker: Worker | None, *steps: Step) -> RunView:
    _, run = await begun(studio, *steps)
    return await studio.runs.host.carry_out(run, Cancellation(), worker)


def of_kind(view: RunView, kind: str) -> list[dict[str, Any]]:
    return [msgspec.json.decode(event.body) for event in view.events if event.kind == kind]


def test_a_goal_is_worked_on_and_the_iteration_says_what_it_took(studio: Studio) -> None:
    async def story() -> None:
        view = await carried(studio, an_able_model(), PAD, softer(), LAST)
        assert view.state is RunState.COMPLETED
        assert await volumes(studio) == [-9]
        [made] = [one for one in (await studio.history.of(await studio.projects.find("One"))).iterations if one.run]
        assert (made.tokens, made.actions) == (22, 3)
        assert made.cost == pytest.approx(0.022)
        assert view.used == (22, pytest.approx(0.022))
        [told] = of_kind(view, "SUB_STEP")
        assert (told["step"], told["tool"], told["ok"]) == ("s2", "update_track", True)
        assert view.rows[1].result["calls"][0]["inputs"]["volume_db"] == -9

    asyncio.run(story())


def test_what_waits_is_approved_later_and_the_rest_goes_on(studio: Studio) -> None:
    async def story() -> None:
        view = await carried(studio, an_able_model(), PAD, softer(accept=False), LAST)
        run = view.record.id
        assert view.state is RunState.NEEDS_REVIEW
        assert [row.state.value for row in view.rows] == ["done", "needs_review", "not_run"]
        assert view.ledger.balanced
        assert await volumes(studio) == [0]
        assert len(gathered_edits(view.rows[1])) == 1
        view = await studio.runs.approve_gathered(run, "s2", Cancellation(), a_model(AssertionError("asked again")))
        assert view.state is RunState.COMPLETED
        assert await volumes(studio) == [-9]
        assert (await song_of(studio)).tempos[0].bpm == 77
        [told] = of_kind(view, "EDITS_APPROVED")
        assert (told["step"], told["by"]) == ("s2", "person")
        assert gathered_edits(view.rows[1]) == ()
        with pytest.raises(RunError):
            await studio.runs.approve_gathered(run, "s2", Cancellation())

    asyncio.run(story())


def test_what_waits_is_rejected_by_leaving_the_row_out(studio: Studio) -> None:
    async def story() -> None:
        view = await carried(studio, an_able_model(), PAD, softer(accept=False), LAST)
        view = await studio.runs.skip(view.record.id, "s2", Cancellation())
        assert view.state is RunState.COMPLETED
        assert [row.state.value for row in view.rows] == ["done", "skipped", "done"]
        assert await volumes(studio) == [0]

    asyncio.run(story())


def test_a_retry_works_on_it_anew_and_a_cancel_forgets_it(studio: Studio) -> None:
    async def story() -> None:
        view = await carried(studio, an_able_model(), PAD, softer(accept=False), LAST)
        run = view.record.id
        view = await studio.runs.retry(run, Cancellation(), a_model(says("I cannot.")))
        assert [row.state.value for row in view.rows] == ["done", "failed", "not_run"]
        assert gathered_edits(view.rows[1]) == ()
        view = await studio.runs.retry(run, Cancellation(), an_able_model())
        view = await studio.runs.stopping.cancel(run)
        assert view.state is RunState.CANCELLED
        assert await volumes(studio) == [0]

    asyncio.run(story())


def test_only_a_row_with_waiting_edits_and_only_on_its_song_can_be_approved(studio: Studio) -> None:
    async def story() -> None:
        view = await carried(studio, an_able_model(), PAD, softer(accept=False), LAST)
        run = view.record.id
        for step in ("s1", "s3", "nope"):
            with pytest.raises(RunError):
                await studio.runs.approve_gathered(run, step, Cancellation())
        project = await studio.open(await studio.projects.find("One"))
        await project.commit((SetTempo(bpm=99),), label="by hand")
        with pytest.raises(RunError, match="cannot be taken up"):
            await studio.runs.approve_gathered(run, "s2", Cancellation())
        assert await volumes(studio) == [0]

    asyncio.run(story())


def test_a_crash_between_the_work_and_the_commit_leaves_nothing_of_the_row(studio: Studio, other: Studio) -> None:
    async def story() -> None:
        _, run = await begun(studio, PAD, softer(), LAST)
        with suppress(Crash):
            await studio.runs.host.carry_out(run, Cancellation(), Dying())
        left = await other.runs.show(run)
        assert left.state is RunState.RUNNING
        assert [row.state.value for row in left.rows] == ["done", "waiting", "waiting"]
        assert await volumes(other) == [0]
        view = await other.runs.host.carry_out(run, Cancellation(), an_able_model())
        assert view.state is RunState.COMPLETED
        assert await volumes(other) == [-9]
        assert len(of_kind(view, "STEP_DONE")) == 3

    asyncio.run(story())


@pytest.mark.parametrize("at", ["SUB_STEP", "STEP_DONE"])
def test_a_crash_at_any_moment_neither_loses_nor_doubles_an_edit(studio: Studio, other: Studio, at: str) -> None:
    async def story() -> None:
        _, run = await begun(studio, PAD, softer(), LAST)
        with suppress(Crash), dying_after(lambda event: event.kind == at and '"s2"' in event.body):
            await studio.runs.host.carry_out(run, Cancellation(), an_able_model())
        done = at == "STEP_DONE"
        assert await volumes(other) == [-9 if done else 0]
        worker = a_model(AssertionError("asked again")) if done else an_able_model()
        view = await other.runs.host.carry_out(run, Cancellation(), worker)
        assert view.state is RunState.COMPLETED
        assert await volumes(other) == [-9]
        assert len(of_kind(view, "STEP_DONE")) == 3

    asyncio.run(story())


@pytest.mark.parametrize("rows", [1, 2])
def test_an_approval_of_edits_survives_a_crash_and_is_kept_once(studio: Studio, other: Studio, rows: int) -> None:
    def crash() -> None:
        raise Crash

    async def story() -> None:
        view = await carried(studio, an_able_model(), PAD, softer(accept=False), LAST)
        run = view.record.id
        silence = studio.runs.events.listen(after(rows, crash))
        with suppress(Crash):
            await studio.runs.approve_gathered(run, "s2", Cancellation())
        silence()
        assert (await other.runs.show(run)).state is RunState.RUNNING
        view = await other.runs.host.carry_out(run, Cancellation(), a_model(AssertionError("asked again")))
        assert view.state is RunState.COMPLETED
        assert await volumes(other) == [-9]
        assert len(of_kind(view, "STEP_DONE")) == 3

    asyncio.run(story())


def test_a_crash_before_the_approved_edits_are_committed_keeps_the_approval(studio: Studio, other: Studio) -> None:
    async def story() -> None:
        view = await carried(studio, an_able_model(), PAD, softer(accept=False))
        run = view.record.id
        with suppress(Crash), dying_after(lambda event: event.kind == "EXECUTING"):
            await studio.runs.approve_gathered(run, "s2", Cancellation())
        assert await volumes(other) == [0]
        view = await other.runs.host.carry_out(run, Cancellation(), a_model(AssertionError("asked again")))
        assert (view.state, await volumes(other)) == (RunState.COMPLETED, [-9])

    asyncio.run(story())


def test_a_goal_cannot_be_approved_in_advance(studio: Studio) -> None:
    async def story() -> None:
        project = await studio.projects.create("One")
        stage = await studio.planning.stage(project)
        plan = studio.planning.adopt((await _plan(studio, project)), stage)
        judged = await studio.planning.judge(plan, stage.song)
        with pytest.raises(NotApproved, match="s2"):
            studio.session.approve_in_advance(judged)

    async def _plan(studio: Studio, project: Project) -> Any:
        run = await approved(studio, project, (PAD, softer()))
        return (await studio.runs.show(run)).plan

    asyncio.run(story())


def test_a_cancel_from_another_program_stops_a_model_at_work(studio: Studio, other: Studio) -> None:
    async def story() -> None:
        _, run = await begun(studio, PAD, softer(), LAST)
        worker = model(ScriptedProvider(says(), seconds=600), "")
        running = asyncio.create_task(studio.runs.host.carry_out(run, Cancellation(), worker))
        while not of_kind(await studio.runs.show(run), "STEP_DONE"):
            await asyncio.sleep(0.05)
        stopped = await asyncio.wait_for(other.runs.stopping.cancel(run), PATIENCE)
        view = await asyncio.wait_for(running, PATIENCE)
        assert stopped.state is view.state is RunState.CANCELLED
        assert [row.state.value for row in view.rows] == ["done", "not_run", "not_run"]

    asyncio.run(story())


def test_the_composer_works_on_a_goal_when_no_model_is_at_hand(studio: Studio) -> None:
    """Its rows outside of the limits are left out and said."""

    async def story() -> None:
        project = await studio.projects.create("One")
        piano = await _composed(studio, project, "a calm piano piece in C major")
        await studio.runs.host.carry_out(piano, Cancellation())
        before = await song_of(studio)
        target = before.tracks[0]
        tools = ("modify_clip", "update_track", "transform_clip", "add_effect", "set_tempo")
        row = goal("g", tools=tools, tracks=(target.id,), max_edits=50, words="make it slower and more ambient")
        run = await approved(studio, await studio.projects.find("One"), (row,))
        view = await studio.runs.host.carry_out(run, Cancellation())
        after_it = await song_of(studio)
        assert view.ledger.balanced
        assert view.rows[0].result["edits"] > 0
        others = {track.id: track for track in before.tracks if track.id != target.id}
        assert {track.id: track for track in after_it.tracks if track.id in others} == others
        if any(not call["ok"] for call in view.rows[0].result["calls"]):
            assert "left out" in view.rows[0].result["words"]

    async def _composed(studio: Studio, project: Project, request: str) -> RunId:
        stage = await studio.planning.stage(project)
        judged = await studio.planning.propose(request, stage, seed=1)
        approval = studio.session.approve(
            judged, judged.plan.hash, stage.revision
        )  # type: ignore[arg-type, union-attr]
        return await studio.runs.start(judged.plan, approval, project)  # type: ignore[union-attr]

    asyncio.run(story())


def test_a_goal_that_the_composer_cannot_read_fails_with_its_reason(studio: Studio) -> None:
    async def story() -> None:
        view = await carried(studio, None, PAD, softer())
        assert [row.state.value for row in view.rows] == ["done", "failed"]
        assert view.rows[1].reason

    asyncio.run(story())
