"""Studio machines in the settings: added, compared, pinned, tried, changed, forgotten."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from settings_rooms import Settings, cells
from ssh_machines import Silent, SshMachines, free_port, needs_sshd, ssh_machines

from app.studio.integrations.machines import Machine
from app.ui.settings.services.machines_page import MachinesPage

PASSWORD, OTHER = "canary 9c1d7e5b", "canary 55d0e2aa"


@pytest.fixture
def rack() -> Iterator[SshMachines]:
    with ssh_machines() as made:
        yield made


async def written(one: Settings, name: str, port: int, **fields: str) -> MachinesPage:
    """The form of a new machine, filled in."""
    page = await one.page("machines", MachinesPage)
    page.add.click()
    page.form.name.setText(name)
    page.form.address.setText(fields.pop("address", "127.0.0.1"))
    page.form.port.setValue(port)
    page.form.user.setText(fields.pop("user", "me"))
    page.form.key_file.edit.setText(fields.pop("key", ""))
    for field, words in fields.items():
        getattr(page.form, field).setText(words)
    return page


async def settled(one: Settings, page: MachinesPage) -> str:
    await one.room.until(lambda: not page.working.busy)
    await one.room.still()
    return page.working.said.text


@needs_sshd
def test_a_machine_is_added_compared_pinned_and_tried(in_the_settings: Any, rack: SshMachines) -> None:
    machine = rack.start()

    async def story(one: Settings) -> None:
        key, tags = str(rack.key), "mixing, Win10,mixing"
        page = await written(one, "booth", machine.port, user=machine.user, key=key, tags=tags)
        page.form.keep.click()
        assert "Now show its fingerprint" in await settled(one, page)
        assert cells(page.table) == ["booth", "Linux", "SSH", "mixing, Win10", "Not pinned"]
        page.test.click()
        assert "What to do: Show its fingerprint, compare it, and pin it." in await settled(one, page)
        page.key.click()
        await settled(one, page)
        assert "SHA256:" in page.shown.text()
        assert "No key is pinned yet." in page.shown.text()
        page.pin.click()
        await settled(one, page)
        assert cells(page.table)[-1] == "Pinned"
        page.test.click()
        assert "booth answers: " in await settled(one, page)
        assert page.working.said.tone == "ok"
        machine.change_host_key()
        page.key.click()
        await settled(one, page)
        assert page.pin.text() == "Pin this key instead"
        assert "Somebody else may be at its address" in page.shown.text()
        page.leave.click()
        page.test.click()
        assert "shows another host key" in await settled(one, page)
        assert "query_machines" in one.studio.registry.tools
        page.forget.click()
        assert "forgotten" in await settled(one, page)
        assert "query_machines" not in one.studio.registry.tools

    in_the_settings(story)


def test_a_machine_that_refuses_says_why_and_what_to_do(in_the_settings: Any) -> None:
    async def story(one: Settings) -> None:
        page = await written(one, "off", free_port())
        page.form.keep.click()
        await settled(one, page)
        page.key.click()
        said = (await settled(one, page)).split("\n")
        assert said[0] == "Machine off cannot be reached."
        assert said[1].endswith("the connection was refused.")
        assert said[2] == "What to do: Check its address and port, and that it is on."
        assert page.working.said.tone == "bad"
        assert page.key.isEnabled()

    in_the_settings(story)


def test_a_machine_that_keeps_silent_can_be_left(in_the_settings: Any) -> None:
    silent = Silent(0)

    async def story(one: Settings) -> None:
        page = await written(one, "stuck", silent.port)
        page.form.keep.click()
        await settled(one, page)
        page.key.click()
        await one.room.until(lambda: silent.taken)
        page.working.cancel.click()
        assert (await settled(one, page)).startswith("Cancelled")

    try:
        in_the_settings(story)
    finally:
        silent.close()


def test_a_password_goes_to_the_keyring_and_is_never_seen_again(in_the_settings: Any) -> None:
    async def story(one: Settings) -> None:
        page = await written(one, "booth", 22, password=PASSWORD)
        QTest.keyClick(page.form.password, Qt.Key.Key_Return)
        await settled(one, page)
        assert list(one.memory.kept.values()) == [PASSWORD]
        page.edit.click()
        assert (page.form.password.text(), page.form.name.isEnabled()) == ("", False)
        page.form.tags.setText("quiet")
        page.form.folders.setPlainText("/srv/samples\n/srv/loops")
        page.form.keep.click()
        await settled(one, page)
        assert cells(page.table)[3] == "quiet"
        assert "2 sample folders: /srv/samples, /srv/loops" in page.facts.text()
        assert list(one.memory.kept.values()) == [PASSWORD]
        page.edit.click()
        page.form.password.setText(OTHER)
        page.form.keep.click()
        await settled(one, page)
        assert list(one.memory.kept.values()) == [OTHER]
        page.form.password.undo()
        assert not any(word in text for text in one.texts() for word in (PASSWORD, OTHER))
        page.forget.click()
        await settled(one, page)
        assert one.memory.kept == {}

    in_the_settings(story)


def test_a_kept_password_is_not_sent_to_another_address(in_the_settings: Any) -> None:
    async def story(one: Settings) -> None:
        page = await written(one, "desk", 22)
        page.form.way.setCurrentIndex(1)
        assert (page.form.port.value(), page.form.system.currentText()) == (5986, "Windows")
        page.form.password.setText(PASSWORD)
        page.form.keep.click()
        await settled(one, page)
        assert cells(page.table) == ["desk", "Windows", "WinRM", "", "By certificate"]
        assert not page.key.isEnabled()
        page.edit.click()
        page.form.address.setText("elsewhere.example")
        page.form.keep.click()
        assert "Give its password again" in await settled(one, page)
        assert (await one.studio.machines.find("desk")).address == "127.0.0.1"
        page.form.password.setText("another")
        page.form.keep.click()
        await settled(one, page)
        assert (await one.studio.machines.find("desk")).address == "elsewhere.example"

    in_the_settings(story)


@pytest.mark.parametrize(("field", "words", "said"), [
    ("name", "two words", "no name of a machine"), ("address", "me:secret@host", "no address of a machine"),
    ("user", "me:secret", "no user of a machine"), ("key_file", "/nowhere/key", "no file"),
    ("tags", "ok, <b>", "is no tag"),
])  # fmt: skip
def test_what_cannot_be_a_machine_stays_in_the_form(in_the_settings: Any, field: str, words: str, said: str) -> None:
    async def story(one: Settings) -> None:
        page = await written(one, "booth", 22, password=PASSWORD)
        wrong = getattr(page.form, field)
        (wrong.edit if field == "key_file" else wrong).setText(words)
        page.form.keep.click()
        assert said in await settled(one, page)
        assert page.form.isVisible()
        assert one.memory.kept == {}
        one.dialog.open_page("local")
        assert page.form.password.text() == ""

    in_the_settings(story)


def test_without_the_libraries_the_page_says_what_to_install(
    in_the_settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "asyncssh", None)

    async def story(one: Settings) -> None:
        page = await one.page("machines", MachinesPage)
        assert "The library asyncssh is not installed" in page.missing.text
        assert "pip install 'bandleader[machines]'" in page.missing.text

    in_the_settings(story)


def test_a_machine_that_cannot_be_read_stands_in_the_list_and_can_only_be_forgotten(in_the_settings: Any) -> None:
    async def story(one: Settings) -> None:
        for name in ("booth", "mix"):
            await one.studio.machines.add(Machine(name, "127.0.0.1", 22, "me"))
        spoil = "UPDATE machine SET details = '[]' WHERE name = 'booth'"
        await one.studio.store.write(lambda transaction: transaction.exec_driver_sql(spoil))
        page = await one.page("machines", MachinesPage)
        assert cells(page.table)[:1] + cells(page.table)[4:6] == ["booth", "Cannot be read", "mix"]
        page.table.choose("booth")
        assert "machine booth is damaged" in page.facts.text()
        usable = (page.edit.isEnabled(), page.key.isEnabled(), page.test.isEnabled(), page.forget.isEnabled())
        assert usable == (False, False, False, True)
        page.forget.click()
        await settled(one, page)
        assert cells(page.table)[0] == "mix"

    in_the_settings(story)
