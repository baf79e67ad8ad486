"""The frame of the main window: where its parts stand, before and after there is anything to show in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from app.i18n import tr
from app.ui.kit.widgets.still import Still
from app.ui.shell.dock_names import CHAT, EVENTS, HISTORY, MIXER, PIANOROLL, PLAN
from app.ui.shell.docks import Docks
from app.ui.shell.looks import Looks, to_bytes
from app.ui.shell.on_screen import fitted_to_screens, is_behind
from app.ui.shell.status_line import StatusLine
from app.ui.shell.top_bar import TitleBar

if TYPE_CHECKING:
    # Everything of the song and its database is slow to import; the window is shown before it.
    from app.ui.shell.workbench import Workbench

FIRST_SIZE = QSize(1600, 1000)
LEAST_SIZE = QSize(1024, 640)
_FRAME = QSize(8, 40)
_BAR_HEIGHT = 47


class WindowFrame(QMainWindow):
    """The empty main window: menus, bars, central pages and docks at their places. `changed` is called when a dock
    opens, closes or moves."""

    def __init__(self, looks: Looks, changed: Callable[[], None]) -> None:
        super().__init__()
        self.first_looks = looks
        self.setObjectName("window")
        self.setWindowTitle("Bandleader")
        self.setMinimumSize(LEAST_SIZE.boundedTo(self.screen().availableSize() - _FRAME))
        self.top = TitleBar()
        self.bars = QVBoxLayout()
        self._bar = _empty_bar()
        self.pages = QStackedWidget()
        self.pages.setProperty("surface", "panel")
        self.pages.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMenuWidget(self._head())
        self.setCentralWidget(self.pages)
        self.status = StatusLine()
        self.setStatusBar(self.status)
        # Title bar and frame are not known before the window is shown.
        self.resize(FIRST_SIZE.boundedTo(self.screen().availableSize() - _FRAME))
        self.docks = Docks(self, changed)
        if looks.geometry:
            self.restoreGeometry(to_bytes(looks.geometry))
            self.come_into_sight()
            self.docks.arrange()
        self.docks.restore(looks.layout, looks.tab, looks.sizes)

    def come_forward(self) -> None:
        """Show, raise and activate the window; restores it if it is minimised."""
        if self.isMinimized():
            self.showNormal()
        self.show()
        self.raise_()
        self.activateWindow()

    def come_into_sight(self) -> None:
        """Move and shrink the window onto a screen if too little of it is on one."""
        screens = QGuiApplication.screens()
        places = [screen.availableGeometry() for screen in screens if screen is not None]
        wanted = fitted_to_screens(self.geometry(), places)
        if wanted != self.geometry() and not self.isFullScreen():
            self.setGeometry(wanted)

    def put_bar(self, bar: QWidget) -> None:
        """Show this transport bar in place of the one before."""
        before, self._bar = self._bar, Still(bar)
        self.bars.replaceWidget(before, self._bar)
        before.hide()
        before.deleteLater()

    def placing(self, bench: Workbench) -> Iterator[None]:
        """Generator that puts the views into the docks, one per step, and then shows the project's name."""
        from app.ui.shell.dock_tabs import DockPage

        parts = bench.parts()
        for name in (CHAT, HISTORY):
            self.docks.fill(name, parts[name].widget)
            yield
        yield from self.docks.filling_tabs(PLAN, (
            DockPage(PLAN, tr("Plan"), parts[PLAN].widget, parts[PLAN].bar),
            DockPage(PIANOROLL, tr("Piano roll"), parts[PIANOROLL].widget, parts[PIANOROLL].bar),
            DockPage(MIXER, tr("Mixer"), parts[MIXER].widget, parts[MIXER].bar),
            DockPage(EVENTS, tr("Events"), parts[EVENTS].widget),
        ))
        yield
        opened = bench.opened
        self.show_name(opened.workspace.name, draft=opened.workspace.draft)

    def show_name(self, name: str, *, draft: bool) -> None:
        """Show the song's name in the window's title and the chat's; no name if `draft`, an untouched draft."""
        self.setWindowTitle("Bandleader" if draft else f"{name} — Bandleader")
        self.top.show_name("Bandleader" if draft else name)
        self.docks.tell(CHAT, "" if draft else name)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Rearrange the docks for the new width."""
        super().resizeEvent(event)
        self.docks.arrange()

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802 - Qt's
        """Skip widgets in a dock behind another one's tab: Qt only moves those out of the window, and Tab would reach
        them."""
        passed = {self.focusWidget()}
        while super().focusNextPrevChild(forward):
            now = self.focusWidget()
            if now is None or now in passed or not is_behind(now):
                return True
            passed.add(now)
        return False

    def _head(self) -> QWidget:
        """Menus, transport bar and messages, one below the other."""
        head = QWidget()
        column = QVBoxLayout(head)
        column.setContentsMargins(0, 0, 0, 1)
        column.setSpacing(0)
        column.addWidget(self.top)
        column.addLayout(self.bars)
        self.bars.addWidget(self._bar)
        return head


def _empty_bar() -> QWidget:
    empty = QWidget()
    empty.setProperty("surface", "bar")
    empty.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    empty.setFixedHeight(_BAR_HEIGHT)
    return empty
