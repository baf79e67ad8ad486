"""Runs with a real database: one iteration each, taken up, cancelled, fenced, queued, rolled back."""

from __future__ import annotations

import asyncio
import time
from functools import partial

import pytest
from studios import after, approved, carried_out, crashed, tempo, tracks

from agent.plan.document import Plan
from agent.plan.plan import Step
from agent.session.cancellation import Cancellation
from agent.session.ports import Report
from agent.session.run_state import RunError, RunState
from agent.session.session import NotApproved
from agent.song.ids import RunId
from app.storage import leases
from app.storage.driver import raw
from app.storage.errors import Busy
from app.storage.records import Project, StoredHistory
from app.studio.running.run_journal import RunJournal
from app.studio.studio import Studio

HALF = (
    Step("s0", "create_track", {"name": "Pad", "instrument": "pad_warm"}),
    Step("hear", "render", on_error="stop"),
    Step("s1", "set_tempo", {"bpm": 77}),
)
"""The second row fails where there is no SoundFont."""


@pytest.fixture
def no_soundfont(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BANDLEADER_SOUNDFONT", "/nonexistent.sf2")


async def a_project(studio: Studio) -> Project:
    return await studio.projects.create("One")


async def iterations_of(studio: Studio, run: RunId | None = None) -> list[str]:
    versions: StoredHistory = await studio.history.of(await studio.projects.find("One"))
    return [one.source for one in versions.iterations if run is None or one.run == run]


@pytest.mark.semantics("9.2")
def test_a_run_saves_one_iteration_that_says_all_about_it(studio: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        view = await carried_out(studio, project, tracks(3))
        assert view.state is RunState.COMPLETED
        [made] = [one for one in (await studio.history.of(project)).iterations if one.run]
        assert (made.id, made.run, made.actions) == (view.record.iteration, view.record.id, 3)
        assert (made.message, made.source) == ("more", "ai_iteration")
        assert made.plan == view.record.plan
        assert (await studio.projects.find("One")).head == made.id
        assert view.ledger.done == view.ledger.approved == 3
        assert view.answer

    asyncio.run(story())


@pytest.mark.semantics("9.2")
def test_a_run_that_only_reads_saves_none(studio: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        view = await carried_out(studio, project, (Step("find", "find_tracks", {}),))
        assert view.state is RunState.COMPLETED
        assert view.record.iteration is None
        assert await iterations_of(studio) == ["edit"]

    asyncio.run(story())


@pytest.mark.semantics("9.2", "9.5")
def test_a_run_that_ends_half_saves_what_is_done_and_goes_on_without_a_row(studio: Studio, no_soundfont: None) -> None:
    async def story() -> None:
        project = await a_project(studio)
        view = await carried_out(studio, project, HALF)
        run = view.record.id
        assert view.state is RunState.PARTIAL
        assert (view.ledger.done, view.ledger.failed, view.ledger.not_run) == (1, 1, 1)
        assert view.ledger.balanced
        assert await iterations_of(studio, run) == ["ai_iteration"]
        again = await studio.runs.retry(run, Cancellation())
        assert (again.state, again.ledger) == (view.state, view.ledger)
        assert await iterations_of(studio, run) == ["ai_iteration"]
        with pytest.raises(RunError):
            await studio.runs.skip(run, "s0", Cancellation())
        assert (await studio.runs.show(run)).ledger == view.ledger
        whole = await studio.runs.skip(run, "hear", Cancellation())
        assert whole.state is RunState.COMPLETED
        assert (whole.ledger.done, whole.ledger.skipped) == (2, 1)
        assert await iterations_of(studio, run) == ["ai_iteration", "ai_iteration"]

    asyncio.run(story())


def test_a_run_of_which_nothing_is_done_saves_nothing(studio: Studio, no_soundfont: None) -> None:
    async def story() -> None:
        project = await a_project(studio)
        view = await carried_out(studio, project, HALF[1:2])
        assert view.ledger.failed == 1
        assert view.record.iteration is None
        assert await iterations_of(studio) == ["edit"]

    asyncio.run(story())


@pytest.mark.semantics("9.5")
def test_a_half_run_is_not_taken_up_once_the_song_has_moved_on(studio: Studio, no_soundfont: None) -> None:
    async def story() -> None:
        project = await a_project(studio)
        view = await carried_out(studio, project, HALF)
        await (await studio.open(await studio.projects.find("One"))).commit(tempo(99), label="Faster")
        with pytest.raises(RunError, match="cannot be taken up"):
            await studio.runs.retry(view.record.id, Cancellation())
        after = await studio.runs.show(view.record.id)
        assert (after.state, after.ledger) == (view.state, view.ledger)

    asyncio.run(story())


@pytest.mark.parametrize("rows", [1, 3, 6])
@pytest.mark.semantics("6.3", "6.4")
def test_a_crashed_run_is_taken_up_to_the_same_song(studio: Studio, rows: int) -> None:
    async def story() -> None:
        project = await a_project(studio)
        run = await approved(studio, project, tracks(6))
        stage = await studio.planning.stage(project)
        foreseen = await studio.planning.judge((await studio.runs.show(run)).plan, stage.song)
        left = await crashed(studio, run, rows)
        assert left.state is RunState.RUNNING
        assert left.ledger.done == rows
        assert await iterations_of(studio, run) == []
        view = await studio.runs.host.carry_out(run, Cancellation())
        assert view.state is RunState.COMPLETED
        assert await iterations_of(studio, run) == ["ai_iteration"]
        song = (await studio.open(await studio.projects.find("One"))).song
        assert [track.name for track in song.tracks] == [f"Pad {n}" for n in range(6)]
        # What was shown before the approval is what came of it: to the id of every track.
        assert foreseen.preview is not None
        assert song == foreseen.preview.song

    asyncio.run(story())


def test_a_song_that_was_changed_meanwhile_stops_resuming_and_cancelling_frees_it(studio: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        run = await approved(studio, project, tracks(4))
        await crashed(studio, run, 2)
        first = (await studio.history.of(project)).iterations[-1].root
        moved = "UPDATE project SET working = ?"
        await studio.store.write(lambda transaction: raw(transaction).execute(moved, (first,)))
        with pytest.raises(NotApproved):
            await studio.runs.host.carry_out(run, Cancellation())
        assert (await studio.runs.show(run)).ledger.done == 2
        assert (await studio.runs.stopping.cancel(run)).state is RunState.CANCELLED
        workspace = await studio.open(await studio.projects.find("One"))
        assert (await workspace.commit(tempo(99), label="Faster")).number == 2

    asyncio.run(story())


@pytest.mark.semantics("9.3")
def test_a_plan_is_refused_once_the_song_has_moved_on(studio: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        run = await approved(studio, project, tracks(2))
        await (await studio.open(project)).commit(tempo(99), label="Faster")
        with pytest.raises(NotApproved):
            await studio.runs.host.carry_out(run, Cancellation())
        left = await studio.runs.show(run)
        assert (left.ledger.done, left.state) == (0, RunState.PROPOSED)
        assert await iterations_of(studio) == ["edit", "edit"]

    asyncio.run(story())


@pytest.mark.semantics("11.4")
def test_a_run_is_cancelled_by_another_program(studio: Studio, other: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        run = await approved(studio, project, tracks(120))
        studio.runs.events.listen(after(1, lambda: time.sleep(0.03)))
        mine, theirs = await asyncio.gather(
            studio.runs.host.carry_out(run, Cancellation()), _cancelled_once_begun(other, run)
        )
        assert mine.state is theirs.state is RunState.CANCELLED
        assert 0 < theirs.ledger.done < 120
        assert theirs.ledger.balanced
        assert await iterations_of(studio, run) == ["ai_iteration"]

    asyncio.run(story())


async def _cancelled_once_begun(studio: Studio, run: RunId) -> object:
    while not (await studio.runs.show(run)).ledger.done:
        await asyncio.sleep(0.01)
    return await studio.runs.stopping.cancel(run)


@pytest.mark.semantics("9.4")
def test_a_run_that_nobody_carries_out_is_cancelled_and_keeps_what_is_done(studio: Studio, other: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        run = await approved(studio, project, tracks(5))
        await crashed(studio, run, 2)
        view = await other.runs.stopping.cancel(run)
        assert view.state is RunState.CANCELLED
        assert (view.ledger.done, view.ledger.not_run) == (2, 3)
        assert await iterations_of(studio, run) == ["ai_iteration"]
        with pytest.raises(RunError):
            await studio.runs.stopping.cancel(run)

    asyncio.run(story())


@pytest.mark.semantics("11.2")
def test_a_program_that_lost_its_lease_stores_nothing_more(studio: Studio, other: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        run = await approved(studio, project, tracks(2))
        workspace = await studio.open(project)
        async with RunJournal(studio.store, workspace, run, studio.runs.events, Cancellation()) as desk:
            before = workspace.revision
            await _taken_over(other, project)
            await desk.note(Report())
            for late in (desk.settled, partial(desk.note, Report()), partial(desk.commit, tempo(99), Report())):
                with pytest.raises(Busy):
                    await late()
            assert (await studio.projects.find("One")).working == before == workspace.revision

    asyncio.run(story())


@pytest.mark.semantics("11.2")
def test_a_run_whose_lease_is_taken_over_stops_and_can_be_taken_up(studio: Studio, other: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        run = await approved(studio, project, tracks(60))
        studio.runs.events.listen(after(1, lambda: time.sleep(0.02)))
        carrying = asyncio.create_task(studio.runs.host.carry_out(run, Cancellation()))
        while not (await other.runs.show(run)).ledger.done:
            await asyncio.sleep(0.01)
        lease = await _taken_over(other, project)
        with pytest.raises(Busy):
            await carrying
        left = await other.runs.show(run)
        assert left.state is RunState.RUNNING
        assert left.ledger.failed == 0
        await other.store.write(lambda transaction: leases.release(transaction, lease))
        view = await other.runs.host.carry_out(run, Cancellation())
        assert view.ledger.done == 60
        assert await iterations_of(studio, run) == ["ai_iteration"]

    asyncio.run(story())


async def _taken_over(studio: Studio, project: Project) -> leases.Lease:
    """What happens when a program was silent for so long that its lease ran out."""

    def work(transaction: leases.Connection) -> leases.Lease:
        raw(transaction).execute("UPDATE project SET lease_until = 0")
        return studio.store.take(transaction, project.id)

    return await studio.store.write(work)


@pytest.mark.semantics("11.1")
def test_one_program_does_not_carry_out_two_runs_of_a_project_at_once(studio: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        run = await approved(studio, project, tracks(8))
        both = [studio.runs.host.carry_out(run, Cancellation()) for _ in range(2)]
        ends = await asyncio.gather(*both, return_exceptions=True)
        assert [type(end) for end in ends].count(Busy) == 1
        assert (await studio.runs.show(run)).ledger.done == 8
        assert await iterations_of(studio, run) == ["ai_iteration"]

    asyncio.run(story())


@pytest.mark.semantics("10.3")
def test_a_queued_run_waits_and_runs_when_the_song_is_still_the_approved_one(studio: Studio, other: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        first = await approved(studio, project, (Step("s1", "find_tracks", {}), Step("s2", "describe_song", {})))
        second = await approved(other, project, tracks(3, "Bell"), queued=True)
        await crashed(studio, first, 1)
        waiting = asyncio.create_task(other.runs.queue.wait_for_turn(second, Cancellation()))
        await asyncio.sleep(0.1)
        assert not waiting.done()
        await studio.runs.stopping.cancel(first)
        assert await waiting
        assert (await other.runs.host.carry_out(second, Cancellation())).state is RunState.COMPLETED

    asyncio.run(story())


@pytest.mark.semantics("10.3")
def test_a_queued_run_whose_song_has_changed_asks_again(studio: Studio, other: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        first = await approved(studio, project, tracks(3))
        second = await approved(other, project, tracks(3, "Bell"), queued=True)
        await studio.runs.host.carry_out(first, Cancellation())
        with pytest.raises(NotApproved):
            await other.runs.queue.wait_for_turn(second, Cancellation())
        view = await other.runs.show(second)
        assert (view.state, view.ledger.done) == (RunState.PROPOSED, 0)

    asyncio.run(story())


def test_a_queued_run_keeps_to_the_song_that_it_was_approved_for(studio: Studio, other: Studio) -> None:
    """Approved for the song before the first run, queued after its last row: the first run's end must not free it."""

    async def story() -> None:
        project = await a_project(studio)
        stage = await studio.planning.stage(project)
        first = await approved(studio, project, tracks(2))
        judged = await other.planning.judge(other.planning.adopt(_plan(), stage), stage.song)
        approval = other.session.approve(judged, judged.plan.hash, stage.revision)
        await crashed(studio, first, 2)
        second = await other.runs.start(judged.plan, approval, project, queued=True)
        await studio.runs.host.carry_out(first, Cancellation())
        with pytest.raises(NotApproved):
            await other.runs.queue.wait_for_turn(second, Cancellation())

    asyncio.run(story())


def _plan() -> Plan:
    return Plan(tracks(1, "Bell"), request="more")


@pytest.mark.semantics("10.2", "10.4")
def test_one_run_waits_at_a_time_and_a_waiting_one_can_be_cancelled(studio: Studio, other: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        first = await approved(studio, project, tracks(3))
        second = await approved(studio, project, tracks(1, "Bell"), queued=True)
        with pytest.raises(RunError) as caught:
            await approved(studio, project, tracks(1, "Harp"), queued=True)
        assert second in caught.value.what
        await crashed(studio, first, 1)
        waiting = asyncio.create_task(studio.runs.queue.wait_for_turn(second, Cancellation()))
        await asyncio.sleep(0.1)
        assert (await other.runs.stopping.cancel(second)).state is RunState.CANCELLED
        assert not await waiting
        assert (await studio.runs.show(second)).state is RunState.CANCELLED
        asked = Cancellation()
        asked.cancel()
        third = await approved(studio, project, tracks(1, "Harp"), queued=True)
        assert not await studio.runs.queue.wait_for_turn(third, asked)
        assert (await studio.runs.show(third)).state is RunState.CANCELLED

    asyncio.run(story())


@pytest.mark.semantics("9.7")
def test_rolling_back_brings_the_song_before_the_run(studio: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        before = (await studio.projects.find("One")).working
        view = await carried_out(studio, project, tracks(3))
        await studio.runs.rollback(view.record.id)
        assert (await studio.projects.find("One")).working == before
        assert await iterations_of(studio) == ["restore", "ai_iteration", "edit"]

    asyncio.run(story())


@pytest.mark.semantics("9.7")
def test_rolling_back_names_later_iterations_and_asks(studio: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        before = (await studio.projects.find("One")).working
        view = await carried_out(studio, project, tracks(2))
        workspace = await studio.open(await studio.projects.find("One"))
        later = await workspace.commit(tempo(99), label="By hand, faster")
        with pytest.raises(NotApproved) as caught:
            await studio.runs.rollback(view.record.id)
        assert later.id in caught.value.why
        assert "By hand, faster" in caught.value.why
        assert (await studio.projects.find("One")).head == later.id
        await studio.runs.rollback(view.record.id, over_later=True)
        assert (await studio.projects.find("One")).working == before
        assert await iterations_of(studio) == ["restore", "edit", "ai_iteration", "edit"]

    asyncio.run(story())


@pytest.mark.semantics("9.7")
def test_rolling_back_what_changed_nothing_makes_no_iteration(studio: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        run = await approved(studio, project, tracks(5))
        await studio.runs.stopping.cancel(run)
        before = await iterations_of(studio)
        view = await studio.runs.rollback(run)
        assert [event.kind for event in view.events][-1] == "RUN_ROLLED_BACK"
        assert await iterations_of(studio) == before

    asyncio.run(story())


@pytest.mark.semantics("9.4", "9.7")
def test_rolling_back_a_run_that_a_crash_left_cancels_it_first(studio: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        before = (await studio.projects.find("One")).working
        run = await approved(studio, project, tracks(5))
        await crashed(studio, run, 3)
        view = await studio.runs.rollback(run)
        assert view.state is RunState.CANCELLED
        assert [event.kind for event in view.events][-1] == "RUN_ROLLED_BACK"
        assert (await studio.projects.find("One")).working == before
        assert await iterations_of(studio) == ["restore", "ai_iteration", "edit"]

    asyncio.run(story())


@pytest.mark.semantics("9.5")
def test_a_completed_run_has_nothing_to_take_up_again(studio: Studio) -> None:
    async def story() -> None:
        view = await carried_out(studio, await a_project(studio), tracks(1))
        for attempt in (
            studio.runs.retry(view.record.id, Cancellation()), studio.runs.skip(view.record.id, "s0", Cancellation()),
        ):
            with pytest.raises(RunError, match="nothing to take up"):
                await attempt

    asyncio.run(story())
