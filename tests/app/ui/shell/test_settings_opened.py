"""The settings as the window opens them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rooms import Room, in_room

from app.ui.kit.theme import Theme
from app.ui.settings.dialog import SettingsDialog
from app.ui.shell.looks import Looks
from app.ui.shell.main_window import MainWindow
from app.ui.welcome.offline_strip import OfflineStrip
from app.window.views import view_factories


def test_settings_open_from_menu_chat_and_start_page_and_go_with_the_window(
    qloop: Any, theme: Theme, tmp_path: Path
) -> None:
    async def story(room: Room) -> None:
        window = MainWindow(theme, Looks())
        window.show()
        window.attach(room.desktop, room.kit, view_factories())
        try:
            def open_ones() -> list[SettingsDialog]:
                return [one for one in window.findChildren(SettingsDialog) if one.isVisible()]

            await room.still()
            window._refresh()
            window.actions_.run("file.settings")
            await room.still()
            [dialog] = open_ones()
            assert dialog.list.currentRow() == 0
            attached = window._attached
            assert attached is not None
            attached.central.welcome.widget.findChild(OfflineStrip).key_button.click()  # type: ignore[union-attr]
            await room.still()
            assert open_ones() == [dialog]
            assert dialog.list.currentRow() == 1
            dialog.accept()
            await room.still()
            assert not open_ones()
            attached._views.settings("spending")
            await room.still()
            [again] = open_ones()
            assert again.list.currentRow() == 4
        finally:
            window.detach()
            await room.kit.tasks.close()
            window.hide()
            window.deleteLater()
        assert not open_ones()

    qloop.run(in_room(theme, tmp_path, story))
