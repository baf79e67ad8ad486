"""Talk at the real window: a question, a command, undo by its button, a yes in words, a request of several clauses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from people import Person, at_window
from PySide6.QtWidgets import QApplication
from qt_fixtures import Loop, garbage, qloop, theme

from app.ui.chat.entry_making import RefinedView
from app.ui.chat.panel import ChatPanel
from app.ui.chat.parts import Paragraph
from app.ui.chat.plan_card import PlanCardView
from app.ui.chat.said import WordsView
from app.ui.kit.theme import Theme
from app.ui.plan.columns import PlanColumn
from app.viewmodels.chat.entries import PlanCard

__all__ = ["garbage", "qloop", "theme"]
COMPOSE = "a calm lofi beat in D minor at 82 bpm, 16 bars"
SEVERAL = "make it 10 bpm slower and move the solo behind the last chorus"
Story = Callable[[Person], Awaitable[None]]


@pytest.fixture
def at_the_window(theme: Theme, tmp_path: Path, qloop: Loop) -> Callable[[Story], None]:
    """Runs a story of a person at the real window."""
    return lambda story: qloop.run(at_window(theme, tmp_path / "home", story))


def chat(one: Person) -> ChatPanel:
    found = one.window.findChild(ChatPanel)
    assert isinstance(found, ChatPanel)
    return found


def newest_card(one: Person) -> PlanCard:
    return [entry for entry in one.room.opened.conversation.entries if isinstance(entry, PlanCard)][-1]


def newest(one: Person) -> WordsView:
    """The newest message of Bandleader as it is shown."""
    said = [view for view in chat(one).entries.views if isinstance(view, WordsView)]
    return said[-1]


async def say(one: Person, words: str) -> WordsView:
    """Send words, and wait for the answer."""
    opened = one.room.opened
    count = len(opened.conversation.entries)
    one.send(words)
    await one.room.until(lambda: len(opened.conversation.entries) >= count + 2)
    await one.room.still()
    return newest(one)


def test_talk_is_answered_and_only_buttons_change_the_song(at_the_window: Callable[[Story], None]) -> None:
    async def story(one: Person) -> None:
        opened = one.room.opened
        await one.ask(COMPOSE)
        opened = one.room.opened
        plan = opened.reviewing.proposal.value

        told = await say(one, "ok do it")
        assert "words never do it" in told.label.text()
        assert opened.focus.to_approve.value
        assert opened.running.live.value is None
        assert opened.workspace.song.tracks == ()
        told = await say(one, "what would row 2 do?")
        assert not opened.focus.to_approve.value
        assert opened.reviewing.proposal.value is plan
        assert "answer:0" in told.label.text()
        told.label.linkActivated.emit("answer:0")
        await one.room.still()
        assert opened.focus.step.value is not None

        one.approve()
        await one.room.until(lambda: opened.running.live.value and opened.running.live.value.view)
        await one.room.until(lambda: opened.workspace.song.tracks)
        await one.room.still()
        song = opened.workspace.song

        told = await say(one, "who plays in bar 5?")
        told.label.linkActivated.emit("answer:0")
        assert opened.focus.bars.value == (5, 5)
        await say(one, "loop bars 9-12")
        assert opened.playback.state.value.loop == song.bar_map.span(9, 12)
        assert opened.workspace.song is song

        told = await say(one, "undo")
        assert opened.workspace.song is song
        assert told.offer_button is not None
        await one.click("Undo")
        await one.room.until(lambda: not opened.workspace.song.tracks)
        await one.room.still()
        assert newest(one).offer_button is None
        assert "Done, as version" in newest(one).accessibleDescription()
        await say(one, "redo")
        await one.click("Redo")
        await one.room.until(lambda: opened.workspace.song.tracks)

        await one.ask(SEVERAL)
        [mine] = [view for view in chat(one).entries.views if isinstance(view, WordsView) and view.copied == SEVERAL]
        assert "text-underline-style: solid" in mine.label.text()
        assert "text-underline-style: dashed" in mine.label.text()
        assert "move the solo behind the last chorus: not done" in mine.accessibleDescription()
        card = [view for view in chat(one).entries.views if isinstance(view, PlanCardView)][-1]
        texts = [label.text() for label in card.findChildren(Paragraph)]
        assert any(text.startswith("move the solo behind the last chorus: ") for text in texts)
        assert [line.clause.outcome for line in newest_card(one).clauses] == ["done", "told"]
        assert newest_card(one).clauses[0].rows
        assert "I left out" not in newest(one).label.text()

        told = await say(one, "export it")
        assert QApplication.activeModalWidget() is None
        await one.click("Export…")
        await one.room.until(QApplication.activeModalWidget)
        dialog = QApplication.activeModalWidget()
        assert dialog is not None
        dialog.close()

    at_the_window(story)


def plan_rows(one: Person) -> list[str]:
    """What each row of the plan does, as its table shows it."""
    proposal = one.room.opened.reviewing.proposal.value
    assert proposal is not None
    model = one.plan.view.model()
    return [str(model.row_index(step.id, PlanColumn.STEP).data()) for step in proposal.plan.steps]


def test_remarks_on_the_plan_change_its_rows_and_stack_nothing(at_the_window: Callable[[Story], None]) -> None:
    async def story(one: Person) -> None:
        await one.ask(COMPOSE)
        one.approve()
        await one.room.until(lambda: one.room.opened.workspace.song.tracks)
        await one.room.still()

        await one.ask("make the bass louder and the tempo 96")
        opened = one.room.opened
        asked = plan_rows(one)
        assert len(asked) == 2
        await say(one, "96 is too fast, give 88")
        rows = plan_rows(one)
        assert len(rows) == 2
        assert [row for row in rows if row not in asked] == ["Tempo 88 BPM"]
        [card] = [view for view in chat(one).entries.views if isinstance(view, RefinedView)]
        assert "changed: 1 " in card.accessibleDescription()

        await say(one, "yes, lovely, only not the bass, that should stay as loud as it is")
        assert plan_rows(one) == ["Tempo 88 BPM"]
        assert opened.running.live.value is None

    at_the_window(story)
