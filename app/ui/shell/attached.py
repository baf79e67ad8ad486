"""What fills the window once the application behind it is there: views, commands, messages, start page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtWidgets import QApplication, QWidget

from agent.song.ids import ClipId
from app.desktop.desktop import Desktop, nobody
from app.desktop.open_project import OpenProject
from app.ui.kit.context import Kit
from app.ui.shell.commands import Commands, EditCommands, PlanCommands, PlayCommands
from app.ui.shell.docks import EVENTS, HISTORY, PIANOROLL, PLAN
from app.ui.shell.drop import DropOutline, midi_file
from app.ui.shell.file_commands import FileCommands
from app.ui.shell.key_rules import KeyRules
from app.ui.shell.living import Living
from app.ui.shell.notices import Notices, Tray
from app.ui.shell.situation import Situation
from app.ui.shell.strips import Strips
from app.ui.shell.views import Links, SettingsActs, ViewFactories, WelcomeDoors, WelcomePart
from app.ui.shell.window_commands import WindowCommands
from app.ui.shell.workbench import Workbench
from app.ui.transport.bar import TransportActions, TransportBar
from app.words import tr, trn

if TYPE_CHECKING:
    from app.ui.shell.main_window import MainWindow


class Attached:
    """One desktop in one window, from `attach` to `detach`."""

    def __init__(
        self, window: MainWindow, kit: Kit, desktop: Desktop, make: ViewFactories, changed: Callable[[], None]
    ) -> None:
        self._window = window
        self._desktop = desktop
        self._make = make
        self._kit = kit
        self._exporting = False
        self._empty_song = False
        self._transport: TransportBar | None = None
        self._welcome: WelcomePart | None = None
        self._branches = ""
        self._page: QWidget | None = None
        self._had_plan = False
        self._deaf: Callable[[], None] = lambda: None
        self._ready = False
        """Whether all views of the open project are there."""
        self._making: asyncio.Task[object] | None = None
        self._changed = changed
        self.strips = Strips(self._kit)
        window.put_strips(self.strips)
        self.outline = DropOutline(self._kit, window)
        links = Links(
            show_plan=self._show_plan, show_iteration=self._show_iteration, tell_history=self._tell_history,
            settings=self._settings, show_step=self._show_step, show_events=self._show_events,
            show_notes=self._show_notes, show_page=self._put_page, act=self._act,
        )
        self.bench = Workbench(self._kit, make, links, changed)
        self.files = FileCommands(
            desktop, self._kit, window, self.strips, self._take_draft, self._set_exporting
        )
        self.living = Living(desktop, kit, window.actions_, window.first_looks)
        views = WindowCommands(
            window, desktop, self._kit, self.bench, window.docks, window.actions_, self.living, self.files.open, changed
        )
        self.notices = Notices(
            window, self.strips, Tray(window, window.come_forward), lambda: self.living.value.notices, self._show_run
        )
        self.files.told = self.notices.tell
        window.actions_.commands = Commands(
            self.files, EditCommands(self.bench, self._kit), PlanCommands(self.bench, self._kit),
            PlayCommands(self.bench), views,
        )
        views.example = self._choose_example
        views.make_settings = self._made_settings
        self._views = views
        self._rules = KeyRules(_application())
        # The signal is sent while the screen is still listed.
        _application().screenRemoved.connect(self._screen_gone, Qt.ConnectionType.QueuedConnection)
        self._filling = True
        self._silence = desktop.opened.watch(self._opened)
        self._filling = False
        desktop.dressed = self._made

    def close(self) -> None:
        """End everything that listens."""
        self._silence()
        self._desktop.dressed = nobody
        _application().screenRemoved.disconnect(self._screen_gone)
        self._views.close_settings()
        self.files.close()
        self._opened(None)
        self._rules.close()
        self.living.close()
        self.notices.close()
        self.strips.close_view()

    def refresh(self) -> None:
        """Bring actions, names and the start page up to what is so now."""
        window, bench = self._window, self.bench
        if not self._ready:
            return
        welcome = self._show_page()
        window.docks.work(not welcome)
        window.actions_.show(
            bench.situation(welcome=welcome, exporting=self._exporting, shown=window.docks.shown())
        )
        opened = bench.opened
        window.show_name(opened.workspace.name, draft=opened.workspace.draft)
        window.docks.tell(PLAN, bench.badge, bar=bool(bench.badge))
        window.docks.tell(EVENTS, bench.events_badge)
        count = len(opened.versions.iterations.value)
        iterations = trn("{count} iteration", "{count} iterations", count) if count > 1 else ""
        window.docks.tell(HISTORY, self._branches or iterations)

    def offered(self, data: QMimeData) -> Path | None:
        """The file that could be dropped, outlined."""
        path = midi_file(data)
        if path is not None:
            self.outline.offer(path)
        return path

    def dropped(self, data: QMimeData) -> Path | None:
        """The file that was dropped, on its way in."""
        self.outline.hide()
        path = midi_file(data)
        if path is not None:
            self.files.bring_in(path)
        return path

    def _opened(self, opened: OpenProject | None) -> None:
        """Close the views of the project before, and make those of this one: at once for a window that is being
        filled, else piece by piece."""
        held = self.bench.focused()
        if self._making is not None:
            self._making.cancel()
            self._making = None
        self._close_views()
        if opened is None:
            self._window.setUpdatesEnabled(True)
        elif self._filling:
            for _ in self._stages(opened):
                pass
            self._done(held)
        else:
            self._window.actions_.show(self._nothing())
            self._making = self._kit.tasks.start(self._make_all(opened, held), "window")

    async def _made(self) -> None:
        """When the views of the open project are there."""
        if self._making is not None:
            await asyncio.wait([self._making])

    async def _make_all(self, opened: OpenProject, held: str) -> None:
        # What is half made is not shown; other things go on between the pieces.
        self._window.setUpdatesEnabled(False)
        try:
            for _ in self._stages(opened):
                await asyncio.sleep(0)
        finally:
            self._window.setUpdatesEnabled(True)
        self._making = None
        self._done(held)

    def _done(self, held: str) -> None:
        self._ready = True
        self.refresh()
        self._focus(held)

    def _nothing(self) -> Situation:
        return Situation(theme=self._kit.theme.choice, shown=self._window.docks.shown())

    def _stages(self, opened: OpenProject) -> Iterator[None]:
        window = self._window
        self._branches = ""
        self._empty_song = False
        yield from self.bench.stages(opened)
        parts = self.bench.parts()
        self._welcome = self._make.welcome(self._desktop, self._kit, self._doors())
        for page in (self._welcome.part.widget, parts["timeline"].widget):
            window.pages.addWidget(page)
        yield
        actions = window.actions_
        self._transport = TransportBar(opened, self._kit, TransportActions(
            actions["transport.start"], actions["transport.play"], actions["transport.loop"],
            actions["transport.follow"], actions["plan.side"],
        ))
        window.put_bar(self._transport)
        yield
        yield from window.placing(self.bench)
        window.status.follow(opened, self._kit)
        self.notices.follow(opened)
        planned = opened.reviewing.proposal
        self._had_plan = planned.value is not None
        self._deaf = planned.changed.listen(lambda proposal: self._proposed(proposal is not None))

    def _proposed(self, planned: bool) -> None:
        """A plan that has just come is what the person waits for; later, they choose what they look at."""
        if planned and not self._had_plan:
            self._window.docks.bring(PLAN)
        self._had_plan = planned

    def _close_views(self) -> None:
        self._ready = False
        self._deaf()
        if self._transport is not None:
            self._transport.close_view()
        if self._welcome is not None:
            self._welcome.part.close()
            self._welcome.part.widget.deleteLater()
        self.bench.close()
        self._transport = self._welcome = None

    def _show_page(self) -> bool:
        """Show the start page while nothing was made yet; tells whether it is shown."""
        pages = self._window.pages
        welcome = self.bench.untouched and not self._empty_song and self._welcome is not None
        page = self._welcome.part if welcome and self._welcome is not None else self.bench.parts()["timeline"]
        widget = page.widget if welcome or self._page is None else self._page
        if pages.currentWidget() is not widget:
            pages.setCurrentWidget(widget)
        return welcome

    def _put_page(self, page: QWidget | None) -> None:
        """A page of a view in place of the timeline, with the keyboard; what it has no use for makes room."""
        pages, before = self._window.pages, self._page
        self._page = self.bench.page = page
        if before is not None:
            pages.removeWidget(before)
        self._window.docks.make_room(page is not None)
        if page is not None:
            pages.addWidget(page)
            pages.setCurrentWidget(page)
            page.setFocus()
        elif "timeline" in self.bench.parts():
            pages.setCurrentWidget(self.bench.parts()["timeline"].widget)
            self._focus("history")
        self._changed()

    def _focus(self, held: str) -> None:
        parts = self.bench.parts()
        name = held if held in parts and parts[held].widget.isVisible() else "chat"
        if not QApplication.activeModalWidget():
            parts[name].focus()

    def _screen_gone(self) -> None:
        self._window.come_into_sight()

    def _doors(self) -> WelcomeDoors:
        return WelcomeDoors(
            self.files.choose_midi, self.files.new, self.files.choose_project, self.files.open, self.put_request,
            lambda: self._settings("anthropic"),
        )

    def _settings(self, page: str) -> None:
        self._views.settings(page)

    def _made_settings(self) -> SettingsActs | None:
        if self._make.settings is None:
            return None
        return self._make.settings(self._desktop, self._kit, self._window, self._views.forget_settings)

    def _choose_example(self, at: int) -> None:
        if self._welcome is not None:
            self._welcome.choose(at)

    def unsent(self) -> str:
        """The request that is written in the chat but not sent."""
        return "" if self.bench.chat is None else self.bench.chat.written()

    def put_request(self, request: str) -> None:
        """Write a request into the chat without sending it."""
        if self.bench.chat is not None:
            self.bench.chat.put(request)

    def _take_draft(self) -> bool:
        """Work on the draft that is open, if there is one that nothing was made of; tells whether."""
        if not self.bench.untouched:
            return False
        self._empty_song = True
        self._changed()
        return True

    def _set_exporting(self, exporting: bool) -> None:
        self._exporting = exporting
        self._window.status.work(tr("Exporting") if exporting else "")
        self._changed()

    def _show_plan(self, run: str | None) -> None:
        running = self.bench.opened.running
        if run is not None and not running.busy:
            self._kit.tasks.start(running.show(run), "plan")  # type: ignore[arg-type]
        self._window.docks.bring(PLAN)
        self.bench.parts()["plan"].focus()

    def _show_run(self, run: str) -> None:
        self._window.come_forward()
        self._show_plan(run)

    def _show_step(self, run: str, step: str) -> None:
        """The row of an event, in the run that it belongs to."""
        self._kit.tasks.start(self._shown_step(run, step), "plan")

    async def _shown_step(self, run: str, step: str) -> None:
        opened = self.bench.opened
        live = opened.running.live.value
        if opened.reviewing.proposal.value is None and not opened.running.busy and (live is None or live.run != run):
            await opened.running.show(run)  # type: ignore[arg-type]
        self._window.docks.bring(PLAN)
        self.bench.parts()["plan"].focus()
        self.bench.choose_step(step)

    def _show_events(self, step: str) -> None:
        """The events of a row of the plan."""
        live, events = self.bench.opened.running.live.value, self.bench.events
        if live is None or events is None:
            return
        self.bench.opened.events.choose(live.run)
        self._window.docks.bring(EVENTS)
        events.show_step(step)

    def _show_notes(self, clip: str) -> None:
        """A clip, of the song or of the proposed plan, in the piano roll."""
        self.bench.opened.focus.clip.set(ClipId(clip))
        self._views.focus(PIANOROLL)

    def _act(self, name: str) -> bool:
        """Do an action as its menu would; whether it was possible."""
        self.refresh()
        action = self._window.actions_[name]
        if action.isEnabled():
            action.trigger()
            return True
        return False

    def _tell_history(self, words: str) -> None:
        self._branches = words
        self._changed()

    def _show_iteration(self, iteration: str) -> None:
        self._window.docks.bring(HISTORY)
        if self.bench.history is not None:
            self.bench.history.choose(iteration)


def _application() -> QApplication:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return app
