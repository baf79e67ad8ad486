"""Who plans, as it is chosen below the request box; what is told of waiting and of cost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QAbstractButton, QLabel
from rooms import Room

from agent.plan.document import Estimate
from agent.plan.plan import Step
from agent.plan.planning import Countdown, Spent, StepProposed
from app.storage.usage import UsageSum
from app.ui.chat.entry_making import ProblemView
from app.ui.chat.panel import ChatPanel
from app.ui.chat.said import WordsView
from app.ui.shell.status_line import StatusLine
from app.viewmodels.chat.choosing import COMPOSER
from app.viewmodels.chat.entries import MessageEntry, ProblemEntry
from app.viewmodels.texts.troubles import Trouble

Story = Callable[[Room, ChatPanel], Awaitable[None]]


async def set_up(room: Room) -> None:
    models = room.opened.studio.models
    await models.keep(replace(await models.settings("anthropic"), model="alpha-2"))
    await models.keep(replace(await models.settings("openai-chat"), base_url="http://127.0.0.1:11434/v1", model="b:1"))
    await room.opened.choosing.refresh()


def test_without_a_model_only_the_composer_and_the_way_to_a_key_are_offered(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        wanted: list[str] = []
        panel.settings_wanted.connect(wanted.append)
        assert panel.picker.button.said == "Built-in composer, offline"
        assert panel.box.quiet.text() == "Free, offline"
        menu = panel.picker.menu()
        assert [action.text() for action in menu.actions()] == ["Built-in composer, offline", "", "Settings…"]
        menu.actions()[-1].trigger()
        menu.deleteLater()
        panel.picker.add_key.click()
        assert wanted == ["", "anthropic"]

    chat(story)


@pytest.mark.parametrize("width", [260, 280, 300, 336])
def test_the_composer_is_named_to_its_last_letter_in_a_narrow_window(
    chat: Callable[[Story], None], width: int
) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        picker = panel.picker
        panel.resize(width, 500)
        await room.still()
        assert picker.button.shown in ("Built-in composer", "Built-in composer, offline")
        assert picker.button.geometry().right() < picker.add_key.geometry().left()
        assert picker.add_key.geometry().right() <= picker.width()
        assert picker.add_key.accessibleName() == "Add a key…"
        await set_up(room)
        menu = picker.menu()
        {action.text(): action for action in menu.actions()}["Anthropic, alpha-2"].trigger()
        await room.until(lambda: picker.button.said == "Anthropic, alpha-2")
        assert picker.button.shown.endswith("alpha-2")

    chat(story)


def test_the_chosen_planner_is_told_everywhere_and_stays(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        line = StatusLine()
        line.follow(room.opened, room.kit)
        await set_up(room)
        assert panel.picker.add_key.isHidden()
        menu = panel.picker.menu()
        actions = {action.text(): action for action in menu.actions()}
        assert list(actions) == ["Built-in composer, offline", "Anthropic, alpha-2", "Ollama, b:1", "", "Settings…"]
        assert actions["Built-in composer, offline"].isChecked()
        actions["Ollama, b:1"].trigger()
        menu.deleteLater()
        await room.still()
        assert panel.picker.button.said == "Ollama, b:1"
        assert panel.picker.button.accessibleName() == "Planner: Ollama, b:1, ready"
        assert panel.box.quiet.text() == "Sent to Ollama"
        assert line.composer.text() == "Ollama, b:1"
        assert (await room.opened.studio.models.chosen()).provider == "openai-chat"
        again = await room.desktop.new()
        assert again.choosing.chosen.value.said == "Ollama, b:1"
        line.close_view()
        line.deleteLater()

    chat(story)


def test_a_wait_counts_down_and_tokens_and_rows_are_told(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        progress = room.opened.asking._progress
        progress.begin("Planning")
        progress.hear(StepProposed(Step("s1", "set_tempo", {"bpm": 80.0})))
        progress.hear(Spent(1840, 0.012, "alpha-2"))
        await room.still()
        assert (panel.status.words.text(), panel.status.used.text()) == ("Planning, 1 step so far", "1,840 tokens")
        progress.hear(Countdown(11.4, "rate limited"))
        await room.still()
        assert (panel.status.words.text(), panel.status.used.text()) == ("Again in 12 s: rate limited", "")
        progress.end()
        await room.still()
        assert panel.status.words.text() == ""

    chat(story)


def test_what_today_and_the_month_have_cost_stands_beside_the_planner(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        await set_up(room)
        spent, choosing = panel.picker.spent, room.opened.choosing
        assert spent.isHidden()
        choosing.month.set(UsageSum(30, 1000, 200, 0, 1.52, 1))
        assert spent.text() == "This month $1.52 and more"
        choosing.today.set(UsageSum(3, 100, 20, 0, 0.11, 0))
        assert not spent.isHidden()
        panel.resize(900, 500)
        assert spent.text() == "Today $0.11 · month $1.52 and more"
        panel.resize(290, 500)
        assert spent.text() == "Today $0.11"
        assert "This month $1.52 and more" in spent.toolTip()

    chat(story)


def test_a_model_that_refused_is_marked_and_the_composer_takes_over(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        await set_up(room)
        await room.opened.choosing.choose(room.opened.choosing.offers.value[1])
        trouble = Trouble("chat", "Anthropic refused the key", "it said 401", "paste another")
        room.opened.asking.refused.set(trouble)
        room.opened.conversation.add(ProblemEntry(trouble, "a slow ambient song at 80 BPM", offline=True))
        await room.still()
        assert "Anthropic refused the key" in panel.picker.button.accessibleName()
        [view] = [view for view in panel.entries.views if isinstance(view, ProblemView)]
        buttons = {button.text(): button for button in view.findChildren(QAbstractButton)}
        buttons["Use the built-in composer"].click()
        await room.until(lambda: room.opened.reviewing.proposal.value)
        await room.still()
        assert room.opened.choosing.chosen.value.local
        assert panel.picker.button.accessibleName() == "Planner: Built-in composer, offline, ready"

    chat(story)


def test_words_that_were_taken_into_account_say_so(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        index = room.opened.conversation.add(MessageEntry("you", "keep the bass"))
        await room.still()
        room.opened.conversation.put(index, MessageEntry("you", "keep the bass", note="Taken into account"))
        await room.still()
        [view] = [view for view in panel.entries.views if isinstance(view, WordsView)]
        assert "Taken into account" in [label.text() for label in view.findChildren(QLabel)]

    chat(story)


def test_what_sending_would_use_is_told_once_the_writing_rests(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        quiet, text = panel.box.quiet, panel.box.text
        text.put("a calm beat")
        await asyncio.sleep(0.5)
        await room.still()
        assert quiet.text() == "Free, offline"
        await set_up(room)
        await room.opened.choosing.choose(room.opened.choosing.offers.value[1])
        await room.until(lambda: quiet.text().startswith("About "))
        assert quiet.text().endswith(" tokens, price unknown")
        assert quiet.accessibleDescription() == "Sent to Anthropic"
        text.put("")
        assert quiet.text() == "Sent to Anthropic"
        text.put("a calm beat, " * 400)
        await room.until(lambda: quiet.text().startswith("About "))
        longer = quiet.text()
        text.put("a calm beat")
        await room.until(lambda: quiet.text() not in (longer, "Sent to Anthropic"))
        room.opened.choosing.chosen.set(COMPOSER)
        assert quiet.text() == "Free, offline"

    chat(story)


def test_no_estimate_is_shown_for_words_that_are_gone(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        go, asked = asyncio.Event(), []

        async def slowly(words: str) -> Estimate:
            asked.append(words)
            await go.wait()
            return Estimate(1234, 0.0061)

        panel._foretelling._estimate = slowly
        panel.box.text.put("one")
        await room.until(lambda: asked == ["one"])
        panel.box.text.put("two")
        go.set()
        await room.still()
        assert panel.box.quiet.text() == "Free, offline"
        await room.until(lambda: panel.box.quiet.text() == "About 1,200 tokens, $0.006")
        assert asked == ["one", "two"]

    chat(story)
