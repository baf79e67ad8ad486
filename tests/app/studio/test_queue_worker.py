"""The worker: woken by what is stored, takes up what was left, and never stops for one run's sake."""

from __future__ import annotations

import asyncio
import time

import pytest
from patience import PATIENCE
from studios import after, approved, crashed, tracks

from agent.plan.plan import Step
from agent.session.cancellation import Cancellation
from agent.session.run_state import RunState
from agent.song.ids import RunId
from app.storage.driver import raw
from app.storage.records import Project
from app.studio.running import commit_watch
from app.studio.running.run_options import RunOptions
from app.studio.running.worker import Doing, QueueWorker, workers
from app.studio.studio import Studio

SEEDED = RunOptions("local", seed=7)

MANY = 110
"""More rows than can be on their way to the store at once."""


def worker_of(studio: Studio) -> QueueWorker:
    return QueueWorker(studio.store, studio.runs, studio.requests)


async def a_project(studio: Studio, name: str = "One") -> Project:
    return await studio.projects.create(name)


async def until(studio: Studio, run: RunId, state: RunState) -> None:
    async with asyncio.timeout(PATIENCE):
        while (await studio.runs.show(run)).state is not state:
            await asyncio.sleep(0.02)


async def idle(worker: QueueWorker) -> None:
    async with asyncio.timeout(PATIENCE):
        while worker.doing.doing:
            await asyncio.sleep(0.02)


def test_a_worker_does_all_that_can_be_done_and_ends(studio: Studio) -> None:
    async def story() -> None:
        first = await a_project(studio)
        left = await approved(studio, first, tracks(4))
        await crashed(studio, left, 2)
        request = await studio.requests.ask("a calm lofi beat", first, SEEDED)
        waits = await approved(studio, await a_project(studio, "Two"), tracks(3), queued=True)
        done = await worker_of(studio).once()
        assert (await studio.runs.show(left)).state is RunState.COMPLETED
        assert (await studio.runs.show(waits)).state is RunState.COMPLETED
        assert (await studio.runs.show(request)).state is RunState.PROPOSED
        assert (done.runs, done.planned, done.steps, done.doing) == (2, 1, 5, ())
        started = [event.body for event in (await studio.runs.show(left)).events if event.kind == "RUN_STARTED"]
        assert "resumed" in started[-1]

    asyncio.run(story())


def test_a_worker_of_one_project_tells_that_it_serves_no_other(studio: Studio) -> None:
    async def story() -> None:
        one, other = await a_project(studio), await a_project(studio, "Two")
        worker = QueueWorker(studio.store, studio.runs, studio.requests, one.id)
        worker.start()
        async with asyncio.timeout(PATIENCE):
            while not (alive := workers(studio.store.presence.told())):
                await asyncio.sleep(0.02)
        assert [[each.serves(project.id) for project in (one, other)] for each in alive] == [[True, False]]
        await worker.stop()

    asyncio.run(story())


@pytest.mark.semantics("10.5")
def test_a_worker_is_woken_by_its_own_program_without_looking(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commit_watch, "LOOK_EVERY", 3600)

    async def story() -> None:
        project, worker = await a_project(studio), worker_of(studio)
        studio.runs.watch = lambda every=3600: commit_watch.CommitWatch(studio.store, studio.runs.changed, every)  # type: ignore[method-assign]
        monkeypatch.setattr("app.studio.running.worker._DEATH_LOOK", 3600)
        worker.start()
        await asyncio.sleep(0.1)
        run = await studio.requests.ask("a calm lofi beat", project, SEEDED)
        await until(studio, run, RunState.PROPOSED)
        await studio.runs.approve(run, (await studio.runs.show(run)).plan.hash)
        await until(studio, run, RunState.COMPLETED)
        await worker.stop()

    asyncio.run(story())


@pytest.mark.semantics("10.5")
def test_a_worker_sees_what_other_programs_store(studio: Studio, other: Studio) -> None:
    async def story() -> None:
        project, worker = await a_project(studio), worker_of(studio)
        worker.start()
        await asyncio.sleep(0.1)
        run = await approved(other, project, tracks(2), queued=True)
        await until(other, run, RunState.COMPLETED)
        await idle(worker)
        assert (worker.doing.runs, worker.doing.steps) == (1, 2)
        await worker.stop()

    asyncio.run(story())


@pytest.mark.semantics("10.5")
def test_a_worker_that_is_stopped_leaves_its_run_to_the_next(studio: Studio, other: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        run = await approved(studio, project, tracks(MANY), queued=True)
        silence = studio.runs.events.listen(after(1, lambda: time.sleep(0.02)))
        worker = worker_of(studio)
        worker.start()
        while not (await other.runs.show(run)).ledger.done:
            await asyncio.sleep(0.01)
        await worker.stop()
        silence()
        view = await other.runs.show(run)
        assert (view.state, view.ledger.done < MANY) == (RunState.RUNNING, True)
        await worker_of(other).once()
        view = await other.runs.show(run)
        assert (view.state, view.ledger.done) == (RunState.COMPLETED, MANY)

    asyncio.run(story())


def test_a_run_that_rests_is_not_taken_up(studio: Studio) -> None:
    async def story() -> None:
        run = await approved(studio, await a_project(studio), tracks(4))
        await crashed(studio, run, 1)
        await studio.runs.stopping.pause(run)
        assert (await worker_of(studio).once()).runs == 0
        assert (await studio.runs.show(run)).state is RunState.WAITING_USER

    asyncio.run(story())


def test_what_cannot_be_done_is_told_once_and_the_rest_goes_on(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults: list[Exception] = []

    async def story() -> None:
        first, second = await a_project(studio), await a_project(studio, "Two")
        broken = await studio.requests.ask("a calm lofi beat", first, SEEDED)
        runs = await approved(studio, second, tracks(2), queued=True)

        async def fault(*_: object, **__: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(studio.planning, "propose", fault)
        worker = worker_of(studio)
        worker.faults.listen(faults.append)
        done = await worker.once()
        assert list(done.given_up) == [broken]
        assert [type(one) for one in faults] == [ZeroDivisionError]
        assert (await studio.runs.show(runs)).state is RunState.COMPLETED
        assert (await studio.runs.show(broken)).state is RunState.DRAFT
        monkeypatch.undo()
        assert (await worker_of(studio).once()).planned == 1

    asyncio.run(story())


def test_a_run_whose_song_has_moved_on_is_given_up_and_not_tried_again(studio: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        run = await approved(studio, project, tracks(4))
        await crashed(studio, run, 2)
        first = (await studio.history.of(project)).iterations[-1].root
        await studio.store.write(
            lambda transaction: raw(transaction).execute("UPDATE project SET working = ?", (first,))
        )
        done = await worker_of(studio).once()
        assert "song has changed" in done.given_up[run]

    asyncio.run(story())


def test_a_run_whose_tool_this_program_does_not_know_waits_for_one_that_does(studio: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        run = await approved(studio, project, tracks(2), queued=True)
        studio.registry.drop("song")
        done = await worker_of(studio).once()
        assert "create_track" in done.given_up[run]
        view = await studio.runs.show(run)
        assert (view.state, view.ledger.failed) == (RunState.QUEUED, 0)

    asyncio.run(story())


def test_two_workers_share_the_queue_and_do_nothing_twice(studio: Studio, other: Studio) -> None:
    async def story() -> None:
        names = [f"Song {number}" for number in range(4)]
        runs = [await approved(studio, await a_project(studio, name), tracks(6), queued=True) for name in names]
        both = await asyncio.gather(worker_of(studio).once(), worker_of(other).once())
        assert sum(one.runs for one in both) <= 4
        await worker_of(studio).once()
        for run in runs:
            view = await studio.runs.show(run)
            assert (view.state, view.ledger.done) == (RunState.COMPLETED, 6)
            assert [event.kind for event in view.events].count("RUN_STARTED") == 1

    asyncio.run(story())


def test_others_can_read_what_a_worker_does(studio: Studio, other: Studio) -> None:
    async def story() -> None:
        project, worker = await a_project(studio), worker_of(studio)
        seen: list[Doing] = []
        worker.told.listen(seen.append)
        assert workers(other.store.presence.told()) == ()
        worker.start()
        run = await approved(studio, project, tracks(2), queued=True)
        await until(studio, run, RunState.COMPLETED)
        async with asyncio.timeout(PATIENCE):
            while not (alive := workers(other.store.presence.told())[0]).doing.runs or alive.doing.doing:
                await asyncio.sleep(0.02)
        assert (alive.name, alive.doing.runs, alive.doing.steps) == (studio.store.presence.name, 1, 2)
        assert (f"carry out {run}",) in [one.doing for one in seen]
        await worker.stop()
        assert workers(other.store.presence.told()) == ()

    asyncio.run(story())


def test_the_turn_is_waited_for_where_another_program_carries_the_run_out(studio: Studio, other: Studio) -> None:
    async def story() -> None:
        project = await a_project(studio)
        run = await approved(studio, project, (*tracks(MANY), Step("look", "find_tracks", {})), queued=True)
        silence = studio.runs.events.listen(after(1, lambda: time.sleep(0.02)))
        working = asyncio.create_task(worker_of(studio).once())
        while not (await other.runs.show(run)).ledger.done:
            await asyncio.sleep(0.01)
        view = await other.runs.queue.carry_out_in_turn(run, Cancellation())
        await working
        silence()
        assert (view.state, view.ledger.done) == (RunState.COMPLETED, MANY + 1)
        assert [event.kind for event in view.events].count("RUN_STARTED") == 1

    asyncio.run(story())


