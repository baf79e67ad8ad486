"""The chat as a person uses it, over a real studio."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from patience import PATIENCE
from PySide6.QtCore import QEvent, QMimeData, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QTextOption
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QMessageBox
from rooms import Room

from agent.plan.bounds import MAX_REQUEST
from agent.plan.plan import Clause
from agent.plan.planning import ClarifyingChoice, ClarifyingQuestion
from app.ui.chat.built_entries import WINDOW
from app.ui.chat.entry_making import AskedView, ProblemView, RefinedView
from app.ui.chat.panel import ChatPanel
from app.ui.chat.plan_card import PlanCardView
from app.ui.chat.said import WordsView
from app.ui.kit.theme import Theme
from app.viewmodels.chat.entries import Asked, ClauseLine, MessageEntry, PlanCard, ProblemEntry
from app.viewmodels.chat.offers import Offer, UndoStep
from app.viewmodels.texts.troubles import Trouble

AMBIENT = "Write a slow, warm ambient song at 80 BPM"
Story = Callable[[Room, ChatPanel], Awaitable[None]]


def key(panel: ChatPanel, which: Qt.Key, text: str = "", modifiers: Any = Qt.KeyboardModifier.NoModifier) -> None:
    panel.box.text.keyPressEvent(QKeyEvent(QEvent.Type.KeyPress, which, modifiers, text))


def views(panel: ChatPanel, kind: type[Any]) -> list[Any]:
    return [view for view in panel.entries.views if isinstance(view, kind)]


def test_a_request_is_sent_by_enter_and_its_plan_is_shown(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        wanted: list[object] = []
        panel.plan_wanted.connect(wanted.append)
        assert not panel.box.send.isEnabled()
        assert not panel.box.stop.isEnabled()
        panel.put(AMBIENT)
        key(panel, Qt.Key.Key_Return, "\r", Qt.KeyboardModifier.ShiftModifier)
        assert panel.box.text.toPlainText() == AMBIENT + "\n"
        key(panel, Qt.Key.Key_Return, "\r")
        assert panel.box.text.toPlainText() == ""
        await room.until(lambda: room.opened.asking.busy)
        assert panel.box.stop.isEnabled()
        assert panel.status.words.text().startswith("Planning") or panel.status.words.text().startswith("Writing")
        await room.until(lambda: room.opened.reviewing.proposal.value)
        await room.still()
        [card] = views(panel, PlanCardView)
        proposal = room.opened.reviewing.proposal.value
        assert proposal is not None
        steps = len(proposal.plan.steps)
        assert card.about.text() == f"{steps} steps · {steps} approved · 5 tracks"
        card.button.click()
        assert wanted == [None]
        assert panel.status.words.text() == ""
        assert not panel.box.stop.isEnabled()

    chat(story)


def test_a_rejected_step_and_the_end_of_a_run_are_seen_on_the_card(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        runs: list[object] = []
        iterations: list[str] = []
        panel.plan_wanted.connect(runs.append)
        panel.iteration_wanted.connect(iterations.append)
        await room.plan(AMBIENT)
        proposal = room.opened.reviewing.proposal.value
        assert proposal is not None
        await room.opened.reviewing.reject([proposal.plan.steps[-1].id])
        await room.still()
        [card] = views(panel, PlanCardView)
        after = room.opened.reviewing.proposal.value
        assert after is not None
        assert f"{len(after.approved)} approved" in card.about.text()
        assert len(after.approved) < len(proposal.approved)
        await room.approve()
        listed = room.opened.versions.iterations
        await room.until(lambda: [one.id for one in listed.value[:1]] == [room.opened.workspace.head])
        await room.still()
        [card] = views(panel, PlanCardView)
        names = {button.text(): button for button in card.findChildren(QAbstractButton)}
        assert f"{len(after.approved)} of {len(after.approved)} steps" in names
        names["Iteration 2"].click()
        card.button.click()
        assert iterations == [room.opened.workspace.head]
        live = room.opened.running.live.value
        assert live is not None
        assert runs == [live.run]

    chat(story)


def test_stop_and_a_request_that_waits_are_told(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        panel.ask(AMBIENT)
        panel.ask("a lofi beat")
        await room.until(lambda: room.opened.asking.waiting.value)
        assert "1 request waits" in panel.status.words.text()
        panel.box.stop.click()
        async with asyncio.timeout(PATIENCE):
            await room.until(lambda: not room.opened.asking.doing.value)
        await room.still()
        assert room.opened.reviewing.proposal.value is None
        assert panel.status.words.text() == ""

    chat(story)


def test_a_choice_is_taken_by_its_button(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        await room.plan("something for Tuesday")
        await room.still()
        [asked] = views(panel, AskedView)
        asked.activate()
        asked.buttons[1].click()
        await room.until(lambda: room.opened.reviewing.proposal.value)
        await room.still()
        [asked] = views(panel, AskedView)
        assert not any(button.isEnabled() for button in asked.buttons)
        assert isinstance(room.opened.conversation.entries[1], Asked)

    chat(story)


def test_problems_stand_where_they_happened_and_can_be_sent_again(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        await room.plan("make it slower")
        room.kit.troubles.told.emit(Trouble("chat", "the disk is full", "0 bytes left", "free some space"))
        room.kit.troubles.told.emit(Trouble("plan", "elsewhere"))
        await room.still()
        first, second = views(panel, ProblemView)
        assert second.button is None
        assert "What to do: Free some space." in second.copied
        first.button.click()
        await room.until(lambda: len(room.opened.conversation.entries) > 4)
        assert [entry.text for entry in room.opened.conversation.entries if isinstance(entry, MessageEntry)] == [
            "make it slower", "make it slower"
        ]

    chat(story)


def test_megabytes_are_pasted_as_plain_text_and_cut(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        mime = QMimeData()
        mime.setText("<b>la</b> \x00\ud800" + "la " * 2_000_000)
        mime.setHtml("<h1>other</h1>")
        text = panel.box.text
        text.insertFromMimeData(mime)
        assert len(text.toPlainText()) <= MAX_REQUEST
        assert text.toPlainText().startswith("<b>la</b> ")
        cut = "A request holds 20,000 characters; the rest was left out"
        assert panel.box.note.text() == cut
        key(panel, Qt.Key.Key_A, "a")
        key(panel, Qt.Key.Key_A, "a")
        assert len(text.toPlainText()) <= MAX_REQUEST
        high = text.height()
        text.put("one line")
        assert text.height() < high
        assert panel.box.note.text() != cut

    chat(story)


def test_an_endless_word_is_pasted_whole_and_wraps_anywhere(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        mime, text = QMimeData(), panel.box.text
        mime.setText("é" * 15_000)
        text.insertFromMimeData(mime)
        assert text.toPlainText() == "é" * 15_000
        assert text.document().size().height() > 100
        assert text.wordWrapMode() is QTextOption.WrapMode.WrapAnywhere
        text.put("a word")
        assert text.wordWrapMode() is QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere

    chat(story)


def test_up_and_down_go_through_earlier_requests(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        room.opened.conversation.add(MessageEntry("you", "first"))
        room.opened.conversation.add(MessageEntry("you", "second"))
        panel.put("draft")
        seen = []
        for which in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down):
            key(panel, which)
            seen.append(panel.box.text.toPlainText())
        assert seen == ["second", "first", "first", "second", "draft", "draft"]
        panel.put("two\nlines")
        key(panel, Qt.Key.Key_Up)
        assert panel.box.text.toPlainText() == "two\nlines"

    chat(story)


def test_it_stays_at_the_end_unless_a_person_scrolled_up(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        talk, bar = room.opened.conversation, panel.entries.verticalScrollBar()
        for number in range(40):
            talk.add(MessageEntry("bandleader", f"answer {number}"))
        await room.still()
        assert bar.value() == bar.maximum() > 0
        bar.setValue(0)
        talk.add(MessageEntry("bandleader", "news"))
        await room.still()
        assert bar.value() == 0
        assert panel.entries.below.isVisible()
        panel.entries.below.click()
        await room.still()
        assert bar.value() == bar.maximum()
        assert not panel.entries.below.isVisible()

    chat(story)


@pytest.mark.parametrize("news", [False, True], ids=["alone", "with news"])
def test_who_reads_above_stays_there_when_a_pressed_button_goes(chat: Callable[[Story], None], news: bool) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        talk, bar = room.opened.conversation, panel.entries.verticalScrollBar()
        choices = (ClarifyingChoice("This", "this"), ClarifyingChoice("That", "that"))
        question = ClarifyingQuestion("Which one?", choices)
        for number in range(30):
            talk.add(Asked(question) if number in (6, 29) else MessageEntry("bandleader", f"answer {number}\n\n" * 4))
        await room.still()
        view = panel.entries.built.view_of(6)
        assert isinstance(view, AskedView)
        panel.entries.ensureWidgetVisible(view, 0, 100)
        view.buttons[0].setFocus()
        await room.still()
        read_at = bar.value()
        assert 0 < read_at < bar.maximum() - 1000
        talk.put(6, Asked(question, answered="This"))
        if news:
            talk.add(MessageEntry("bandleader", "what comes of it"))
        await room.still()
        assert bar.value() == read_at
        fresh = panel.entries.built.view_of(6)
        assert fresh is not None
        assert fresh is not view
        assert fresh.isAncestorOf(panel.window().focusWidget()) or fresh.hasFocus()

    chat(story)


def test_who_reads_above_stays_there_when_the_button_of_an_answer_goes(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        talk, bar = room.opened.conversation, panel.entries.verticalScrollBar()
        offered = MessageEntry("bandleader", "One click does it.", offer=Offer("Undo", UndoStep("undo")))
        for number in range(30):
            talk.add(offered if number in (6, 29) else MessageEntry("bandleader", f"answer {number}\n\n" * 4))
        await room.still()
        view = panel.entries.built.view_of(6)
        assert isinstance(view, WordsView)
        assert view.offer_button is not None
        panel.entries.ensureWidgetVisible(view, 0, 100)
        view.offer_button.setFocus()
        await room.still()
        read_at = bar.value()
        talk.put(6, MessageEntry("bandleader", offered.text, note="Undo: done"))
        await room.still()
        assert abs(bar.value() - read_at) < panel.height() / 2
        assert view.hasFocus() or view.isAncestorOf(panel.window().focusWidget())

    chat(story)


def test_a_long_conversation_builds_only_its_end_and_streams_in_one_place(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        talk = room.opened.conversation
        for number in range(1000):
            talk.add(MessageEntry("you" if number % 2 else "bandleader", f"words {number}"))
        await room.until(lambda: len(panel.entries.views) == WINDOW)
        last = talk.add(MessageEntry("bandleader", "grow", growing=True))
        await room.still()
        view = panel.entries.views[-1]
        assert isinstance(view, WordsView)
        for length in range(300):
            talk.put(last, MessageEntry("bandleader", "word " * length, growing=True))
        await room.still()
        assert panel.entries.views[-1] is view
        assert view.copied == "word " * 299
        assert "▋" in view.label.text()
        panel.entries._earlier.click()
        assert len(panel.entries.views) == 2 * WINDOW + 1
        assert panel.entries.views[0].copied == f"words {1000 - 2 * WINDOW}"

    chat(story)


def test_entries_are_reached_and_copied_by_keyboard(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        talk = room.opened.conversation
        talk.add(MessageEntry("you", "a question"))
        talk.add(MessageEntry("bandleader", "an **answer**"))
        await room.still()
        panel.activateWindow()
        panel.entries.setFocus()
        QTest.keyClick(panel.entries, Qt.Key.Key_Up)
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        assert QGuiApplication.clipboard().text() == "an **answer**"
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Up)
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        assert QGuiApplication.clipboard().text() == "a question"

    chat(story)


def test_words_of_a_person_are_never_markup_and_links_ask_first(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        talk = room.opened.conversation
        talk.add(MessageEntry("you", "<img src='file:///etc/passwd'> <b>x</b> " + "w" * 500))
        talk.add(MessageEntry("bandleader", "[here](https://example.org) <script>x</script>"))
        talk.add(ProblemEntry(Trouble("chat", "<b>bold</b>", "<i>why</i>")))
        talk.add(PlanCard("<u>plan</u>", 1, "h", ("<b>heard</b>",)))
        await room.still()
        mine, theirs = views(panel, WordsView)
        assert mine.label.textFormat() is Qt.TextFormat.PlainText
        assert "<script" not in theirs.label.text()
        assert panel.width() == 336
        theirs.label.linkActivated.emit("https://example.org")
        [box] = theirs.findChildren(QMessageBox)
        assert "example.org" in box.informativeText()
        box.close()

    chat(story)


@pytest.mark.parametrize("look", ["dark", "light"])
def test_every_control_has_a_name_and_looks_change_at_once(
    chat: Callable[[Story], None], theme: Theme, look: Any
) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        await room.plan(AMBIENT)
        await room.plan("something for Tuesday")
        theme.choose(look)
        await room.still()
        for button in panel.findChildren(QAbstractButton):
            assert button.accessibleName(), button.text()
            assert button.toolTip()
        assert panel.box.text.accessibleName() == "Request"
        assert not panel.grab().isNull()

    chat(story)
    theme.choose("dark")


def test_a_closed_panel_hears_nothing(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        panel.close_view()
        room.opened.conversation.add(MessageEntry("you", "late"))
        room.opened.asking.doing.set("Planning")
        await room.still()
        assert not panel.entries.views
        assert panel.status.words.text() == ""
        room.opened.asking.doing.set("")

    chat(story)


def test_the_box_tells_what_its_words_would_be_about(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        assert panel.box.text.placeholderText() == "Describe what you want to hear…"
        await room.plan(AMBIENT)
        await room.still()
        assert panel.box.text.placeholderText() == "Refine the plan, or ask about the song…"
        assert panel.box.quiet.text() == "Refines draft 1"
        room.opened.asking.approving.discard()
        await room.still()
        assert panel.box.text.placeholderText() == "Describe what you want to hear…"
        assert panel.box.quiet.text() == "Free, offline"

    chat(story)


def test_a_refinement_is_a_card_with_its_rows_and_the_way_back(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        await room.plan(AMBIENT)
        before = room.opened.reviewing.proposal.value
        assert before is not None
        await room.opened.asking.ask("make it 90 bpm")
        await room.still()
        [card] = views(panel, RefinedView)
        assert card.accessibleName() == "Plan, draft 1 to draft 2"
        assert "changed: 1 Tempo 90 BPM" in card.accessibleDescription()
        assert "others unchanged." in card.accessibleDescription()
        assert panel.box.quiet.text() == "Refines draft 2"
        assert card.button is not None
        card.button.click()
        await room.until(lambda: (now := room.opened.reviewing.proposal.value) and now.plan.request == AMBIENT)
        await room.still()
        [card] = views(panel, RefinedView)
        assert card.button is None

    chat(story)


def test_a_plan_card_lists_its_clauses_with_their_rows(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        await room.plan(AMBIENT)
        await room.approve()
        await room.plan("make the pad quieter and frobnicate the drone")
        await room.still()
        card = views(panel, PlanCardView)[-1]
        said = [label.text() for label in card.findChildren(QLabel) if label.text()]
        assert "make the pad quieter" in said
        assert "1" in said[said.index("make the pad quieter") + 1]
        assert any(text.startswith("frobnicate the drone: ") for text in said)

    chat(story)


def test_a_plan_of_very_many_clauses_shows_them_a_dozen_at_a_time(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        lines = tuple(ClauseLine(Clause(f"clause {number}", outcome="done")) for number in range(30))
        room.opened.conversation.add(PlanCard("many", 1, "h", clauses=lines))
        await room.still()
        [card] = views(panel, PlanCardView)
        more = next(one for one in card.findChildren(QAbstractButton) if one.text() == "and 18 more")

        def shown() -> list[str]:
            return [one.text() for one in card.findChildren(QLabel) if one.text().startswith("clause ")]

        assert shown() == [f"clause {number}" for number in range(12)]
        assert "clause 29" in card.accessibleDescription()
        more.click()
        assert more.text() == "and 6 more"
        more.click()
        assert shown() == [f"clause {number}" for number in range(30)]
        assert not more.isVisibleTo(card)

    chat(story)
