"""Runs approved when a hash left the asks of a plan out: shown, taken up, cancelled, rolled back, verified."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from studios import approved, crashed, tracks

from agent.plan.decision import Approval
from agent.plan.document import Plan, write_plan
from agent.plan.plan import Ask
from agent.plan.plan_hash import hash_before
from agent.session.cancellation import Cancellation
from agent.session.run_state import RunState
from agent.session.session import NotApproved
from agent.song.ids import RunId
from app.storage import runs
from app.storage.objects import put_text
from app.storage.records import Project
from app.studio.running.run_options import RunOptions
from app.studio.running.run_view import load_run
from app.studio.studio import Studio

ROWS = 3
ASKS = (Ask("a pad", ("s0",)),)


async def of_version_1(studio: Studio, run: RunId) -> str:
    """Make the stored run one of that version; returns its hash."""
    def work(transaction: Any) -> str:
        view = load_run(transaction, run)
        hashed = hash_before(view.plan, studio.registry.tools)
        plan = replace(view.plan, version=1, hash=hashed)
        given = view.approval and Approval(hashed, view.approval.song_revision, view.approval.by, view.approval.at)
        runs.save(transaction, replace(
            view.record, plan=put_text(transaction, write_plan(plan).decode()),
            approval=None if given is None else msgspec.json.encode(given).decode(),
        ))
        return hashed

    return await studio.store.write(work)


async def left(studio: Studio, project: Project) -> RunId:
    """A run of version 1 that a crash left after its first row."""
    run = await approved(studio, project, tracks(ROWS), asks=ASKS)
    await of_version_1(studio, run)
    view = await crashed(studio, run, 1)
    assert (view.state, view.ledger.done, view.plan.version) == (RunState.RUNNING, 1, 1)
    return run


@pytest.mark.semantics("1.3")
def test_one_that_a_crash_left_is_taken_up(studio: Studio) -> None:
    async def story() -> None:
        run = await left(studio, await studio.projects.create("One"))
        view = await studio.runs.host.carry_out(run, Cancellation())
        assert (view.state, view.ledger.done) == (RunState.COMPLETED, ROWS)

    asyncio.run(story())


@pytest.mark.semantics("1.3")
def test_one_whose_rows_were_changed_since_does_not_run_them(studio: Studio) -> None:
    async def story() -> None:
        run = await left(studio, await studio.projects.create("One"))

        def forge(transaction: Any) -> None:
            view = load_run(transaction, run)
            steps = (*view.plan.steps[:-1], *tracks(ROWS, "Forged")[-1:])
            text = put_text(transaction, write_plan(replace(view.plan, steps=steps)).decode())
            runs.save(transaction, replace(view.record, plan=text))

        await studio.store.write(forge)
        view = await studio.runs.host.carry_out(run, Cancellation())
        assert (view.state, view.ledger.done) == (RunState.NEEDS_REVIEW, 1)

    asyncio.run(story())


def test_one_is_cancelled_and_rolled_back(studio: Studio) -> None:
    async def story() -> None:
        project = await studio.projects.create("One")
        first = await studio.runs.stopping.cancel(await left(studio, project))
        assert (first.state, first.ledger.done) == (RunState.CANCELLED, 1)
        second = await studio.runs.rollback(await left(studio, await studio.projects.find("One")))
        assert second.state is RunState.CANCELLED

    asyncio.run(story())


def test_one_that_waits_for_an_approval_is_proposed_with_the_hash_of_today(studio: Studio) -> None:
    async def story() -> None:
        project = await studio.projects.create("One")
        run = await studio.requests.ask("a calm lofi beat in A minor", project, RunOptions("local", seed=7))
        await studio.requests.plan(run, Cancellation())
        old = await of_version_1(studio, run)
        with pytest.raises(NotApproved, match="an earlier version of Bandleader") as refusal:
            await studio.runs.approve(run, old)
        shown = await studio.runs.show(run)
        assert shown.state is RunState.PROPOSED
        assert shown.plan.hash in refusal.value.advice
        assert (await studio.runs.approve(run, shown.plan.hash)).state is RunState.QUEUED

    asyncio.run(story())


@pytest.mark.semantics("1.3")
def test_a_plan_whose_asks_are_others_has_another_hash(studio: Studio) -> None:
    async def story() -> None:
        project = await studio.projects.create("One")
        stage = await studio.planning.stage(project)
        plan = studio.planning.adopt(Plan(tracks(1), asks=ASKS), stage)
        first = await studio.planning.judge(plan, stage.song)
        second = await studio.planning.judge(replace(plan, asks=(replace(ASKS[0], asked="a bass"),)), stage.song)
        assert first.plan.hash != second.plan.hash
        before = hash_before(first.plan, studio.registry.tools)
        assert before == hash_before(second.plan, studio.registry.tools)
        with pytest.raises(NotApproved, match="an earlier version of Bandleader") as refusal:
            studio.session.approve(first, before, stage.revision)
        assert first.plan.hash in refusal.value.advice

    asyncio.run(story())
