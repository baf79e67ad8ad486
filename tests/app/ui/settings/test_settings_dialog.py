"""The settings as a person uses them: keys, servers, models and caps."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from model_doors import ModelDoor, choosing_over
from patience import PATIENCE
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLineEdit, QWidget
from rooms import Room, in_room
from shiboken6 import isValid

from app.storage.usage import UsageSum
from app.studio.key_order import KeyPlace
from app.studio.models import KINDS, Caps, Chosen, Given, ProviderSettings
from app.ui.kit.context import Kit
from app.ui.settings.dialog import SettingsDialog
from app.ui.settings.entries import PAGES
from app.ui.settings.other_pages import SpendingPage
from app.ui.settings.provider_page import ProviderPage
from app.viewmodels.chat.choosing import SERVERS, Choosing

KEY = "sk-ant-canary-0123456789abcdef"
Story = Callable[["Shown"], Awaitable[None]]


class Shown:
    """An open dialog over a door."""

    def __init__(self, kit: Kit, door: ModelDoor, choosing: Choosing) -> None:
        self.kit, self.door, self.choosing = kit, door, choosing
        self.dialog = SettingsDialog(None, kit, choosing)

    async def page(self, name: str) -> ProviderPage:
        """A provider's page, once it has looked."""
        self.dialog.open_page(name)
        await self.still()
        page = self.dialog.pages[name]
        assert isinstance(page, ProviderPage)
        return page

    async def still(self) -> None:
        """Let what was begun come to its end."""
        async with asyncio.timeout(PATIENCE):
            while self.kit.tasks.running:
                await asyncio.sleep(0.005)


@pytest.fixture
def told(qloop: Any, kit: Kit) -> Callable[..., None]:
    def run(story: Story, door: ModelDoor | None = None, **more: Any) -> None:
        async def work() -> None:
            used = door or ModelDoor()
            shown = Shown(kit, used, choosing_over(used, **more))
            try:
                await story(shown)
            finally:
                if isValid(shown.dialog):
                    shown.dialog.close()
                await kit.tasks.close()

        qloop.run(work())

    return run


def test_a_key_is_saved_told_and_leaves_nothing_behind(told: Callable[..., None]) -> None:
    async def story(one: Shown) -> None:
        page = await one.page("anthropic")
        assert page.key.place.text == "There is no key."
        assert not page.key.save.isEnabled()
        assert not page.key.forget.isEnabled()
        QTest.keyClicks(page.key.field, KEY)
        assert KEY not in QAccessible.queryAccessibleInterface(page.key.field).text(QAccessible.Text.Value)
        page.key.save.click()
        await one.still()
        assert one.door.keys == {"anthropic": KEY}
        assert page.key.place.text == "The key is kept in GNOME Keyring."
        assert page.key.field.text() == ""
        page.key.field.undo()
        page.key.field.setEchoMode(QLineEdit.EchoMode.Normal)
        page.key.field.undo()
        assert page.key.field.text() == ""
        assert not any(KEY in words for words in _texts(one.dialog))
        page.key.forget.click()
        await one.still()
        assert one.door.keys == {}
        assert page.working.said.text == "The key was forgotten."

    told(story)


def test_a_keyring_that_refuses_leaves_the_choice_of_this_session(told: Callable[..., None]) -> None:
    async def story(one: Shown) -> None:
        page = await one.page("openai")
        assert page.key.session.isHidden()
        page.key.field.setText(KEY)
        page.key.save.click()
        await one.still()
        assert one.door.keys == {}
        assert "There is no keyring here." in page.working.said.text
        assert page.working.said.tone == "bad"
        assert not page.key.session.isHidden()
        page.key.session.click()
        await one.still()
        assert one.door.keys == {"openai": KEY}
        assert "this session only" in page.key.place.text
        assert page.key.field.text() == ""
        assert page.key.session.isHidden()

    door = ModelDoor()
    door.safe = False
    told(story, door)


def test_another_page_and_closing_take_a_key_that_was_not_saved_away(told: Callable[..., None]) -> None:
    async def story(one: Shown) -> None:
        page = await one.page("openai")
        page.key.field.setText(KEY)
        one.dialog.open_page("local")
        assert page.key.field.text() == ""
        page = await one.page("openai")
        page.key.field.setText(KEY)
        one.dialog.accept()
        assert page.key.field.text() == ""
        assert one.door.keys == {}

    told(story)


def test_a_key_of_the_environment_is_said_and_not_ours_to_forget(told: Callable[..., None]) -> None:
    async def story(one: Shown) -> None:
        page = await one.page("anthropic")
        assert page.key.place.text.startswith("The key is taken from ANTHROPIC_API_KEY")
        assert not page.key.forget.isEnabled()

    door = ModelDoor()
    door.places["anthropic"] = KeyPlace("environment", "taken from ANTHROPIC_API_KEY in this process's environment")
    told(story, door)


def test_a_test_lists_the_models_and_an_error_says_what_to_do(told: Callable[..., None]) -> None:
    async def story(one: Shown) -> None:
        page = await one.page("anthropic")
        page.fields.model.setEditText("my own")
        one.door.places["anthropic"] = KeyPlace("keyring", "kept in GNOME Keyring")
        page.key.test.click()
        assert page.working.busy
        assert not page.key.test.isEnabled()
        await one.still()
        assert page.working.said.text == "The key works. The server offers 2 models."
        assert page.fields.model.currentText() == "my own"
        assert [page.fields.model.itemText(at) for at in range(page.fields.model.count())] == ["alpha-2", "beta-9"]
        one.door.works = False
        page.fields.ask.click()
        await one.still()
        assert page.working.said.text.split("\n") == [
            "Anthropic refused the key.", "Why: It said 401.", "What to do: Paste another."
        ]
        assert page.key.test.isEnabled()

    told(story)


def test_no_key_works_that_is_not_there_or_not_saved(told: Callable[..., None]) -> None:
    async def story(one: Shown) -> None:
        page = await one.page("openai-chat")
        page.key.test.click()
        await one.still()
        assert page.working.said.text == "The server answers without a key. The server offers 2 models."
        page.key.field.setText(KEY)
        page.key.test.click()
        await one.still()
        assert page.working.said.text.startswith("The key in the field is not saved yet and was not tried.")
        assert page.working.said.tone == "warn"
        assert page.key.field.text() == KEY

    told(story)


def test_another_server_has_another_key(told: Callable[..., None]) -> None:
    async def story(one: Shown) -> None:
        page = await one.page("openai-chat")
        assert page.key.place.text.startswith("The key is kept")
        one.door.places.clear()
        page.fields.url.setEditText("https://models.example/v1")
        line = page.fields.url.lineEdit()
        assert line is not None
        line.editingFinished.emit()
        await one.still()
        assert page.key.place.text.startswith("There is no key.")
        assert not page.key.forget.isEnabled()
        assert page.working.said.text == "Saved."

    door = ModelDoor()
    door.places["openai-chat"] = KeyPlace("keyring", "kept in GNOME Keyring")
    told(story, door)


def test_the_focus_comes_back_to_where_it_was(told: Callable[..., None]) -> None:
    async def story(one: Shown) -> None:
        page = await one.page("openai")
        one.dialog.activateWindow()
        page.key.field.setText("not a key")
        page.key.field.setFocus()
        QTest.keyClick(page.key.field, Qt.Key.Key_Return)
        assert QApplication.focusWidget() is page.working.cancel
        await one.still()
        assert page.working.said.tone == "bad"
        assert QApplication.focusWidget() is page.key.field

    door = ModelDoor()
    door.safe = False
    told(story, door)


def test_an_empty_address_shows_who_is_asked(qloop: Any, theme: Any, tmp_path: Path) -> None:
    async def story(room: Room) -> None:
        dialog = SettingsDialog(None, room.kit, room.opened.choosing)
        try:
            for kind in KINDS:
                page = dialog.pages[kind]
                assert isinstance(page, ProviderPage)
                line = page.fields.url.lineEdit()
                assert line is not None
                assert line.placeholderText() == await room.opened.studio.models.address(kind)
        finally:
            dialog.close()
            dialog.deleteLater()

    qloop.run(in_room(theme, tmp_path, story))


def test_a_server_that_never_answers_can_be_left(told: Callable[..., None]) -> None:
    async def story(one: Shown) -> None:
        page = await one.page("anthropic")
        page.key.test.click()
        while "test anthropic" not in one.door.calls:
            await asyncio.sleep(0.005)
        page.working.cancel.click()
        await one.still()
        assert page.working.said.text.startswith("Cancelled")
        assert page.key.test.isEnabled()
        page.key.test.click()
        await asyncio.sleep(0.01)
        one.dialog.accept()
        await one.still()

    door = ModelDoor()
    door.hangs = True
    told(story, door)


def test_a_server_is_taken_kept_and_chosen(told: Callable[..., None]) -> None:
    async def story(one: Shown) -> None:
        page = await one.page("openai-chat")
        buttons = {button.text(): button for button in page.findChildren(QAbstractButton)}
        for name, url in SERVERS:
            buttons[name].click()
            await one.still()
            assert one.door.all["openai-chat"].base_url == url
        buttons["Ollama"].click()
        page.fields.heat.setValue(0.4)
        page.fields.context.setValue(8192)
        page.fields.small.setChecked(True)
        page.use.click()
        await one.still()
        assert page.working.said.tone == "warn"
        assert one.choosing.chosen.value.local
        page.fields.model.setEditText(" qwen:1b ")
        page.use.click()
        await one.still()
        assert one.door.all["openai-chat"] == ProviderSettings(
            "openai-chat", "http://127.0.0.1:11434/v1", "qwen:1b", 0.4, 8192, True
        )
        assert one.door.choice == Chosen("openai-chat", "")
        assert one.choosing.chosen.value.said == "Ollama, qwen:1b"
        assert page.working.said.text == "Ollama, qwen:1b plans from the next request on."
        assert page.use.isHidden()
        assert page.planner.chosen.text == "Chosen: Ollama, qwen:1b plans your requests."
        one.dialog.open_page("local")
        local = one.dialog.pages["local"]
        assert not local.use.isHidden()
        assert local.planner.chosen.text == ""
        local.use.click()
        await one.still()
        assert one.choosing.chosen.value.local
        assert local.use.isHidden()
        assert local.planner.chosen.text == "Chosen: the built-in composer plans your requests."
        assert not page.use.isHidden()

    told(story)


def test_a_key_goes_to_the_server_that_is_written_and_no_other(told: Callable[..., None]) -> None:
    async def story(one: Shown) -> None:
        page = await one.page("openai-chat")
        page.fields.url.setEditText("https://models.example/v1")
        page.key.field.setText(KEY)
        one.door.calls.clear()
        page.key.save.click()
        await one.still()
        assert one.door.calls[:2] == ["keep https://models.example/v1", "put openai-chat"]

    told(story)


def test_only_a_server_of_one_s_own_has_a_temperature(told: Callable[..., None]) -> None:
    async def story(one: Shown) -> None:
        for name, has in (("anthropic", False), ("openai", False), ("openai-chat", True)):
            page = await one.page(name)
            for widget in (page.fields.heat, page.fields.context, page.fields.small):
                assert widget.isVisible() is has

    told(story)


def test_the_probe_is_there_when_there_is_one(told: Callable[..., None]) -> None:
    async def can(provider: str) -> tuple[str, ...]:
        return (f"{provider} can plan.", "5 of 5 rows were right.")

    async def story(one: Shown) -> None:
        page = await one.page("openai")
        page.probe.click()
        await one.still()
        assert page.working.said.text == "openai can plan.\n5 of 5 rows were right."

    async def without(one: Shown) -> None:
        assert (await one.page("openai")).probe.isHidden()

    told(story, probe=can)
    told(without)


def test_caps_are_kept_and_the_month_is_told(told: Callable[..., None]) -> None:
    async def story(one: Shown) -> None:
        one.dialog.open_page("spending")
        await one.still()
        page = one.dialog.pages["spending"]
        assert isinstance(page, SpendingPage)
        assert page.spent.text() == "$1.25"
        assert page.detail.text() == "12 answers, 48,210 tokens; the price of 2 answers is unknown"
        page.month.setValue(20)
        page.month.editingFinished.emit()
        await one.still()
        assert one.door.kept_caps == Caps(None, 20.0)
        assert page.spent.text() == "$1.25 of $20.00"
        page.month.setValue(-1)
        page.run.setValue(0)
        page.month.editingFinished.emit()
        await one.still()
        assert one.door.kept_caps == Caps(0.0, None)

    told(story, sums=UsageSum(12, 40_000, 8_210, 0, 1.25, 2))


def test_looking_at_one_page_asks_the_keyring_for_no_other(told: Callable[..., None]) -> None:
    async def story(one: Shown) -> None:
        await one.choosing.refresh()
        one.dialog.open_page("local")
        await one.still()
        assert not [call for call in one.door.calls if call.startswith("place")]
        await one.page("openai")
        assert [call for call in one.door.calls if call.startswith("place")] == ["place openai"]

    told(story)


def test_every_control_has_a_name_and_is_reached_by_tab(told: Callable[..., None]) -> None:
    async def story(one: Shown) -> None:
        for name in PAGES:
            one.dialog.open_page(name)
            await one.still()
            page = one.dialog.pages[name]
            for widget in (*page.findChildren(QAbstractButton), *page.findChildren(QComboBox)):
                if widget.isVisible():
                    assert widget.accessibleName(), widget
                    assert widget.toolTip(), widget.accessibleName()
                    assert widget.focusPolicy() & Qt.FocusPolicy.TabFocus

    told(story)


def test_over_the_real_models_a_setting_is_there_after_all(qloop: Any, theme: Any, tmp_path: Path) -> None:
    async def story(room: Room) -> None:
        dialog = SettingsDialog(None, room.kit, room.opened.choosing)
        try:
            dialog.open_page("openai-chat")
            await room.still()
            page = dialog.pages["openai-chat"]
            assert isinstance(page, ProviderPage)
            page.fields.url.setEditText("ftp://host")
            page.use.click()
            await room.still()
            assert page.working.said.tone == "bad"
            assert "not one of http or https" in page.working.said.text
            page.fields.url.setEditText("http://127.0.0.1:8080/v1/")
            page.fields.model.setEditText("tiny")
            page.key.field.setText(KEY)
            page.key._keep_for_session()
            await room.still()
            assert "this session only" in page.key.place.text
            page.use.click()
            await room.still()
            assert room.opened.choosing.chosen.value.said == "llama.cpp, tiny"
            assert page.fields.url.currentText() == "http://127.0.0.1:8080/v1"
            again = Choosing(room.opened.studio.models, room.opened.studio.spending)
            await again.refresh()
            assert again.chosen.value.said == "llama.cpp, tiny"
            stored = (tmp_path / "bandleader.db").read_bytes() + b"".join(
                path.read_bytes() for path in tmp_path.glob("bandleader.db-*")
            )
            assert KEY.encode() not in stored
        finally:
            dialog.accept()

    qloop.run(in_room(theme, tmp_path, story))


def _texts(widget: QWidget) -> list[str]:
    """All that is written anywhere in a window, seen or told to a screen reader, and on the clipboard."""
    found = [QGuiApplication.clipboard().text(), *(top.windowTitle() for top in QApplication.topLevelWidgets())]
    for one in widget.findChildren(QWidget):
        text = getattr(one, "text", None)
        found += [one.accessibleName(), one.accessibleDescription(), one.toolTip(), text() if callable(text) else ""]
    return found




def test_an_address_of_the_environment_is_shown_where_addresses_are(told: Callable[..., None]) -> None:
    async def story(one: Shown) -> None:
        page = await one.page("anthropic")
        assert page.fields.note.text() == (
            "https://proxy.example is asked: ANTHROPIC_BASE_URL in the environment goes before the settings"
        )
        assert page.fields.note.isVisibleTo(page)
        page.fields.model.setEditText("alpha-2")
        page.use.click()
        await one.still()
        assert one.choosing.chosen.value.said == "Anthropic at proxy.example, alpha-2"
        assert one.choosing.chosen.value.note == page.fields.note.text()
        assert page.working.said.text.startswith("Anthropic at proxy.example, alpha-2 plans")
        bad = await one.page("openai")
        assert bad.fields.note.text() == "OPENAI_BASE_URL in the environment cannot be used: it is no address"
        chat = await one.page("openai-chat")
        assert not chat.fields.note.isVisibleTo(chat)

    door = ModelDoor()
    door.given_by["anthropic"] = Given("ANTHROPIC_BASE_URL", "https://proxy.example")
    door.given_by["openai"] = Given("OPENAI_BASE_URL", trouble="it is no address")
    told(story, door)
