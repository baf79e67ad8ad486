"""Pausing: a run rests between two rows, keeps its song, and is taken up, cancelled or rolled back from anywhere."""

from __future__ import annotations

import asyncio
import time

import pytest
from studios import after, approved, carried_out, crashed, tempo, tracks

from agent.plan.ledger import StepState
from agent.session.cancellation import Cancellation
from agent.session.run_state import RunError, RunState
from agent.song.ids import RunId
from app.storage import leases
from app.storage.driver import raw
from app.storage.records import Lease, Project
from app.studio.running.run_view import RunView
from app.studio.studio import Studio

MANY = 110
"""More rows than can be on their way to the store at once."""


async def a_project(studio: Studio) -> Project:
    return await studio.projects.create("One")


def kinds(view: RunView) -> list[str]:
    return [event.kind for event in view.events]


async def iterations(studio: Studio, run: RunId) -> int:
    known = (await studio.history.of(await studio.projects.find("One"))).iterations
    return sum(one.run == run for one in known)


async def begun(studio: Studio, run: RunId) -> None:
    while not (await studio.runs.show(run)).ledger.done:
        await asyncio.sleep(0.01)


async def paused(studio: Studio, by: Studio, run: RunId) -> RunView:
    """A run that `studio` carries out until `by` has let it rest."""
    silence = studio.runs.events.listen(after(1, lambda: time.sleep(0.03)))
    carrying = asyncio.create_task(studio.runs.host.carry_out(run, Cancellation()))
    await begun(by, run)
    rests = await by.runs.stopping.pause(run)
    assert await carrying == rests
    silence()
    return rests


async def holder(studio: Studio, project: Project) -> Lease | None:
    return await studio.store.read(lambda transaction: leases.holder(transaction, project.id))


@pytest.mark.parametrize("elsewhere", [False, True])
@pytest.mark.semantics("7.4", "7.5", "7.7")
def test_a_run_rests_between_two_rows_and_is_taken_up_by_another_program(
    studio: Studio, other: Studio, elsewhere: bool
) -> None:
    async def story() -> None:
        project = await a_project(studio)
        run = await approved(studio, project, tracks(MANY))
        view = await paused(studio, other if elsewhere else studio, run)
        assert view.state is RunState.WAITING_USER
        assert 0 < view.ledger.done < MANY
        assert {row.state for row in view.rows} == {StepState.DONE, StepState.WAITING}
        assert kinds(view)[-1] == "RUN_PAUSED"
        assert "PAUSE_REQUESTED" in kinds(view)
        assert await holder(studio, project) is None
        assert (view.record.iteration, view.answer, await iterations(studio, run)) == (None, None, 0)
        whole = await other.runs.host.carry_out(run, Cancellation())
        assert (whole.state, whole.ledger.done) == (RunState.COMPLETED, MANY)
        assert await iterations(studio, run) == 1
        started = [event for event in whole.events if event.kind == "RUN_STARTED"]
        assert [("resumed" in event.body) for event in started] == [False, True]

    asyncio.run(story())


@pytest.mark.semantics("7.7")
def test_a_run_that_rests_keeps_the_song(studio: Studio, other: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        run = await approved(studio, project, tracks(MANY))
        await paused(studio, other, run)
        workspace = await studio.open(await studio.projects.find("One"))
        with pytest.raises(RunError, match="holds the song"):
            await workspace.commit(tempo(99), label="Faster")
        with pytest.raises(RunError, match="holds the song"):
            await approved(other, project, tracks(1, "Bell"))

    asyncio.run(story())


@pytest.mark.semantics("7.6", "7.7")
def test_a_run_that_rests_can_be_cancelled_and_rolled_back(studio: Studio, other: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        run = await approved(studio, project, tracks(MANY))
        done = (await paused(studio, other, run)).ledger.done
        view = await other.runs.stopping.cancel(run)
        assert (view.state, view.ledger.done, view.ledger.balanced) == (RunState.CANCELLED, done, True)
        assert await iterations(studio, run) == 1
        again = await approved(studio, project, tracks(MANY, "Bell"))
        await paused(studio, other, again)
        rolled = await other.runs.rollback(again, over_later=True)
        assert rolled.state is RunState.CANCELLED
        assert kinds(rolled)[-1] == "RUN_ROLLED_BACK"
        assert (await studio.projects.find("One")).working == rolled.record.base_revision

    asyncio.run(story())


def test_a_run_that_a_crash_left_rests_at_once(studio: Studio, other: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        run = await approved(studio, project, tracks(5))
        await crashed(studio, run, 2)
        view = await other.runs.stopping.pause(run)
        assert (view.state, view.ledger.done) == (RunState.WAITING_USER, 2)
        assert view.events[-1].body == '{"left":3}'
        assert (await other.runs.stopping.pause(run)).events == view.events
        assert (await studio.runs.host.carry_out(run, Cancellation())).ledger.done == 5

    asyncio.run(story())


def test_a_crash_while_a_run_is_brought_to_rest_leaves_one_that_goes_on(studio: Studio, other: Studio) -> None:
    """The wish is stored, and the program dies before it has heard it: who takes the run up is not stopped by it."""

    async def story() -> None:
        project = await a_project(studio)
        run = await approved(studio, project, tracks(5))
        await crashed(studio, run, 2)
        ask = "INSERT INTO event (id, kind, at, body) SELECT max(id) + 1, 'PAUSE_REQUESTED', at, '{}' FROM event"
        await studio.store.write(lambda transaction: raw(transaction).execute(ask))
        other.runs.events.listen(after(1, lambda: time.sleep(0.3)))
        assert (await other.runs.host.carry_out(run, Cancellation())).state is RunState.COMPLETED

    asyncio.run(story())


def test_what_has_ended_or_not_begun_cannot_be_paused(studio: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        view = await carried_out(studio, project, tracks(1))
        waits = await approved(studio, project, tracks(1, "Bell"), queued=True)
        for run, state in ((view.record.id, "COMPLETED"), (waits, "QUEUED")):
            with pytest.raises(RunError) as caught:
                await studio.runs.stopping.pause(run)
            assert state in caught.value.why
            assert "PAUSE_REQUESTED" not in kinds(await studio.runs.show(run))

    asyncio.run(story())


def test_a_program_that_leaves_a_run_lets_any_other_take_it_up(studio: Studio, other: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        run = await approved(studio, project, tracks(MANY))
        silence = studio.runs.events.listen(after(1, lambda: time.sleep(0.02)))
        carrying = asyncio.create_task(studio.runs.host.carry_out(run, Cancellation()))
        await begun(studio, run)
        studio.runs.host.leave(run)
        view = await carrying
        silence()
        assert view.state is RunState.RUNNING
        assert "RUN_PAUSED" not in kinds(view)
        assert [one.id for one in await other.requests.left()] == [run]
        assert (await other.runs.host.carry_out(run, Cancellation())).ledger.done == MANY

    asyncio.run(story())
