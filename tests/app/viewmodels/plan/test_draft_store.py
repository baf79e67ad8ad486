"""The plan under review is there again at the next start, with what was decided on it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from opened_projects import started_for_each
from patience import PATIENCE
from studios import tracks

from agent.plan.document import Plan
from agent.plan.plan import Step
from agent.song.edits import SetTempo
from app.storage import preferences
from app.viewmodels.chat.entries import PlanCard
from app.viewmodels.open_project import OpenProject
from app.viewmodels.plan.proposal import Proposal

ROWS = (*tracks(3), Step("slow", "set_tempo", {"bpm": 60}))


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0.01)


async def put_up(opened: OpenProject) -> None:
    stage = await opened.studio.planning.stage(opened.workspace.record)
    adopted = opened.studio.planning.adopt(Plan(ROWS, request="slow pads"), stage)
    await opened.reviewing.put_up(await opened.studio.planning.judge(adopted, stage.song))


def shown(opened: OpenProject) -> Proposal:
    now = opened.reviewing.proposal.value
    assert now is not None
    return now


def test_plan_and_decisions_are_there_at_the_next_start(tmp_path: Path) -> None:
    hashes = []

    async def decide(opened: OpenProject) -> None:
        await put_up(opened)
        await opened.reviewing.reject(["s1"], "two are enough")
        await opened.reviewing.change("slow", {"bpm": 66})
        hashes.append(shown(opened).judged.plan.hash)

    async def again(opened: OpenProject) -> None:
        await until(lambda: opened.reviewing.proposal.value is not None and not opened.reviewing.pending.value)
        now = shown(opened)
        assert now.judged.plan.hash == hashes[0]
        assert now.rejections["s1"].reason == "two are enough"
        assert now.approved == {"s0", "s2", "slow"}
        card = opened.conversation.entries[-1]
        assert isinstance(card, PlanCard)
        assert (card.steps, card.hash) == (4, now.plan.hash)
        await opened.asking.approving.run(hashes[0])
        assert [track.name for track in opened.workspace.song.tracks] == ["Pad 0", "Pad 2"]

    async def after_the_run(opened: OpenProject) -> None:
        assert await opened.studio.kept_plans.find(opened.workspace.project) is None
        assert opened.reviewing.proposal.value is None

    started_for_each(tmp_path, decide, again, after_the_run)


def test_a_plan_is_judged_on_the_song_that_is_there_by_then(tmp_path: Path) -> None:
    async def leave(opened: OpenProject) -> None:
        await put_up(opened)

    async def elsewhere(opened: OpenProject) -> None:
        await until(lambda: opened.reviewing.proposal.value is not None)
        opened.reviewing.discard()
        await put_up(opened)
        await opened.draft_store.close()
        await opened.workspace.commit((SetTempo(bpm=140),), label="by another program")

    async def again(opened: OpenProject) -> None:
        await until(lambda: opened.reviewing.proposal.value is not None)
        assert shown(opened).judged.plan.song_revision == opened.workspace.revision

    started_for_each(tmp_path, leave, elsewhere, again)


def test_what_was_discarded_or_cannot_be_read_is_not_put_up_again(tmp_path: Path) -> None:
    async def discard(opened: OpenProject) -> None:
        await put_up(opened)
        opened.reviewing.discard()

    async def spoil(opened: OpenProject) -> None:
        await asyncio.sleep(0.3)
        assert opened.reviewing.proposal.value is None
        await put_up(opened)
        await opened.draft_store.close()
        key = f"review.{opened.workspace.project}"
        await opened.studio.store.write(lambda transaction: preferences.put(transaction, key, '{"plan": "gone"}'))

    async def again(opened: OpenProject) -> None:
        await asyncio.sleep(0.3)
        assert opened.reviewing.proposal.value is None

    started_for_each(tmp_path, discard, spoil, again)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps an open file where it is")
def test_a_disk_that_refuses_keeps_nothing_else_from_closing(tmp_path: Path) -> None:
    home = tmp_path / "home"

    async def story(opened: OpenProject) -> None:
        home.rename(tmp_path / "away")
        await put_up(opened)
        await opened.draft_store.close()
        (tmp_path / "away").rename(home)

    started_for_each(home, story)
