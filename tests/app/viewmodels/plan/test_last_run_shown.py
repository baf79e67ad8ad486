"""The last run is there again at the next start, with its rows, states and reasons."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from opened_projects import started_for_each
from patience import PATIENCE
from studios import tracks

from agent.plan.document import Plan
from agent.plan.ledger import StepState
from agent.plan.plan import Step
from agent.session.run_state import RunState
from app.viewmodels.chat.entries import MessageEntry, PlanCard
from app.viewmodels.open_project import OpenProject
from app.viewmodels.plan.live_run import LiveRun

FAILS = (*tracks(2), Step("bad", "export_audio", {"format": "wav"}), Step("last", "set_tempo", {"bpm": 90},
                                                                         after=("bad",)))


async def put_up(opened: OpenProject, rows: tuple[Step, ...]) -> str:
    stage = await opened.studio.planning.stage(opened.workspace.record)
    adopted = opened.studio.planning.adopt(Plan(rows, request="slow pads"), stage)
    judged = await opened.studio.planning.judge(adopted, stage.song)
    await opened.reviewing.put_up(judged)
    return judged.plan.hash


async def last(opened: OpenProject) -> LiveRun:
    async with asyncio.timeout(PATIENCE):
        while opened.running.live.value is None:
            await asyncio.sleep(0.01)
    return opened.running.live.value


def test_rows_states_and_reasons_of_the_last_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BANDLEADER_SOUNDFONT", "/nonexistent.sf2")
    before: list[LiveRun] = []

    async def run(opened: OpenProject) -> None:
        await opened.asking.approving.run(await put_up(opened, FAILS))
        before.append(await last(opened))

    async def again(opened: OpenProject) -> None:
        told = list(opened.conversation.entries)
        live = await last(opened)
        assert (live.run, live.state, live.plan) == (before[0].run, RunState.PARTIAL, before[0].plan)
        assert [row.state for row in live.rows.values()] == [row.state for row in before[0].rows.values()]
        assert live.rows["bad"].state is StepState.FAILED
        assert live.rows["bad"].reason == before[0].rows["bad"].reason != ""
        assert opened.conversation.entries == told, "nothing is told of it once more"
        assert sum(isinstance(one, PlanCard) for one in told) == 1
        assert any(isinstance(one, MessageEntry) for one in told)
        assert not opened.running.holds_song

    started_for_each(tmp_path, run, again)


def test_its_rows_show_again_what_they_were_foreseen_to_do(tmp_path: Path) -> None:
    async def run(opened: OpenProject) -> None:
        await opened.asking.approving.run(await put_up(opened, tracks(2)))

    async def again(opened: OpenProject) -> None:
        live = await last(opened)
        async with asyncio.timeout(PATIENCE):
            while live.proposal is None:
                await asyncio.sleep(0.01)
                live = await last(opened)
        preview = live.proposal.whole.preview
        assert preview is not None
        assert [len(one.tracks) for one in (live.proposal.song, preview.song)] == [0, 2]
        assert (live.state, len(opened.workspace.song.tracks)) == (RunState.COMPLETED, 2)
        assert not opened.running.holds_song

    started_for_each(tmp_path, run, again)


def test_a_plan_under_review_wins(tmp_path: Path) -> None:
    async def run(opened: OpenProject) -> None:
        await opened.asking.approving.run(await put_up(opened, tracks(2)))
        await put_up(opened, tracks(3, "Bell"))

    async def again(opened: OpenProject) -> None:
        async with asyncio.timeout(PATIENCE):
            while opened.reviewing.proposal.value is None:
                await asyncio.sleep(0.01)
        assert len(opened.reviewing.proposal.value.plan.steps) == 3
        assert opened.running.live.value is None

    started_for_each(tmp_path, run, again)


def test_a_run_that_never_began_is_passed_over(tmp_path: Path) -> None:
    runs = []

    async def run(opened: OpenProject) -> None:
        runs.append((await opened.asking.approving.run(await put_up(opened, tracks(2)))).record.id)
        judged = opened.studio.planning.adopt(Plan(tracks(1, "Bell")), await opened.studio.planning.stage(
            opened.workspace.record
        ))
        review = await opened.studio.planning.judge(judged, opened.workspace.song)
        approval = opened.studio.session.approve(review, review.plan.hash, opened.workspace.revision)
        never = await opened.studio.runs.start(review.plan, approval, opened.workspace.record)
        assert (await opened.studio.runs.stopping.cancel(never)).state is RunState.CANCELLED

    async def again(opened: OpenProject) -> None:
        assert (await last(opened)).run == runs[0]

    started_for_each(tmp_path, run, again)


def test_a_project_without_runs_shows_none(tmp_path: Path) -> None:
    async def nothing(opened: OpenProject) -> None:
        await opened.running.following.show_last(lambda: True)
        assert opened.running.live.value is None

    started_for_each(tmp_path, nothing, nothing)
