"""What another program does to a run is seen in the window, however little of it could be watched."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from opened_projects import opened_in
from patience import PATIENCE
from studios import after, approved, carried_out, crashed, paths_in, tempo, tracks

from agent.plan.plan import Step
from agent.session.cancellation import Cancellation
from agent.session.run_state import RunState
from agent.song.ids import RunId
from app.bootstrap import open_studio
from app.storage.errors import Busy
from app.storage.records import Run
from app.studio.running.run_view import RunView
from app.studio.studio import Studio
from app.studio.workspace import Workspace
from app.viewmodels.chat.entries import MessageEntry
from app.viewmodels.plan.running import Running

FAILS = (*tracks(1), Step("bad", "export_audio", {"format": "wav"}))
NOTES = [{"n": 60 + beat % 5, "s": beat, "d": 1, "v": 80} for beat in range(16)]
GATHERS = (
    *tracks(1),
    Step("clip", "create_midi_clip", {
        "track_id": "{{s0.track_id}}", "start_time": 0, "duration": 16, "notes": NOTES,
    }),
    Step("g", "work_on", {"tools": ["create_track", "create_midi_clip"], "tracks": ["{{s0.track_id}}"]}, by="model",
         goal="Add a bass line", max_edits=5, after=("clip",)),
)
Story = Callable[[Running, Workspace], Awaitable[None]]


@pytest.fixture(autouse=True)
def no_soundfont(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BANDLEADER_SOUNDFONT", "/nonexistent.sf2")


class Dying:
    """Tells of every run that it was left, once `dead`."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self.dead = False

    async def left(self) -> tuple[Run, ...]:
        return await self._studio.runs.all(await self._studio.projects.find("One")) if self.dead else ()


def opened(studio: Studio, story: Story, left: Dying | None = None) -> None:
    async def work() -> None:
        workspace = await studio.open(await studio.projects.create("One"))
        running = Running(studio.runs, workspace, left=None if left is None else left.left)
        await story(running, workspace)
        await running.close()

    asyncio.run(work())


def view_of(running: Running) -> RunView:
    assert running.live.value is not None
    assert running.live.value.view is not None
    return running.live.value.view


async def rests(studio: Studio, run: RunId) -> None:
    """Let a run go on until its second row, and rest there."""
    pause = Cancellation()
    silence = studio.runs.events.listen(after(2, pause.hold))
    assert (await studio.runs.host.carry_out(run, pause)).state is RunState.WAITING_USER
    silence()


def test_a_failed_run_that_is_mended_elsewhere_at_once_is_not_shown_as_failed(studio: Studio, other: Studio) -> None:
    async def story(running: Running, _: Workspace) -> None:
        run = (await carried_out(studio, running.project, FAILS)).record.id
        await running.show(run)
        assert view_of(running).state is RunState.PARTIAL
        await other.runs.skip(run, "bad", Cancellation())
        await running.following.look()
        assert view_of(running).state is RunState.COMPLETED
        assert running.live.value is not None
        assert running.live.value.failed == ()

    opened(studio, story)


@pytest.mark.parametrize("how", ["cancel", "carry_out", "rollback"])
def test_a_run_that_rests_and_is_ended_elsewhere_rests_no_more(studio: Studio, other: Studio, how: str) -> None:
    async def story(running: Running, _: Workspace) -> None:
        run = await approved(studio, running.project, tracks(40))
        await rests(studio, run)
        await running.following.look()
        assert running.paused
        assert view_of(running).state is RunState.WAITING_USER
        match how:
            case "cancel":
                await other.runs.stopping.cancel(run)
            case "carry_out":
                await other.runs.host.carry_out(run, Cancellation())
            case _:
                await other.runs.rollback(run)
        await running.following.look()
        assert view_of(running).state is (RunState.COMPLETED if how == "carry_out" else RunState.CANCELLED)
        assert not running.holds_song

    opened(studio, story)


def test_a_run_that_is_rolled_back_elsewhere_is_told_as_such(studio: Studio, other: Studio) -> None:
    async def story(running: Running, _: Workspace) -> None:
        run = (await carried_out(studio, running.project, tracks(2))).record.id
        await running.show(run)
        await other.runs.rollback(run)
        await running.following.look()
        assert view_of(running).events[-1].kind == "RUN_ROLLED_BACK"

    opened(studio, story)


def test_a_run_whose_program_dies_stands_still_and_is_offered(studio: Studio) -> None:
    dying = Dying(studio)

    async def story(running: Running, _: Workspace) -> None:
        run = await approved(studio, running.project, tracks(4))
        await crashed(studio, run, 2)
        await running.following.look()
        assert running.live.value is not None
        assert running.live.value.elsewhere
        assert running.watches_another
        dying.dead = True
        await running.following.look()
        assert not running.busy
        assert running.unfinished.value is not None
        assert (await running.resume(run)).state is RunState.COMPLETED

    opened(studio, story, dying)


def test_a_run_that_cannot_begin_because_another_program_has_the_song_is_not_shown_as_running(
    studio: Studio, other: Studio
) -> None:
    async def story(running: Running, workspace: Workspace) -> None:
        run = await approved(studio, running.project, tracks(2))
        await running.following.look()
        assert running.unfinished.value is not None
        lease = await other.store.write(lambda transaction: other.store.take(transaction, workspace.project))
        with pytest.raises(Busy):
            await running.resume(run)
        await running.following.look()
        assert not running.busy
        assert running.unfinished.value is not None
        assert lease is not None

    opened(studio, story)


def test_edits_that_another_program_gathered_are_seen_once_their_song_is(studio: Studio, other: Studio) -> None:
    async def story(running: Running, workspace: Workspace) -> None:
        view = await carried_out(other, await other.projects.find("One"), GATHERS)
        assert view.state is RunState.NEEDS_REVIEW
        await running.show(view.record.id)
        assert running.live.value is not None
        assert running.live.value.pending_edits == {}
        await workspace.reload()
        async with asyncio.timeout(PATIENCE):
            while not running.live.value.pending_edits:
                await asyncio.sleep(0.01)
        assert list(running.live.value.pending_edits) == ["g"]

    opened(studio, story)


def test_what_came_while_the_project_was_being_opened_is_taken_over(tmp_path: Path) -> None:
    async def chosen(studio: Studio) -> Workspace:
        workspace = await studio.open(await studio.projects.create("One"))
        other = open_studio(paths_in(tmp_path))
        await (await other.open(await other.projects.find("One"))).commit(tempo(90), label="Slower")
        await other.close()
        return workspace

    async def work() -> None:
        async with opened_in(tmp_path, chosen) as opened, asyncio.timeout(PATIENCE):
            while opened.workspace.song.tempos[0].bpm != 90:
                await asyncio.sleep(0.01)

    asyncio.run(work())


def test_the_chat_tells_of_the_end_that_a_run_came_to_elsewhere(tmp_path: Path) -> None:
    async def one(studio: Studio) -> Workspace:
        return await studio.open(await studio.projects.create("One"))

    async def work() -> None:
        other = open_studio(paths_in(tmp_path))
        async with opened_in(tmp_path, one) as opened, asyncio.timeout(PATIENCE):
            run = (await carried_out(opened.studio, opened.workspace.record, FAILS)).record.id
            while opened.running.live.value is None or opened.running.live.value.view is None:
                await asyncio.sleep(0.01)
            said = len([entry for entry in opened.conversation.entries if isinstance(entry, MessageEntry)])
            await other.runs.skip(run, "bad", Cancellation())
            while opened.running.live.value.state is not RunState.COMPLETED:
                await asyncio.sleep(0.01)
            words = [entry.text for entry in opened.conversation.entries if isinstance(entry, MessageEntry)]
            assert len(words) == said + 1
            assert words[-1].startswith("Done: 1 of 2 steps, 1 skipped.")
        await other.close()

    asyncio.run(work())
