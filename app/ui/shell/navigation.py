"""The middle of the window, and what a message, a row, an event or a clip leads to: the place where it is seen."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QStackedWidget, QWidget

from agent.song.ids import ClipId, RunId
from app.ui.kit.context import Kit
from app.ui.shell.dock_names import CHAT, EVENTS, HISTORY, PIANOROLL, PLAN
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


class Navigation:
    """Navigation: brings views to the front and gives them the keyboard; `come_forward` brings up the window itself."""

    def __init__(self, docks: Docks, kit: Kit, bench: Workbench, come_forward: Callable[[], None]) -> None:
        self._docks = docks
        self._kit = kit
        self._bench = bench
        self._come_forward = come_forward

    def plan(self, run: str | None) -> None:
        """Show the plan of a run, or with None the plan under review."""
        running = self._bench.opened.running
        if run is not None and not running.busy:
            self._kit.tasks.start(running.show(RunId(run)), "plan")
        self._to_plan()

    def run(self, run: str) -> None:
        """Show the plan of a run and bring the window to the front."""
        self._come_forward()
        self.plan(run)

    def answer(self) -> None:
        """Bring the plan to the front and give it the keyboard, as the answer to a request; Esc goes back to the
        request."""
        self._docks.bring(PLAN)
        self._bench.take_answer()

    def request(self) -> None:
        """Give the request box the keyboard."""
        self._bench.focus(CHAT)

    def step(self, run: str, step: str) -> None:
        """Show a step of a run: its row in the plan."""
        self._kit.tasks.start(self._step(run, step), "plan")

    async def _step(self, run: str, step: str) -> None:
        opened = self._bench.opened
        live = opened.running.live.value
        if opened.reviewing.proposal.value is None and not opened.running.busy and (live is None or live.run != run):
            await opened.running.show(RunId(run))
        self._to_plan()
        self._bench.choose_step(step)

    def events(self, step: str) -> None:
        """Show the events of a step of the run that the plan shows; does nothing if it shows none."""
        live, events = self._bench.opened.running.live.value, self._bench.events
        if live is None or events is None:
            return
        self._bench.opened.events.choose(live.run)
        self._docks.bring(EVENTS)
        events.show_step(step)

    def notes(self, clip: str) -> None:
        """Open a clip, of the song or of the proposed plan, in the piano roll."""
        self._bench.opened.focus.clip.set(ClipId(clip))
        self._docks.bring(PIANOROLL)
        self._bench.focus(PIANOROLL)

    def iteration(self, iteration: str) -> None:
        """Select an iteration in the history."""
        self._docks.bring(HISTORY)
        if self._bench.history is not None:
            self._bench.history.choose(iteration)

    def _to_plan(self) -> None:
        self._docks.bring(PLAN)
        self._bench.focus(PLAN)
