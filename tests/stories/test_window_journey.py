"""The whole loop by hand: ask, review, hear, approve, watch, undo, redo, restore, export, close, open again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import mido
import pytest
from people import Person, at_window
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QTabWidget
from qt_fixtures import Loop, garbage, qloop, theme

from agent.plan.ledger import StepState
from agent.session.run_state import RunState
from app.ui.history.panel import HistoryPanel
from app.ui.kit.theme import Theme
from app.ui.plan.step_form import StepForm
from app.viewmodels.chat.entries import PlanCard

__all__ = ["garbage", "qloop", "theme"]
COMPOSE = "a calm lofi beat in D minor at 82 bpm, 8 bars"
NAME = "a calm lofi beat in D minor at 82 bpm, 8 bars"
AMBIENT = "Recompose this sequence to be more ambient and atmospheric"


@pytest.fixture
def at_the_window(theme: Theme, tmp_path: Path, qloop: Loop) -> Callable[..., None]:
    """Runs a story of a person at the real window; the same home when it is run again."""

    def tell(story) -> None:  # type: ignore[no-untyped-def]
        qloop.run(at_window(theme, tmp_path / "home", story))

    return tell


def test_the_loop_by_hand_and_eye(at_the_window, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    async def first_song(one: Person) -> None:
        opened = one.room.opened
        await one.ask(COMPOSE)
        proposal = opened.reviewing.proposal.value
        steps = {step.tool: step.id for step in proposal.plan.steps}
        one.click_cell(steps["add_section"], 1)
        await one.room.until(lambda: steps["add_section"] in opened.reviewing.proposal.value.rejections)
        one.click_cell(steps["set_tempo"], 2, double=True)
        await one.room.until(lambda: one.plan.plan_actions.editing.form)
        form: StepForm = one.plan.plan_actions.editing.form
        form.findChild(QTabWidget).setCurrentIndex(1)
        form.findChild(QPlainTextEdit).setPlainText(json.dumps({"bpm": 76}))
        save = next(button for button in form.findChildren(QPushButton) if button.text() == "Save")
        QTest.mouseClick(save, Qt.MouseButton.LeftButton)
        await one.room.until(lambda: steps["set_tempo"] in opened.reviewing.proposal.value.changes)
        await one.room.still()
        one.action("plan.hear")
        await one.room.until(lambda: opened.playback.state.value.playing)
        assert opened.focus.side.value == "plan"
        one.action("transport.play")
        await one.room.until(lambda: not opened.playback.state.value.playing)
        assert opened.workspace.song.tracks == ()
        approved = len(opened.reviewing.proposal.value.approved)
        await one.click(f"Approve and run {approved}")
        await one.room.until(lambda: opened.running.live.value and opened.running.live.value.view)
        await one.room.still()
        live = opened.running.live.value
        assert live.state is RunState.COMPLETED
        assert {row.state for row in live.rows.values()} == {StepState.DONE}
        assert opened.workspace.song.tempos[0].bpm == 76
        [card] = [entry for entry in opened.conversation.entries if isinstance(entry, PlanCard)]
        assert (card.run, card.iteration) == (live.run, opened.workspace.head)

    async def second_thoughts(one: Person) -> None:
        await one.room.desktop.open(NAME)
        await one.room.still()
        opened = one.room.opened
        before = opened.workspace.song
        await one.ask(AMBIENT)
        one.approve()
        await one.room.until(lambda: opened.running.live.value and opened.running.live.value.view)
        await one.room.still()
        after = opened.workspace.song
        assert after != before
        assert (opened.listening.other.value.kind, opened.listening.other.value.song) == ("before", before)
        one.action("plan.side")
        assert opened.focus.side.value == "plan"
        one.action("edit.undo")
        await one.room.until(lambda: opened.workspace.song == before)
        await one.room.still()
        one.action("edit.redo")
        await one.room.until(lambda: opened.workspace.song == after)
        await one.room.still()
        history: HistoryPanel = one.window.findChild(HistoryPanel)
        oldest = opened.versions.iterations.value[-2]
        history.select(oldest.id)
        await one.click("Restore")
        await one.room.until(lambda: opened.workspace.song == before)
        await one.room.still()
        for chosen in opened.versions.iterations.value[:2]:
            history.list.selectionModel().select(
                history.model.index_of(chosen.id), QItemSelectionModel.SelectionFlag.Select
            )
        await one.room.still()
        await one.click("Compare")
        await one.room.until(lambda: history.page and history.page.versions)
        await one.click("Close")
        await one.room.until(lambda: history.page is None)
        path = tmp_path / "out.mid"
        await one.room.desktop.export("mid", path, lambda *_: None, lambda: False)
        assert sum(message.type == "note_on" for track in mido.MidiFile(path).tracks for message in track)

    async def the_next_day(one: Person) -> None:
        await one.room.desktop.open(NAME)
        await one.room.still()
        opened = one.room.opened
        said = [entry for entry in opened.conversation.entries if isinstance(entry, PlanCard)]
        assert len(said) == 2
        assert len(opened.versions.iterations.value) == 6
        assert opened.versions.steps.value.undo is not None
        await asyncio.sleep(0)

    at_the_window(first_song)
    at_the_window(second_thoughts)
    at_the_window(the_next_day)
