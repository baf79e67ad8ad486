"""A call of which nobody could tell whether it happened, taken up by a person once the world answers again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from crashing import Program
from studio_parts import FastCancellation, a_song
from worlds import World

from agent.plan.document import Plan
from agent.plan.plan import Step
from agent.session.run_state import RunState
from agent.song.revision import song_revision
from app.studio.running.run_view import RunView


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def program(tmp_path: Path, world: World) -> Iterator[Program]:
    made = Program(tmp_path, world)
    yield made
    made.end()


async def in_doubt(program: Program, world: World, *tools: str) -> RunView:
    """A run with acts that have happened, which nobody could tell; the first is called `act`, then `act1` and so on."""
    await program.projects.create("One")
    await (await program.workspace()).replace(a_song(), "import", "start")
    song, project = await program.song(), await program.project()
    steps = tuple([
        Step(f"act{at or ''}", tool, {"what": "it", "mode": "lost"}, on_error="continue")
        for at, tool in enumerate(tools)
    ])
    judged = program.session.judge(Plan(steps, project.id, song_revision(song), request="any"), song)
    world.unreachable = True
    view = await program.runs.host.carry_out(await program.started(judged), FastCancellation())
    assert (view.state, world.of("act")) == (RunState.NEEDS_REVIEW, 1)
    return view


@pytest.mark.semantics("6.11")
def test_a_retry_asks_the_world_before_it_acts_again(program: Program, world: World) -> None:
    async def story() -> RunView:
        view = await in_doubt(program, world, "post")
        again = await program.runs.retry(view.record.id, FastCancellation())
        assert (again.state, world.of("act")) == (RunState.NEEDS_REVIEW, 1)
        world.unreachable = False
        return await program.runs.retry(view.record.id, FastCancellation())

    assert asyncio.run(story()).state is RunState.COMPLETED
    assert world.of("act") == 1


@pytest.mark.semantics("6.11")
def test_where_nobody_can_be_asked_a_retry_is_the_persons_word_that_it_may_happen(
    program: Program, world: World
) -> None:
    async def story() -> RunView:
        view = await in_doubt(program, world, "send")
        return await program.runs.retry(view.record.id, FastCancellation())

    assert asyncio.run(story()).state is RunState.NEEDS_REVIEW
    assert world.of("act") == 2


@pytest.mark.semantics("6.11")
@pytest.mark.parametrize("way", ["skip", "amend"])
@pytest.mark.parametrize("tool", ["send", "post"])
def test_who_decides_on_one_row_has_said_nothing_of_another_in_doubt(
    program: Program, world: World, way: str, tool: str
) -> None:
    async def story() -> RunView:
        view = await in_doubt(program, world, "send", tool)
        run, on = view.record.id, FastCancellation()
        if way == "skip":
            return await program.runs.skip(run, "act", on)
        return await program.runs.amend(run, "act", {"what": "it"}, on)

    view = asyncio.run(story())
    states = {row.step: row.state.value for row in view.rows}
    assert states == {"act": "skipped" if way == "skip" else "done", "act1": "needs_review"}
    assert (world.of("act"), world.of("act1")) == (1 if way == "skip" else 2, 1)
