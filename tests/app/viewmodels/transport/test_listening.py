"""A and B: what there is to compare with, before a run and after it."""

from __future__ import annotations

import asyncio

from studios import tracks

from agent.plan.document import Plan
from app.studio.studio import Studio
from app.viewmodels.plan.reviewing import Reviewing
from app.viewmodels.plan.running import Running
from app.viewmodels.transport.focus import Focus
from app.viewmodels.transport.listening import ABComparison


def test_b_is_the_plan_and_after_its_run_a_is_the_song_before_it(studio: Studio) -> None:
    async def story() -> None:
        workspace = await studio.open(await studio.projects.create("One"))
        reviewing = Reviewing(studio.session, studio.planning, workspace, studio.palette)
        running, focus = Running(studio.runs, workspace), Focus()
        listening = ABComparison(reviewing, running, focus)
        listening.toggle()
        assert focus.side.value == "song"
        before = workspace.song
        plan = studio.planning.adopt(Plan(tracks(2), request="more"), await studio.planning.stage(running.project))
        await reviewing.put_up(await studio.planning.judge(plan, before))
        listening.toggle()
        assert focus.side.value == "plan"
        other, proposal = listening.other.value, reviewing.proposal.value
        assert other is not None
        assert proposal is not None
        assert (other.kind, len(other.song.tracks)) == ("plan", 2)
        work = running.start(proposal, *reviewing.approve(proposal.judged.plan.hash))
        reviewing.discard()
        assert focus.side.value == "song"
        await work
        other = listening.other.value
        assert other is not None
        assert (other.kind, other.song) == ("before", before)
        assert len(workspace.song.tracks) == 2
        listening.toggle()
        assert focus.side.value == "plan"
        running.clear()
        assert (listening.other.value, focus.side.value) == (None, "song")
        listening.close()
        await running.close()
        reviewing.close()

    asyncio.run(story())
