"""Another project is seen whole, or not at all: no empty views, no windows of their own, no other sizes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget
from rooms import Room, in_room

from agent.song.edits import SetTempo
from app.ui.kit.smoothness.loading_overlay import LoadingOverlay
from app.ui.kit.theme import Theme
from app.ui.shell.dock_names import CHAT, HISTORY
from app.ui.shell.looks import Looks
from app.ui.shell.main_window import MainWindow
from app.ui.shell.notification_bar import NotificationBar
from app.viewmodels.open_project import OpenProject
from app.window.views import view_factories

Story = Callable[[Room, MainWindow], Awaitable[None]]


class Seen(QObject):
    """Notes what comes to be seen: how much of the open project is loaded then, and windows beside the main one."""

    def __init__(self, room: Room, window: MainWindow) -> None:
        super().__init__()
        self._room, self._window = room, window
        self.versions: set[int] = set()
        self.windows: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Of the whole application."""
        if isinstance(watched, QWidget):
            opened = self._room.desktop.opened.value
            if event.type() is QEvent.Type.Paint and self._window.isAncestorOf(watched) and opened is not None:
                self.versions.add(len(opened.versions.iterations.value))
            if event.type() is QEvent.Type.Show and watched.isWindow() and watched is not self._window:
                self.windows.append(type(watched).__name__)
        return False


@pytest.fixture
def filled(theme: Theme, tmp_path: Path, qloop) -> Callable[[Story], None]:  # type: ignore[no-untyped-def]
    """Runs a story about a window with all its views."""

    def tell(story: Story) -> None:
        async def in_window(room: Room) -> None:
            window = MainWindow(theme, Looks())
            window.resize(1600, 1000)
            window.show()
            window.attach(room.desktop, room.kit, view_factories())
            await room.still()
            try:
                await story(room, window)
                await room.still()
            finally:
                window.detach()
                window.hide()
                window.deleteLater()

        qloop.run(in_room(theme, tmp_path / "home", in_window))

    return tell


async def two_versions(room: Room) -> str:
    """A project with them, behind an empty draft that is open."""
    await room.opened.edit((SetTempo(bpm=90),), "slower")
    await room.opened.edit((SetTempo(bpm=120),), "faster")
    project = room.opened.workspace.project
    await room.desktop.new()
    await room.still()
    return project


def test_nothing_is_painted_before_what_is_stored_is_there(filled: Callable[[Story], None]) -> None:
    async def story(room: Room, window: MainWindow) -> None:
        project = await two_versions(room)
        docks = window.docks.docks
        before = docks[CHAT].width(), docks[HISTORY].width()
        seen = Seen(room, window)
        QApplication.instance().installEventFilter(seen)  # type: ignore[union-attr]
        try:
            await room.desktop.open(project)
            await room.until(lambda: bool(seen.versions))
            await room.still()
        finally:
            QApplication.instance().removeEventFilter(seen)  # type: ignore[union-attr]
        assert seen.versions == {len(room.opened.versions.iterations.value)}
        assert seen.windows == []
        assert window.updatesEnabled()
        assert before == (336, 292)
        assert (docks[CHAT].width(), docks[HISTORY].width()) == before

    filled(story)


def test_the_mouse_reaches_nothing_that_is_half_made(filled: Callable[[Story], None]) -> None:
    async def story(room: Room, window: MainWindow) -> None:
        project = await two_versions(room)
        under: list[QWidget | None] = []
        middle = window.rect().center()
        room.desktop.opened.changed.listen(lambda _: under.append(window.childAt(middle)))
        await room.desktop.open(project)
        assert [type(one) for one in under] == [LoadingOverlay]
        assert not isinstance(window.childAt(middle), LoadingOverlay)

    filled(story)


def test_keys_reach_nothing_that_is_half_made(filled: Callable[[Story], None]) -> None:
    async def story(room: Room, window: MainWindow) -> None:
        box = next(box for box in window.findChildren(QPlainTextEdit) if box.accessibleName() == "Request")
        overlay = LoadingOverlay(room.kit, window)
        window.activateWindow()
        box.setFocus()
        await room.until(lambda: QApplication.focusWidget() is box)
        overlay.cover()
        QTest.keyClick(window.windowHandle(), Qt.Key.Key_C)
        assert box.toPlainText() == ""
        overlay.uncover()
        QTest.keyClick(window.windowHandle(), Qt.Key.Key_C)
        assert box.toPlainText() == "c"
        overlay.deleteLater()

    filled(story)


def test_what_came_of_work_in_a_project_is_not_told_over_another(filled: Callable[[Story], None]) -> None:
    async def story(room: Room, window: MainWindow) -> None:
        project = await two_versions(room)
        strips = window.findChild(NotificationBar)
        strips.report("techno.mid: 7 tracks, 2,556 notes.")
        assert strips.isVisible()
        await room.desktop.open(project)
        await room.still()
        assert not strips.isVisible()

    filled(story)


def test_a_project_that_cannot_be_loaded_leaves_a_window_that_can_be_used(
    filled: Callable[[Story], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_: OpenProject) -> None:
        raise OSError("gone")

    async def story(room: Room, window: MainWindow) -> None:
        project = await two_versions(room)
        monkeypatch.setattr(OpenProject, "begin", broken)
        with pytest.raises(OSError, match="gone"):
            await room.desktop.open(project)
        assert window.updatesEnabled()

    filled(story)


def test_what_takes_too_long_is_seen_as_it_is(filled: Callable[[Story], None]) -> None:
    async def story(room: Room, window: MainWindow) -> None:
        overlay = LoadingOverlay(room.kit, window)
        overlay._latest.setInterval(10)
        overlay.cover()
        assert not window.updatesEnabled()
        await room.until(window.updatesEnabled)
        assert not overlay.down

        async def endless() -> None:
            await asyncio.sleep(600)

        overlay._latest.setInterval(60_000)
        overlay.cover()
        task = room.kit.tasks.start(endless(), "window")
        await overlay.uncover_when_idle()
        assert window.updatesEnabled()
        task.cancel()
        overlay.deleteLater()

    filled(story)
