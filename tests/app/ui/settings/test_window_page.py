"""The page of the window: every choice is kept, and says when it holds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rooms import Room, in_room

from app.ui.kit.theme import Theme
from app.ui.settings.other_pages import WindowPage
from app.viewmodels.preferences import Preferences


def on_page(qloop: Any, theme: Theme, home: Path, story: Callable[[Room, WindowPage], None]) -> None:
    async def opened(room: Room) -> None:
        room.desktop.preferences.open_with(Preferences("dark"))
        page = WindowPage(room.kit, room.desktop.preferences, home, lambda: None)
        try:
            story(room, page)
            await room.still()
            again = room.desktop.preferences.value
            await room.desktop.preferences.load()
            assert room.desktop.preferences.value == again
        finally:
            page.close_page()
            page.deleteLater()

    qloop.run(in_room(theme, home, opened))


def chosen(page: WindowPage, box: str, value: str) -> None:
    field = getattr(page, box)
    field.setCurrentIndex(field.findData(value))
    field.activated.emit(field.currentIndex())


def test_a_choice_is_kept_at_once_and_says_when_it_holds(qloop: Any, theme: Theme, tmp_path: Path) -> None:
    def story(room: Room, page: WindowPage) -> None:
        preferences = room.desktop.preferences
        chosen(page, "theme", "light")
        assert preferences.value.theme == "light"
        assert page.said.isHidden()
        chosen(page, "zoom", "150")
        assert preferences.value.zoom == 150
        assert page.said.accessibleName().endswith("change when Bandleader is started the next time.")
        assert not page.restart.isHidden()
        chosen(page, "zoom", "100")
        assert page.said.isHidden()
        assert page.restart.isHidden()
        chosen(page, "language", "pseudo")
        assert preferences.value.language == "pseudo"
        assert not page.said.isHidden()
        page.calm.setChecked(True)
        page.notices.setChecked(False)
        assert (preferences.value.calm, preferences.value.notices) == (True, False)

    on_page(qloop, theme, tmp_path, story)


def test_what_is_chosen_elsewhere_is_shown(qloop: Any, theme: Theme, tmp_path: Path) -> None:
    def story(room: Room, page: WindowPage) -> None:
        room.desktop.preferences.take(Preferences("light", "en", 80, calm=True, notices=False))
        assert [box.currentData() for box in (page.theme, page.language, page.zoom)] == ["light", "en", "80"]
        assert (page.calm.isChecked(), page.notices.isChecked()) == (True, False)
        assert room.desktop.preferences.value == Preferences("light", "en", 80, calm=True, notices=False)

    on_page(qloop, theme, tmp_path, story)


def test_languages_that_ship_are_offered_in_their_own_words(qloop: Any, theme: Theme, tmp_path: Path) -> None:
    (tmp_path / "translations").mkdir()
    (tmp_path / "translations" / "de.mo").write_bytes(b"")

    def story(room: Room, page: WindowPage) -> None:
        names = [page.language.itemText(at) for at in range(page.language.count())]
        assert "Deutsch" in names
        assert names[:2] == ["As the system", "English"]

    on_page(qloop, theme, tmp_path, story)
