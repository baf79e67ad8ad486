"""A disk that is full when a run ends: nothing is half stored, and the run is taken up once there is room."""

from __future__ import annotations

import asyncio

import pytest
from studios import after, tracks

from agent.plan.document import Plan
from agent.session.cancellation import Cancellation
from agent.session.run_state import RunState
from app.storage.driver import raw
from app.storage.errors import StorageError
from app.studio.studio import Studio

ROWS = 3


def test_a_run_that_cannot_store_its_end_is_taken_up_when_there_is_room(studio: Studio) -> None:
    def fill() -> None:
        """Let the file grow no further."""
        studio.store.database.write_now(
            lambda transaction: raw(transaction).execute("PRAGMA max_page_count = 1").fetchall()
        )

    async def story() -> None:
        project = await studio.projects.create("One")
        stage = await studio.planning.stage(project)
        # The iteration carries the words: a long request needs room of its own in the file.
        plan = studio.planning.adopt(Plan(tracks(ROWS), request="more and " * 2000), stage)
        judged = await studio.planning.judge(plan, stage.song)
        approval = studio.session.approve(judged, judged.plan.hash, stage.revision)
        run = await studio.runs.start(judged.plan, approval, project)
        silence = studio.runs.events.listen(after(ROWS, fill))
        with pytest.raises(StorageError) as caught:
            await studio.runs.host.carry_out(run, Cancellation())
        silence()
        assert "full" in f"{caught.value.what} {caught.value.why}"
        left = await studio.runs.show(run)
        assert (left.state, left.ledger.done, left.answer) == (RunState.RUNNING, ROWS, None)
        assert len((await studio.history.of(project)).iterations) == 1
        await studio.store.write(
            lambda transaction: raw(transaction).execute("PRAGMA max_page_count = 1000000").fetchall()
        )
        view = await studio.runs.host.carry_out(run, Cancellation())
        assert (view.state, view.ledger.done) == (RunState.COMPLETED, ROWS)
        assert len((await studio.history.of(await studio.projects.find("One"))).iterations) == 2
        assert [event.kind for event in view.events].count("STEP_DONE") == ROWS

    asyncio.run(story())


