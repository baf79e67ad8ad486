"""The middle of the window: the start page, the timeline, or a page of a view in its place."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QStackedWidget, QWidget

from app.ui.shell.dock_names import HISTORY
from app.ui.shell.docks import Docks
from app.ui.shell.views import WelcomePart
from app.ui.shell.workbench import Workbench


class CentralPages:
    """The central widget: start page, timeline, or a page that a view puts in their place. `changed` is called when the
    shown page has changed."""

    def __init__(self, pages: QStackedWidget, docks: Docks, bench: Workbench, changed: Callable[[], None]) -> None:
        self._pages = pages
        self._docks = docks
        self._bench = bench
        self._changed = changed
        self._page: QWidget | None = None
        self._empty_song = False
        self.welcome: WelcomePart | None = None
        """The start page, while a project is shown."""

    def fill(self, welcome: WelcomePart) -> None:
        """Add start page and timeline of a project that was opened."""
        self._empty_song = False
        self.welcome = welcome
        for page in (welcome.widget, self._bench.parts()["timeline"].widget):
            self._pages.addWidget(page)

    def close(self) -> None:
        """Delete the start page; the other pages belong to their views."""
        if self.welcome is not None:
            self.welcome.close()
            self.welcome.widget.deleteLater()
        self.welcome = None

    def show(self) -> bool:
        """Show the start page while the project is untouched, else the timeline or the page put in its place; returns
        whether the start page is shown."""
        welcome = self.welcome if self._bench.untouched and not self._empty_song else None
        timeline = self._bench.parts()["timeline"].widget
        widget = welcome.widget if welcome is not None else self._page or timeline
        if self._pages.currentWidget() is not widget:
            self._pages.setCurrentWidget(widget)
        return welcome is not None

    def put(self, page: QWidget | None) -> None:
        """Show a page in place of the timeline, give it the keyboard and hide docks that it does not need; None removes
        it."""
        before, self._page = self._page, page
        self._bench.page = page
        if before is not None:
            self._pages.removeWidget(before)
        self._docks.make_room(page is not None)
        if page is not None:
            self._pages.addWidget(page)
            self._pages.setCurrentWidget(page)
            page.setFocus()
        elif "timeline" in self._bench.parts():
            self._pages.setCurrentWidget(self._bench.parts()["timeline"].widget)
            self._bench.take_up(HISTORY)
        self._changed()

    def begin_empty(self) -> bool:
        """Leave the start page for the open draft if it is untouched; returns whether it was."""
        if not self._bench.untouched:
            return False
        self._empty_song = True
        self._changed()
        return True

    def choose_example(self, at: int) -> None:
        """Choose a request of the start page by index, counted from 0; does nothing without a start page."""
        if self.welcome is not None:
            self.welcome.choose(at)
