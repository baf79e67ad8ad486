"""A run's desk: only what is stored is shown, the newest song is at hand, and no fault leaves anything half."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from studios import approved, tempo, tracks

from agent.plan.ledger import StepState
from agent.session.cancellation import Cancellation
from agent.session.events import Event, StepDone
from agent.session.ports import Report, RowReport, SongMoved
from agent.session.run_state import RunState
from agent.song.errors import SongError
from agent.song.ids import RunId
from app.paths import Paths
from app.storage.database import Transaction
from app.storage.driver import raw
from app.storage.errors import StorageError
from app.studio.running.run_journal import RunJournal
from app.studio.studio import Studio
from app.studio.workspace import Workspace


def stored_working(database: Path) -> str:
    """The working song as another program sees it."""
    with closing(sqlite3.connect(database)) as connection:
        [(working,)] = connection.execute("SELECT working FROM project").fetchall()
    return str(working)


def stored_done(database: Path) -> int:
    """How many rows another program sees to be done."""
    with closing(sqlite3.connect(database)) as connection:
        [(done,)] = connection.execute("SELECT count(*) FROM event WHERE kind = 'STEP_DONE'").fetchall()
    return int(done)


def row(number: int) -> Report:
    """A row's end, with its event."""
    done = RowReport(f"s{number}", number, "set_tempo", StepState.DONE, f"key {number}")
    return Report((done,), (StepDone(f"s{number}"),))


async def a_run(studio: Studio, rows: int = 2) -> tuple[Workspace, RunId]:
    project = await studio.projects.create("One")
    run = await approved(studio, project, tracks(rows))
    return await studio.open(project), run


def desk_of(studio: Studio, workspace: Workspace, run: RunId) -> RunJournal:
    return RunJournal(studio.store, workspace, run, studio.runs.events, Cancellation())


def test_nothing_is_told_or_shown_before_another_program_can_see_it(studio: Studio, paths: Paths) -> None:
    async def story() -> None:
        workspace, run = await a_run(studio)
        told: list[Event] = []

        def hear(event: Event) -> None:
            told.append(event)
            assert stored_done(paths.database) >= len(told)

        studio.runs.events.listen(hear)
        workspace.changed.listen(lambda _: shown.append(workspace.song.tempos[0].bpm))
        shown: list[float] = []
        async with desk_of(studio, workspace, run) as desk:
            for number in range(70):
                await desk.commit(tempo(60 + number), row(number))
            await desk.settled()
            assert len(told) == 70
            assert shown == sorted(shown)
            assert shown[-1] == workspace.song.tempos[0].bpm == desk.song.tempos[0].bpm == 129
            assert stored_working(paths.database) == workspace.revision

    asyncio.run(story())


@pytest.mark.semantics("2.5")
def test_the_next_row_works_on_the_newest_song_while_others_see_the_stored_one(studio: Studio) -> None:
    async def story() -> None:
        workspace, run = await a_run(studio)
        gate = threading.Event()
        async with desk_of(studio, workspace, run) as desk:
            studio.store.database.write_soon(lambda _: gate.wait(20))
            before = workspace.revision
            await desk.commit(tempo(77), row(1))
            await desk.commit(tempo(78), row(2))
            assert desk.song.tempos[0].bpm == 78
            assert (workspace.revision, workspace.song.tempos[0].bpm) == (before, 120)
            gate.set()
            await desk.settled()
            assert workspace.song is desk.song

    asyncio.run(story())


def test_an_edit_that_breaks_a_rule_is_found_at_once_and_costs_nothing_else(studio: Studio) -> None:
    async def story() -> None:
        workspace, run = await a_run(studio)
        async with desk_of(studio, workspace, run) as desk:
            await desk.commit(tempo(77), row(1))
            with pytest.raises(SongError):
                await desk.commit(tempo(100_000), row(2))
            await desk.commit(tempo(78), row(3))
            await desk.settled()
            view = await studio.runs.show(run)
            assert [one.body for one in view.events if one.kind == "STEP_DONE"] == ['{"step":"s1"}', '{"step":"s3"}']
            assert workspace.song.tempos[0].bpm == 78

    asyncio.run(story())


@pytest.mark.semantics("6.10")
def test_a_full_disk_in_the_middle_keeps_what_came_before_and_the_run_is_taken_up(studio: Studio, paths: Paths) -> None:
    async def story() -> None:
        workspace, run = await a_run(studio, 120)
        studio.runs.host.attach(workspace)
        await studio.store.write(lambda transaction: pages(transaction, 12))
        with pytest.raises(StorageError, match="full"):
            await studio.runs.host.carry_out(run, Cancellation())
        left = await studio.runs.show(run)
        assert left.state is RunState.RUNNING
        assert 0 < left.ledger.done < 120
        assert len(workspace.song.tracks) == left.ledger.done == stored_done(paths.database)
        assert stored_working(paths.database) == workspace.revision == left.record.revision
        await studio.store.write(lambda transaction: pages(transaction, 100_000))
        view = await studio.runs.host.carry_out(run, Cancellation())
        assert (view.state, view.ledger.done) == (RunState.COMPLETED, 120)
        assert stored_done(paths.database) == 120
        assert len(workspace.song.tracks) == 120

    asyncio.run(story())


def pages(transaction: Transaction, more: int) -> None:
    """Let the database grow by no more than so many pages."""
    [now] = raw(transaction).execute("PRAGMA page_count").fetchone()
    raw(transaction).execute(f"PRAGMA max_page_count = {now + more}").fetchone()


@pytest.mark.semantics("5.5")
def test_a_song_that_someone_else_has_moved_ends_the_run_where_it_was(studio: Studio, paths: Paths) -> None:
    async def story() -> None:
        workspace, run = await a_run(studio)
        async with desk_of(studio, workspace, run) as desk:
            start = workspace.revision
            await desk.commit(tempo(77), row(1))
            await desk.settled()
            ours = workspace.revision
            await studio.store.write(lambda t: raw(t).execute("UPDATE project SET working = ?", (start,)))
            await desk.commit(tempo(78), row(2))
            await desk.note(row(3))
            with pytest.raises(SongMoved):
                await desk.settled()
            with pytest.raises(SongMoved):
                await desk.commit(tempo(79), row(4))
            assert desk.song is workspace.song
            assert (workspace.revision, workspace.song.tempos[0].bpm) == (ours, 77)
            assert stored_working(paths.database) == start
            assert stored_done(paths.database) == 1

    asyncio.run(story())


def test_leaving_stores_what_is_on_its_way_and_gives_the_lease_back(studio: Studio, other: Studio) -> None:
    async def story() -> None:
        workspace, run = await a_run(studio)
        gate, begun = threading.Event(), asyncio.Event()

        async def work() -> None:
            async with desk_of(studio, workspace, run) as desk:
                studio.store.database.write_soon(lambda _: gate.wait(20))
                for number in range(10):
                    await desk.commit(tempo(60 + number), row(number))
                begun.set()
                await asyncio.sleep(60)

        task = asyncio.create_task(work())
        await begun.wait()
        task.cancel()
        gate.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert workspace.song.tempos[0].bpm == 69
        assert [one.kind for one in (await other.runs.show(run)).events].count("STEP_DONE") == 10
        await other.store.write(lambda transaction: other.store.take(transaction, workspace.project))

    asyncio.run(story())


def test_what_could_not_be_stored_is_told_by_leaving_if_by_nothing_else(studio: Studio) -> None:
    async def story() -> None:
        workspace, run = await a_run(studio)
        async with desk_of(studio, workspace, run) as desk:
            await studio.store.write(lambda t: raw(t).execute("UPDATE project SET lease_fence = lease_fence + 1"))
            await desk.commit(tempo(77), row(1))

    with pytest.raises(StorageError):
        asyncio.run(story())
