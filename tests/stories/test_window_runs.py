"""Runs at the real window: what leaves the song, reports, events, pauses, and requests that wait."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from people import Person, at_window
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QTabBar
from qt_fixtures import Loop, garbage, qloop, theme
from racks import DISKS, RackService, looks
from studios import approved, tracks

from agent.plan.document import Plan
from agent.plan.plan import Step
from agent.session.run_state import RunState
from app.ui.chat.report_view import ReportView
from app.ui.events.panel import EventPanel
from app.ui.kit.theme import Theme
from app.viewmodels.chat.entries import MessageEntry, PlanCard, Queued, ReportEntry
from app.viewmodels.chat.waiting import AGAIN, GONE, TAKEN_BACK, WAITS
from app.viewmodels.plan.proposal import Proposal
from app.viewmodels.plan.row_states import RowMark

__all__ = ["garbage", "qloop", "theme"]
Story = Callable[[Person], Awaitable[None]]
LATER = (*looks(1), Step("pad", "create_track", {"name": "Pad", "instrument": "pad_warm"}, after=("look0",)))
"""The song changes once the rack has answered."""


@pytest.fixture
def at_the_window(theme: Theme, tmp_path: Path, qloop: Loop) -> Callable[[Story], None]:
    """Runs a story of a person at the real window over one stored project; the same home when it is run again."""

    def tell(story: Story) -> None:
        async def with_project(one: Person) -> None:
            desktop = one.room.desktop
            known = [project.name for project in await desktop.studio.projects.all()]
            if "Story" not in known:
                await desktop.studio.projects.create("Story")
            await desktop.open("Story")
            await one.room.still()
            await story(one)

        qloop.run(at_window(theme, tmp_path / "home", with_project))

    return tell


def rack_of(one: Person, *machines: str, down: tuple[str, ...] = ()) -> RackService:
    """A rack that plans can use."""
    rack = RackService(*machines, down=down)
    one.room.desktop.studio.registry.adopt(rack)
    return rack


async def review(one: Person, steps: tuple[Step, ...]) -> None:
    """Put a plan of these rows up for review."""
    opened = one.room.opened
    planning = opened.studio.planning
    stage = await planning.stage(opened.workspace.record)
    plan = planning.adopt(Plan(steps, request="look around"), stage)
    await opened.reviewing.put_up(await planning.judge(plan, stage.song))
    await one.room.still()


async def begin(one: Person, steps: tuple[Step, ...]) -> None:
    """Approve these rows and see their run begin."""
    await review(one, steps)
    one.approve()
    await one.room.until(lambda: one.room.opened.running.busy)


async def pause(one: Person) -> None:
    """Ask for a rest, once the window knows that the run goes, and see that it was heard."""
    running = one.room.opened.running
    await one.room.until(lambda: running.live.value is not None and running.live.value.running)
    one.action("plan.pause")
    events = one.room.opened.events
    await one.room.until(lambda: any(line.kind == "PAUSE_REQUESTED" for line in events.lines))


async def ended(one: Person) -> Any:
    """The run that is shown, once it has ended or rests."""
    running = one.room.opened.running
    await one.room.until(lambda: running.live.value is not None and not running.busy)
    await one.room.still()
    return running.live.value


def entries(one: Person, kind: type[Any]) -> list[Any]:
    return [entry for entry in one.room.opened.conversation.entries if isinstance(entry, kind)]


def row(one: Person, step: str) -> Any:
    one.plan.refresh()
    return next(row for row in one.plan.model.table.rows if row.id == step)


def backs(one: Person) -> list[QPushButton]:
    """The buttons that take requests back, in the order of the chat."""
    named = [each for each in one.window.findChildren(QPushButton) if each.accessibleName() == "Take this request back"]
    return sorted((each for each in named if each.isVisible()), key=lambda each: each.mapToGlobal(each.pos()).y())


def test_what_leaves_the_song_is_seen_before_and_reported_after(at_the_window: Callable[[Story], None]) -> None:
    async def story(one: Person) -> None:
        rack_of(one, *(f"studio-{n}" for n in range(12)), down=("studio-3",))
        await review(one, DISKS)
        disks = row(one, "disks")
        assert disks.standing.text == "Known when it runs"
        assert disks.standing.mark is RowMark.PROPOSED
        assert disks.facts.outside == "rack"
        assert disks.facts.sentence.endswith(", at most 200 items")
        shown = one.plan.model.index(0, 0)
        spoken = one.plan.model.index(1, 0, shown).data(Qt.ItemDataRole.AccessibleTextRole)
        assert "leaves the song through rack" in spoken
        assert one.plan.footer.proposed._reach.text().startswith("Leaves the song: rack (steps 1, 2).")
        one.approve()
        live = await ended(one)
        assert live.state is RunState.PARTIAL
        [failed] = row(one, "disks").progress.items_failed
        assert (failed.name, failed.reason) == ("machine studio-3", "the connection was refused")
        story_of_row = one.plan.rows.story("disks")
        assert "machine studio-3: the connection was refused" in story_of_row.words[1]
        assert len(entries(one, ReportEntry)) == 1
        [view] = one.window.findChildren(ReportView)
        table = view.views[0]
        assert (table.model().rowCount(), table.hidden_rows) == (8, 4)
        one.find(QPushButton, "Show all rows").click()
        assert (table.model().rowCount(), table.hidden_rows) == (12, 0)
        view.csv_button.click()
        csv = QGuiApplication.clipboard().text()
        assert csv.splitlines()[0].startswith("machine,free")
        assert "studio-3,,failed: the connection was refused" in csv

    async def the_next_day(one: Person) -> None:
        assert len(entries(one, ReportEntry)) == 1

    at_the_window(story)
    at_the_window(the_next_day)


def test_from_an_event_to_its_row_and_back(at_the_window: Callable[[Story], None]) -> None:
    async def story(one: Person) -> None:
        rack_of(one, "studio-1", "studio-2", down=("studio-2",))
        await review(one, (*DISKS, *tracks(1)))
        one.approve()
        live = await ended(one)
        events: EventPanel = one.window.findChild(EventPanel)
        assert live.view is not None
        await one.room.until(lambda: events.badge.value == str(len(live.view.events)))
        assert events.model.rowCount() == len(live.view.events)
        one.action("window.events")
        await one.room.still()
        tabs: QTabBar = one.window.findChild(QTabBar, "bottom-tabs")
        assert tabs.tabText(tabs.currentIndex()) == f"Events  {events.badge.value}"
        assert events.isVisible()
        one.find(QPushButton, "Show events: Trouble").click()
        told = [events.model.line(at) for at in range(events.model.rowCount())]
        assert [line.item for line in told if line is not None and line.item >= 0] == [1]
        events.table.setCurrentIndex(events.model.index(0, 0))
        QTest.keyClick(events.table, Qt.Key.Key_Return)
        await one.room.still()
        assert one.plan.isVisible()
        assert one.plan.view.step() == "disks"
        one.action("plan.events")
        await one.room.still()
        assert events.isVisible()
        lines = [events.model.line(at) for at in range(events.model.rowCount())]
        assert {line.step for line in lines if line is not None} == {"disks"}
        QTest.keyClicks(events.bar.words, "refused")
        assert events.model.rowCount() < len(lines)

    at_the_window(story)


def test_a_run_rests_between_two_steps_and_goes_on(at_the_window: Callable[[Story], None]) -> None:
    async def story(one: Person) -> None:
        rack = rack_of(one)
        rack.hold()
        await begin(one, looks(3))
        await one.room.until(lambda: rack.asked)
        await pause(one)
        assert one.room.opened.running.live.value.pausing
        rack.let_go()
        live = await ended(one)
        assert live.paused
        assert one.plan.top._elapsed.text() == "Paused: 1 of 3 steps done, the run holds the song"
        assert row(one, "look1").standing.mark is RowMark.WAITING
        assert not one.window.actions_["edit.undo"].isEnabled()

    async def the_next_day(one: Person) -> None:
        rack_of(one)
        assert one.plan.top._elapsed.text().startswith("Paused: 1 of 3 steps done")
        assert one.room.opened.running.paused
        one.find(QPushButton, "Go on with the run").click()
        await one.room.until(lambda: one.room.opened.running.live.value.state is RunState.COMPLETED)
        await one.room.still()
        assert one.room.opened.running.unfinished.value is None
        assert one.plan.runs.left_over.text == ""

    at_the_window(story)
    at_the_window(the_next_day)


def test_a_run_that_rests_is_stopped(at_the_window: Callable[[Story], None]) -> None:
    async def story(one: Person) -> None:
        rack = rack_of(one)
        rack.hold()
        await begin(one, looks(3))
        await one.room.until(lambda: rack.asked)
        await pause(one)
        rack.let_go()
        assert (await ended(one)).paused
        one.action("plan.stop")
        await one.room.until(lambda: one.room.opened.running.unfinished.value is None)
        live = await ended(one)
        assert (live.state, live.ledger.done) == (RunState.CANCELLED, 1)

    at_the_window(story)


def test_a_request_waits_for_the_run_and_is_then_shown_for_approval(at_the_window: Callable[[Story], None]) -> None:
    async def story(one: Person) -> None:
        opened = one.room.opened
        rack = rack_of(one)
        rack.hold()
        await begin(one, LATER)
        await one.room.until(lambda: rack.asked)
        one.send("a calm lofi beat in D minor, 8 bars")
        await one.room.until(lambda: entries(one, Queued))
        one.send("a waltz")
        await one.room.until(lambda: len(entries(one, Queued)) == 2)
        assert {queued.note for queued in entries(one, Queued)} == {WAITS}
        await one.room.until(lambda: len(backs(one)) == 2)
        backs(one)[-1].click()
        await one.room.until(lambda: len(entries(one, Queued)) == 1)
        assert [words.note for words in entries(one, MessageEntry) if words.text == "a waltz"] == [TAKEN_BACK]
        assert opened.reviewing.proposal.value is None
        rack.let_go()
        await one.room.until(lambda: opened.reviewing.proposal.value)
        await one.room.still()
        proposal = opened.reviewing.proposal.value
        assert proposal.run is not None
        assert entries(one, Queued) == []
        dropped = proposal.plan.steps[-1].id
        await opened.reviewing.reject([dropped])
        await one.room.still()
        one.approve()
        await one.room.until(lambda: opened.running.live.value and opened.running.live.value.run == proposal.run)
        live = await ended(one)
        assert live.state is RunState.COMPLETED
        assert dropped not in {step.id for step in live.plan.steps}
        assert [card.run for card in entries(one, PlanCard)] == [proposal.run]

    at_the_window(story)


async def a_proposal_of_the_queue(one: Person) -> Proposal:
    """A plan that waited for a run and is under review now."""
    opened = one.room.opened
    rack = rack_of(one)
    rack.hold()
    await begin(one, looks(1))
    await one.room.until(lambda: rack.asked)
    one.send("a calm lofi beat in D minor, 8 bars")
    await one.room.until(lambda: entries(one, Queued))
    rack.let_go()
    await one.room.until(lambda: opened.reviewing.proposal.value)
    await one.room.still()
    proposal = opened.reviewing.proposal.value
    assert proposal is not None
    assert proposal.run is not None
    return proposal


def test_a_plan_that_was_discarded_waits_no_more(at_the_window: Callable[[Story], None]) -> None:
    async def story(one: Person) -> None:
        opened = one.room.opened
        run = (await a_proposal_of_the_queue(one)).run
        one.action("plan.discard")
        await one.room.until(lambda: opened.waiting.entries.value == ())
        await one.room.still()
        assert opened.reviewing.proposal.value is None
        assert (await opened.studio.runs.show(run)).state is RunState.CANCELLED

    at_the_window(story)


def test_a_plan_that_another_program_takes_back_is_under_review_no_more(at_the_window: Callable[[Story], None]) -> None:
    async def story(one: Person) -> None:
        opened = one.room.opened
        proposal = await a_proposal_of_the_queue(one)
        await opened.studio.runs.stopping.cancel(proposal.run)
        await one.room.until(lambda: opened.reviewing.proposal.value is None)
        await one.room.still()
        assert entries(one, MessageEntry)[-1].text == GONE
        assert [card.discarded for card in entries(one, PlanCard)] == [True]
        assert not one.window.actions_["plan.run"].isEnabled()

    at_the_window(story)


def test_a_plan_that_another_program_approves_runs_and_is_under_review_no_more(
    at_the_window: Callable[[Story], None]
) -> None:
    async def story(one: Person) -> None:
        opened = one.room.opened
        proposal = await a_proposal_of_the_queue(one)
        await opened.studio.runs.approve(proposal.run, proposal.plan.hash)
        await one.room.until(lambda: opened.running.live.value and opened.running.live.value.run == proposal.run)
        assert (await ended(one)).state is RunState.COMPLETED
        assert opened.reviewing.proposal.value is None
        assert [card.run for card in entries(one, PlanCard)] == [proposal.run]

    at_the_window(story)


def test_a_run_that_is_shown_but_not_under_way_runs_once_it_is_approved(at_the_window: Callable[[Story], None]) -> None:
    async def story(one: Person) -> None:
        opened = one.room.opened
        proposal = await a_proposal_of_the_queue(one)
        await opened.running.show(proposal.run)
        await opened.studio.runs.approve(proposal.run, proposal.plan.hash)
        live = opened.running.live
        await one.room.until(lambda: live.value is not None and live.value.state is RunState.COMPLETED)

    at_the_window(story)


def test_an_approved_run_whose_song_has_changed_comes_back_for_another_approval(
    at_the_window: Callable[[Story], None]
) -> None:
    async def story(one: Person) -> None:
        opened = one.room.opened
        rack = rack_of(one)
        rack.hold()
        await begin(one, LATER)
        await one.room.until(lambda: rack.asked)
        run = await approved(opened.studio, opened.workspace.record, tracks(2, "Late"), queued=True)
        rack.let_go()
        await one.room.until(lambda: opened.reviewing.proposal.value)
        await one.room.still()
        assert opened.reviewing.proposal.value.run == run
        assert AGAIN in [words.text for words in entries(one, MessageEntry)]
        assert len(opened.workspace.song.tracks) == 1
        one.approve()
        await one.room.until(lambda: len(opened.workspace.song.tracks) == 3)
        assert (await ended(one)).state is RunState.COMPLETED

    at_the_window(story)


def test_a_run_of_the_queue_is_seen_and_stopped(at_the_window: Callable[[Story], None]) -> None:
    async def story(one: Person) -> None:
        opened = one.room.opened
        rack = rack_of(one)
        rack.hold()
        run = await approved(opened.studio, opened.workspace.record, looks(2), queued=True)
        await one.room.until(lambda: opened.running.busy)
        assert opened.running.live.value.run == run
        assert opened.running.live.value.elsewhere
        await one.room.until(lambda: rack.asked)
        one.action("plan.stop")
        live = await ended(one)
        assert live.state is RunState.CANCELLED

    at_the_window(story)
