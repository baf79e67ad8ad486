"""Whatever cannot be recorded of a run: its end, its cancelling and its rollback let go of the song, and say what."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest
from msgspec.structs import replace
from studios import approved, carried_out, crashed, tracks

from agent.plan.document import Estimate, write_plan
from agent.session.cancellation import Cancellation
from agent.session.run_state import RunState
from agent.song.ids import RunId
from app.storage import messages, runs
from app.storage.objects import put_text
from app.storage.records import Iteration, Project
from app.studio.running.run_view import RunView, load_run
from app.studio.studio import Studio

UNRECORDABLE = (Estimate(-5, -1e300), Estimate(2**63), Estimate(0, -1.0))
ROWS = 3


async def spoiled(studio: Studio, run: RunId, used: Estimate) -> None:
    """The run's plan says that planning used this, as earlier versions took it from a file."""
    def work(transaction: Any) -> None:
        view = load_run(transaction, run)
        text = put_text(transaction, write_plan(replace(view.plan, used=used)).decode())
        runs.save(transaction, replace(view.record, plan=text))

    await studio.store.write(work)


async def versions(studio: Studio, project: Project) -> tuple[Iteration, ...]:
    found = await studio.history.of(project)
    assert not found.damaged
    return found.iterations


async def assert_free(studio: Studio, project: Project) -> None:
    """No run holds the song: another one runs to its end."""
    again = await carried_out(studio, project, tracks(1, "Other"))
    assert again.state is RunState.COMPLETED


@pytest.mark.semantics("9.8")
@pytest.mark.parametrize("used", UNRECORDABLE)
def test_a_run_ends_and_tells_what_could_not_be_recorded(studio: Studio, used: Estimate) -> None:
    async def story() -> None:
        project = await studio.projects.create("One")
        run = await approved(studio, project, tracks(ROWS))
        await spoiled(studio, run, used)
        view = await studio.runs.host.carry_out(run, Cancellation())
        assert (view.state, view.ledger.done) == (RunState.COMPLETED, ROWS)
        assert view.answer is not None
        assert "could not be recorded" in view.answer.text
        assert f"{used.tokens:,} tokens" in view.answer.text
        [made] = [one for one in await versions(studio, project) if one.run == run]
        assert (made.tokens, made.cost, made.actions) == (0, 0.0, ROWS)
        said = await studio.store.read(lambda transaction: messages.all_of(transaction, project.id))
        assert "could not be recorded" in said[-1].text
        await assert_free(studio, project)

    asyncio.run(story())


def resumed(studio: Studio, run: RunId) -> Any:
    return studio.runs.host.carry_out(run, Cancellation())


def cancelled(studio: Studio, run: RunId) -> Any:
    return studio.runs.stopping.cancel(run)


def rolled_back(studio: Studio, run: RunId) -> Any:
    return studio.runs.rollback(run)


@pytest.mark.semantics("9.8")
@pytest.mark.parametrize("used", UNRECORDABLE)
@pytest.mark.parametrize("act", [resumed, cancelled, rolled_back])
def test_a_run_that_was_left_can_be_resumed_cancelled_and_rolled_back(
    studio: Studio, used: Estimate, act: Callable[[Studio, RunId], Any]
) -> None:
    async def story() -> None:
        project = await studio.projects.create("One")
        run = await approved(studio, project, tracks(ROWS))
        await spoiled(studio, run, used)
        left = await crashed(studio, run, 1)
        assert left.state is RunState.RUNNING
        view: RunView = await act(studio, run)
        assert view.state is (RunState.COMPLETED if act is resumed else RunState.CANCELLED)
        assert view.answer is not None
        assert "could not be recorded" in view.answer.text
        song = (await studio.open(await studio.projects.find("One"))).song
        assert len(song.tracks) == {resumed: ROWS, cancelled: 1, rolled_back: 0}[act]
        await assert_free(studio, project)

    asyncio.run(story())


@pytest.mark.semantics("9.8")
@pytest.mark.parametrize("act", [cancelled, rolled_back])
def test_a_run_whose_end_is_faulty_lets_go_of_the_song_when_it_is_cancelled(
    studio: Studio, act: Callable[[Studio, RunId], Any]
) -> None:
    async def story() -> None:
        project = await studio.projects.create("One")
        run = await approved(studio, project, tracks(ROWS))
        await crashed(studio, run, 2)
        with mock.patch.object(studio.session, "report", side_effect=ValueError("a fault of ours")):
            with pytest.raises(ValueError, match="a fault of ours"):
                await studio.runs.host.carry_out(run, Cancellation())
            assert (await studio.runs.show(run)).state is RunState.RUNNING
            view: RunView = await act(studio, run)
        assert (view.state, view.ledger.done) == (RunState.CANCELLED, ROWS)
        assert view.answer is not None
        assert "ValueError: a fault of ours" in view.answer.text
        [made] = [one for one in await versions(studio, project) if one.run == run]
        assert (made.id, made.root) == (view.record.iteration, view.record.revision)
        await assert_free(studio, project)

    asyncio.run(story())


@pytest.mark.semantics("9.8")
def test_an_account_that_cannot_be_kept_is_told_in_short(studio: Studio) -> None:
    async def story() -> None:
        project = await studio.projects.create("One")
        run = await approved(studio, project, tracks(1))
        tell = studio.store.chat.say

        def refuse(transaction: Any, message: Any) -> None:
            if "approved rows" in message.text:
                raise OverflowError("too large a number")
            tell(transaction, message)

        with mock.patch.object(studio.store.chat, "say", refuse):
            view = await studio.runs.host.carry_out(run, Cancellation())
        assert view.state is RunState.COMPLETED
        assert view.answer is not None
        assert view.answer.text == "The run ended COMPLETED. Its account could not be recorded: too large a number"
        await assert_free(studio, project)

    asyncio.run(story())
