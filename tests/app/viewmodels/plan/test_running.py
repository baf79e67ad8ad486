"""The run that the window shows: watched, stopped, mended, left and taken up."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from msgspec.structs import replace
from studios import after, approved, crashed, tracks

from agent.plan.document import Plan
from agent.plan.errors import PlanError
from agent.plan.ledger import StepState
from agent.plan.plan import Step
from agent.session import events as ev
from agent.session.run_state import RunError, RunState
from app.studio.studio import Studio
from app.studio.workspace import Workspace
from app.viewmodels.plan.live_run import LiveRun, PacedRows
from app.viewmodels.plan.reviewing import Reviewing
from app.viewmodels.plan.running import Running
from app.viewmodels.watched import Watched

FAILS = (
    *tracks(1),
    Step("clip", "create_midi_clip", {
        "track_id": "{{s0.track_id}}", "start_time": 0, "duration": 4, "notes": [{"n": 60, "s": 0, "d": 1, "v": 90}],
    }),
    Step("bad", "export_audio", {"format": "wav"}),
    Step("later", "set_tempo", {"bpm": 90}, after=("bad",)),
)
"""The third row fails where there is no SoundFont; as MIDI it does not."""


@pytest.fixture
def no_soundfont(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BANDLEADER_SOUNDFONT", "/nonexistent.sf2")


def opened(studio: Studio, story: Callable[[Running, Reviewing, Workspace], Awaitable[None]]) -> None:
    async def work() -> None:
        workspace = await studio.open(await studio.projects.create("One"))
        reviewing = Reviewing(studio.session, studio.planning, workspace, studio.palette)
        running = Running(studio.runs, workspace)
        await story(running, reviewing, workspace)
        await running.close()
        reviewing.close()

    asyncio.run(work())


async def start(studio: Studio, running: Running, reviewing: Reviewing, rows: tuple[Step, ...]) -> LiveRun:
    """Propose, approve and carry out; the run as it is shown at its end."""
    stage = await studio.planning.stage(running.project)
    plan = studio.planning.adopt(Plan(rows, request="more"), stage)
    await reviewing.put_up(await studio.planning.judge(plan, stage.song))
    proposal = reviewing.proposal.value
    assert proposal is not None
    await running.start(proposal, *reviewing.approve(proposal.judged.plan.hash))
    assert running.live.value is not None
    return running.live.value


def test_rows_are_seen_to_run_and_the_song_changes_under_the_views(studio: Studio) -> None:
    async def story(running: Running, reviewing: Reviewing, workspace: Workspace) -> None:
        seen: list[tuple[int, int]] = []
        running.live.changed.listen(
            lambda live: seen.append((live.ledger.done, len(workspace.song.tracks))) if live else None
        )
        live = await start(studio, running, reviewing, tracks(3))
        assert live.state is RunState.COMPLETED
        assert [done for done, _ in seen] == sorted(done for done, _ in seen)
        assert seen[0][0] == 0
        assert seen[-1] == (3, 3)
        assert all(done <= shown for done, shown in seen)
        assert live.view is not None
        assert workspace.head == live.view.record.iteration
        assert all(row.seconds is not None for row in live.rows.values())

    opened(studio, story)


def test_rows_that_are_stored_together_are_told_once(studio: Studio) -> None:
    async def story(running: Running, reviewing: Reviewing, _: Workspace) -> None:
        ended = await start(studio, running, reviewing, tracks(3))
        waiting = {step: replace(row, state=StepState.WAITING) for step, row in ended.rows.items()}
        live: Watched[LiveRun | None] = Watched(replace(ended, state=RunState.RUNNING, rows=waiting))
        told: list[LiveRun | None] = []
        live.changed.listen(told.append)
        paced = PacedRows(live)

        def states() -> list[StepState]:
            assert live.value is not None
            return [row.state for row in live.value.rows.values()]

        for step in waiting:
            assert live.value is not None
            paced.hear(live.value, step, ev.StepStarted(step, "create_track"))
        assert not told
        await asyncio.sleep(0)
        assert len(told) == 1
        assert states() == [StepState.RUNNING] * 3
        assert live.value is not None
        paced.hear(live.value, "s1", ev.StepProgress("s1", 0.5))
        paced.hear(live.value, "s0", ev.StepStarted("s0", "create_track"))
        paced.forget()
        await asyncio.sleep(0.1)
        assert len(told) == 1, "what was forgotten is not told"

    opened(studio, story)


def test_a_failed_row_is_mended_by_hand_and_the_rest_runs(studio: Studio, no_soundfont: None) -> None:
    async def story(running: Running, reviewing: Reviewing, workspace: Workspace) -> None:
        live = await start(studio, running, reviewing, FAILS)
        assert (live.state, live.failed) == (RunState.PARTIAL, ("bad",))
        view = await running.amend("bad", {"format": "mid"})
        assert view.state is RunState.COMPLETED
        assert workspace.song.tempos[0].bpm == 90
        [row] = [one for one in view.rows if one.step == "bad"]
        assert row.result["path"].endswith(".mid")
        told = [event for event in view.events if event.kind == "ROW_APPROVED"]
        assert len(told) == 1

    opened(studio, story)


def test_inputs_that_do_not_fit_change_nothing_of_a_failed_run(studio: Studio, no_soundfont: None) -> None:
    async def story(running: Running, reviewing: Reviewing, _: Workspace) -> None:
        before = await start(studio, running, reviewing, FAILS)
        with pytest.raises(PlanError):
            await running.amend("bad", {"format": 3})
        now = running.live.value
        assert now is not None
        assert (now.state, now.failed) == (before.state, before.failed)

    opened(studio, story)


def test_a_failed_row_is_skipped(studio: Studio, no_soundfont: None) -> None:
    async def story(running: Running, reviewing: Reviewing, _: Workspace) -> None:
        await start(studio, running, reviewing, FAILS[:3])
        view = await running.skip("bad")
        assert view.state is RunState.COMPLETED
        assert running.live.value is not None
        assert running.live.value.rows["bad"].state is StepState.SKIPPED

    opened(studio, story)


def test_stopping_keeps_what_is_done_and_rolling_back_takes_it_away(studio: Studio) -> None:
    async def story(running: Running, reviewing: Reviewing, workspace: Workspace) -> None:
        silence = studio.runs.events.listen(after(2, running.stop))
        live = await start(studio, running, reviewing, tracks(120))
        silence()
        assert live.state is RunState.CANCELLED
        assert 2 <= live.ledger.done < 120
        assert len(workspace.song.tracks) == live.ledger.done
        await running.roll_back(live.run)
        assert workspace.song.tracks == ()

    opened(studio, story)


def test_one_run_at_a_time(studio: Studio) -> None:
    async def story(running: Running, reviewing: Reviewing, _: Workspace) -> None:
        refused = []

        def again() -> None:
            refused.append(asyncio.ensure_future(running.retry()))

        silence = studio.runs.events.listen(after(1, again))
        await start(studio, running, reviewing, tracks(1))
        silence()
        with pytest.raises(RunError):
            await refused[0]

    opened(studio, story)


def test_a_pause_before_the_run_has_begun_lets_it_rest_before_its_first_row(studio: Studio) -> None:
    async def story(running: Running, reviewing: Reviewing, workspace: Workspace) -> None:
        pauses: list[asyncio.Task[None]] = []

        def early(live: LiveRun | None) -> None:
            if live is not None and live.running and not pauses:
                pauses.append(asyncio.ensure_future(running.pause()))

        running.live.changed.listen(early)
        live = await start(studio, running, reviewing, tracks(4))
        await pauses[0]
        assert (live.state, live.ledger.done, live.pausing) == (RunState.WAITING_USER, 0, False)
        assert running.paused
        assert workspace.song.tracks == ()
        await running.pause_or_go_on()
        assert running.live.value is not None
        assert (running.live.value.state, len(workspace.song.tracks)) == (RunState.COMPLETED, 4)

    opened(studio, story)


def test_a_run_that_was_left_is_offered_and_taken_up(studio: Studio) -> None:
    async def story(running: Running, _: Reviewing, workspace: Workspace) -> None:
        left = await approved(studio, running.project, tracks(4))
        await crashed(studio, left, 2)
        await running.following.look_for_unfinished()
        assert running.unfinished.value is not None
        assert running.unfinished.value.record.id == left
        view = await running.resume(left)
        assert view.state is RunState.COMPLETED
        assert len(workspace.song.tracks) == 4
        assert running.unfinished.value is None

    opened(studio, story)


def test_a_run_that_was_approved_and_never_begun_is_offered(studio: Studio) -> None:
    async def story(running: Running, _: Reviewing, workspace: Workspace) -> None:
        left = await approved(studio, running.project, tracks(2))
        await running.following.look_for_unfinished()
        assert running.unfinished.value is not None
        assert running.holds_song
        await running.pause_or_go_on()
        assert running.live.value is not None
        assert (running.live.value.run, running.live.value.state) == (left, RunState.COMPLETED)
        assert not running.holds_song
        assert len(workspace.song.tracks) == 2
        again = await approved(studio, running.project, tracks(1, "Bell"))
        await running.following.look_for_unfinished()
        await running.stop_or_end()
        assert (running.live.value.run, running.live.value.state) == (again, RunState.CANCELLED)
        await running.following.look_for_unfinished()
        assert running.unfinished.value is None

    opened(studio, story)


def test_a_run_that_was_left_is_ended_with_what_it_has_done(studio: Studio) -> None:
    async def story(running: Running, _: Reviewing, workspace: Workspace) -> None:
        left = await approved(studio, running.project, tracks(4))
        await crashed(studio, left, 2)
        await running.following.look_for_unfinished()
        view = await running.end(left)
        assert (view.state, view.ledger.done) == (RunState.CANCELLED, 2)
        assert len(workspace.song.tracks) == 2

    opened(studio, story)


def test_closing_in_the_middle_leaves_a_run_that_can_be_taken_up(studio: Studio) -> None:
    async def story(running: Running, reviewing: Reviewing, workspace: Workspace) -> None:
        ready = asyncio.Event()
        silence = studio.runs.events.listen(after(2, ready.set))
        run = asyncio.create_task(start(studio, running, reviewing, tracks(120)))
        await ready.wait()
        await running.close()
        silence()
        with pytest.raises(asyncio.CancelledError):
            await run
        next_time = Running(studio.runs, await studio.open(await studio.projects.find("One")))
        await next_time.following.look_for_unfinished()
        left = next_time.unfinished.value
        assert left is not None
        assert 2 <= left.ledger.done < 120
        view = await next_time.resume(left.record.id)
        assert view.ledger.done == 120
        await next_time.close()

    opened(studio, story)
