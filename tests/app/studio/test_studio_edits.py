"""Edits by hand: one door, one iteration each, none while a run holds the song or another program was first."""

from __future__ import annotations

import asyncio

import pytest
from studios import approved, carried_out, crashed, tempo, tracks

from agent.fixes import FixKind
from agent.session.cancellation import Cancellation
from agent.session.run_state import RunError, RunState
from agent.song.changes import Changes
from agent.song.errors import SongError
from agent.song.song import Song
from app.storage import leases
from app.storage.errors import Busy, Stale
from app.studio.studio import Studio
from app.studio.workspace import Workspace


async def opened(studio: Studio, name: str = "One") -> Workspace:
    try:
        project = await studio.projects.find(name)
    except Exception:
        project = await studio.projects.create(name)
    return await studio.open(project)


def test_an_edit_is_one_iteration_and_is_told_as_what_changed(studio: Studio) -> None:
    async def story() -> None:
        workspace = await opened(studio)
        heard: list[Changes] = []
        workspace.changed.listen(heard.append)
        first = workspace.head
        made = await workspace.commit(tempo(99), label="Faster")
        project = await studio.projects.find("One")
        versions = await studio.history.of(project)
        assert (made.source, made.parent, made.number, made.actions) == ("edit", first, 2, 1)
        assert [one.id for one in versions.iterations] == [made.id, first]
        assert (project.head, project.working) == (made.id, made.root)
        assert len(heard) == 1
        assert [one.field for one in heard[0].song]
        assert (await studio.history.song(made)).tempos[0].bpm == 99

    asyncio.run(story())


def test_an_edit_that_breaks_a_rule_changes_nothing(studio: Studio) -> None:
    async def story() -> None:
        workspace = await opened(studio)
        before = workspace.revision
        with pytest.raises(SongError):
            await workspace.commit(tempo(100_000), label="Too fast")
        assert workspace.revision == before
        assert len((await studio.history.of(await studio.projects.find("One"))).iterations) == 1

    asyncio.run(story())


def test_an_edit_on_a_song_that_another_program_has_changed_is_refused(studio: Studio, other: Studio) -> None:
    async def story() -> None:
        mine, theirs = await opened(studio), await opened(other)
        await theirs.commit(tempo(140), label="Theirs")
        with pytest.raises(Stale):
            await mine.commit(tempo(80), label="Mine")
        assert len((await studio.history.of(await studio.projects.find("One"))).iterations) == 2
        await mine.reload()
        assert mine.song.tempos[0].bpm == 140
        made = await mine.commit(tempo(80), label="Mine")
        assert made.parent == theirs.head

    asyncio.run(story())


@pytest.mark.semantics("9.1")
def test_nothing_edits_the_song_while_a_run_holds_it(studio: Studio, other: Studio) -> None:
    async def story() -> None:
        workspace = await opened(studio)
        project = await studio.projects.find("One")
        run = await approved(studio, project, tracks(4))
        assert (await crashed(studio, run, 2)).state is RunState.RUNNING
        await workspace.reload()
        theirs = await opened(other)
        first = (await studio.history.of(project)).iterations[-1]
        for attempt in (
            lambda: workspace.commit(tempo(99), label="Faster"),
            lambda: theirs.replace(Song(name="New"), "import", "Imported"),
            lambda: studio.history.restore(workspace, first.id),
            lambda: carried_out(studio, project, tracks(1, "Second")),
        ):
            with pytest.raises(RunError) as caught:
                await attempt()
            assert run in caught.value.what
            assert caught.value.fix == FixKind.SETTLE_RUN(run)
        await studio.runs.host.carry_out(run, Cancellation())
        await workspace.reload()
        assert (await workspace.commit(tempo(99), label="Faster")).source == "edit"

    asyncio.run(story())


@pytest.mark.semantics("11.3")
def test_a_program_that_is_alive_keeps_its_lease_and_one_that_is_gone_does_not(
    studio: Studio, other: Studio
) -> None:
    async def story() -> None:
        workspace = await opened(studio)
        held = await other.store.write(lambda transaction: other.store.take(transaction, workspace.project))
        with pytest.raises(Busy):
            await workspace.commit(tempo(99), label="Faster")
        other.store.presence.end()
        taken = await studio.store.write(lambda transaction: studio.store.take(transaction, workspace.project))
        assert taken.fence > held.fence
        with pytest.raises(Busy):
            await other.store.write(lambda transaction: leases.verify(transaction, held))
        await studio.store.write(lambda transaction: leases.release(transaction, taken))
        assert (await workspace.commit(tempo(99), label="Faster")).number == 2

    asyncio.run(story())
