"""The real window beside a terminal on the same project: what the terminal does is seen, and what it leaves."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest
from commandline import CommandLine, ended
from people import Person, at_window
from qt_fixtures import Loop, garbage, qloop, theme
from racks import RackService, looks
from silenced import stopped_outside_of_a_write
from studios import approved

from agent.session.run_state import RunState
from app.ui.kit.theme import Theme
from app.viewmodels.chat.entries import MessageEntry, PlanCard, Queued
from app.viewmodels.chat.waiting import QUEUED, WAITS

__all__ = ["garbage", "qloop", "theme"]
E = TypeVar("E")
Story = Callable[[Person, CommandLine], Awaitable[None]]
ROWS = [{"id": f"s{n}", "tool": "set_tempo", "inputs": {"bpm": 60 + n % 90, "at_beat": n}} for n in range(480)]


def of_kind(one: Person, kind: type[E]) -> list[E]:
    """What stands in the chat, of one kind."""
    return [entry for entry in one.room.opened.conversation.entries if isinstance(entry, kind)]


async def told_to_the_end(one: Person) -> None:
    """Two more looks at what others have stored, and all that comes of them."""
    await asyncio.sleep(2.5)
    await one.room.still()


@pytest.fixture
def side_by_side(theme: Theme, tmp_path: Path, qloop: Loop) -> Callable[[Story], None]:
    """Runs a story of a person at the real window over one stored project, with a terminal beside it."""

    def tell(story: Story) -> None:
        async def with_project(one: Person) -> None:
            await one.room.desktop.studio.projects.create("Story")
            await one.room.desktop.open("Story")
            await one.room.still()
            await story(one, CommandLine(tmp_path / "home"))

        qloop.run(at_window(theme, tmp_path / "home", with_project))

    return tell


def test_a_run_whose_program_is_killed_is_offered_to_be_taken_up(side_by_side: Callable[[Story], None]) -> None:
    async def story(one: Person, terminal: CommandLine) -> None:
        running = one.room.opened.running
        plan, approval = await asyncio.to_thread(terminal.bound, ROWS)
        program = await asyncio.to_thread(terminal.start, "run", str(plan), "--approve", approval)
        await one.room.until(lambda: terminal.rows("SELECT 1 FROM step WHERE state = 'done' LIMIT 1"))
        await asyncio.to_thread(stopped_outside_of_a_write, terminal, program)
        await one.room.until(lambda: running.live.value and running.live.value.elsewhere)
        program.kill()
        await asyncio.to_thread(ended, program)
        await one.room.until(lambda: running.unfinished.value)
        await one.room.still()
        assert one.plan.runs.left_over.text.startswith("A run was left in the middle: ")
        assert not one.window.actions_["plan.stop"].isEnabled()
        await one.click("Resume")
        await one.room.until(lambda: running.live.value and running.live.value.state is RunState.COMPLETED)

    side_by_side(story)


def test_a_plan_that_a_terminal_approves_for_later_is_under_review_no_more(
    side_by_side: Callable[[Story], None]
) -> None:
    async def story(one: Person, terminal: CommandLine) -> None:
        opened = one.room.opened
        await asyncio.to_thread(terminal.ask, "plan", "a calm lofi beat in D minor, 8 bars", "--queue")
        await one.room.until(lambda: opened.reviewing.proposal.value)
        proposal = opened.reviewing.proposal.value
        assert proposal is not None
        assert proposal.run is not None
        rack = RackService()
        opened.studio.registry.adopt(rack)
        rack.hold()
        await approved(opened.studio, opened.workspace.record, looks(1), queued=True)
        await one.room.until(lambda: opened.running.busy)
        given = ("--hash", proposal.plan.hash, "--queue")
        await asyncio.to_thread(terminal.ask, "runs", "approve", proposal.run, *given)
        await one.room.until(lambda: opened.reviewing.proposal.value is None)
        assert of_kind(one, MessageEntry)[-1].text == QUEUED
        rack.let_go()
        live = opened.running.live
        await one.room.until(lambda: live.value and live.value.run == proposal.run and live.value.view)
        assert live.value is not None
        assert live.value.state is RunState.COMPLETED
        [card] = [entry for entry in of_kind(one, PlanCard) if entry.run == proposal.run]
        assert card.whole

    side_by_side(story)


def test_a_run_of_a_terminal_is_told_in_the_chat_once_however_quick_it_was(
    side_by_side: Callable[[Story], None]
) -> None:
    async def story(one: Person, terminal: CommandLine) -> None:
        asked = "a calm lofi beat in D minor, 8 bars"
        said = await asyncio.to_thread(terminal.ask, "compose", asked, "--yes", "--seed", "3", "--project", "Story")
        await one.room.until(lambda: of_kind(one, PlanCard))
        await told_to_the_end(one)
        [card] = of_kind(one, PlanCard)
        assert (card.run, card.whole) == (said["run"], True)
        words = of_kind(one, MessageEntry)
        assert [(word.author, word.text == asked) for word in words] == [("you", True), ("bandleader", False)]
        before = list(one.room.opened.conversation.entries)
        await one.room.opened.conversation.load()
        assert [type(entry) for entry in one.room.opened.conversation.entries] == [type(entry) for entry in before]

    side_by_side(story)


@pytest.mark.parametrize(("word", "shown"), [("pause", "pausing"), ("cancel", "stopping")])
def test_what_a_terminal_asks_of_a_run_is_seen_before_the_run_heeds_it(
    side_by_side: Callable[[Story], None], word: str, shown: str
) -> None:
    async def story(one: Person, terminal: CommandLine) -> None:
        opened, rack = one.room.opened, RackService()
        opened.studio.registry.adopt(rack)
        rack.hold()
        run = await approved(opened.studio, opened.workspace.record, looks(2))
        going = asyncio.ensure_future(opened.running.resume(run))
        await one.room.until(lambda: rack.asked)
        live = opened.running.live
        assert live.value is not None
        assert not getattr(live.value, shown)
        asking = asyncio.to_thread(terminal.run, "runs", word, run)
        asked = asyncio.ensure_future(asking)
        await one.room.until(lambda: live.value is None or getattr(live.value, shown) or not live.value.running)
        seen = live.value
        rack.let_go()
        await going
        await asked
        assert seen is not None
        assert getattr(seen, shown)

    side_by_side(story)


def test_a_request_that_a_terminal_lets_wait_is_in_the_chat_and_its_words_are_told_once(
    side_by_side: Callable[[Story], None]
) -> None:
    async def story(one: Person, terminal: CommandLine) -> None:
        opened, rack = one.room.opened, RackService()
        opened.studio.registry.adopt(rack)
        rack.hold()
        await approved(opened.studio, opened.workspace.record, looks(1), queued=True)
        await one.room.until(lambda: opened.running.busy)
        asked = "a calm lofi beat in D minor, 8 bars"
        await asyncio.to_thread(terminal.ask, "plan", asked, "--queue")
        await one.room.until(lambda: [(line.text, line.note) for line in of_kind(one, Queued)] == [(asked, WAITS)])
        rack.let_go()
        await one.room.until(lambda: opened.reviewing.proposal.value)
        await told_to_the_end(one)
        assert of_kind(one, Queued) == []
        assert [word.text for word in of_kind(one, MessageEntry)].count(asked) == 1

    side_by_side(story)


def test_why_a_request_of_a_terminal_was_not_planned_is_told_once(side_by_side: Callable[[Story], None]) -> None:
    async def story(one: Person, terminal: CommandLine) -> None:
        await asyncio.to_thread(terminal.ask, "plan", "make it zorbly", "--queue")
        await one.room.until(lambda: terminal.rows("SELECT 1 FROM run WHERE state = 'FAILED'"))
        await told_to_the_end(one)
        words = of_kind(one, MessageEntry)
        assert [word.author for word in words] == ["you", "bandleader"]
        assert words[1].text.startswith("This was not planned: ")

    side_by_side(story)
