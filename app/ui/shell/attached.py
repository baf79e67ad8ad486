"""What fills the window once the application behind it is there: views, commands, messages, start page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtWidgets import QApplication

from app.i18n import tr, trn
from app.ui.kit.context import Kit
from app.ui.kit.smoothness.loading_overlay import LoadingOverlay
from app.ui.shell.action_context import ActionContext
from app.ui.shell.action_set import ActionSet
from app.ui.shell.actions import Action
from app.ui.shell.commands import Commands, EditCommands, PlanCommands, PlayCommands
from app.ui.shell.dock_names import CHAT, EVENTS, HISTORY, PLAN
from app.ui.shell.drop import DropOutline, midi_file
from app.ui.shell.file_commands import FileCommands
from app.ui.shell.followed_preferences import FollowedPreferences
from app.ui.shell.key_rules import KeyRules
from app.ui.shell.navigation import CentralPages, Navigation
from app.ui.shell.notices import Notices, Tray
from app.ui.shell.notification_bar import NotificationBar
from app.ui.shell.plain_tips import PlainTips
from app.ui.shell.views import DockedView, Links, SettingsActs, ViewFactories, WelcomeDoors
from app.ui.shell.window_commands import WindowCommands
from app.ui.shell.window_frame import WindowFrame
from app.ui.shell.workbench import Workbench
from app.viewmodels.desktop import Desktop
from app.viewmodels.open_project import OpenProject

_BETWEEN = 0.005
"""Seconds between two views that are made. A turn of a task takes two timers of the loop, and both must come in
between."""


class Attached:
    """Fills one window with what one desktop opens, from `attach` to `detach` of the window."""

    def __init__(
        self, window: WindowFrame, actions: ActionSet, kit: Kit, desktop: Desktop, make: ViewFactories,
        changed: Callable[[], None],
    ) -> None:
        self._window = window
        self._actions = actions
        self._desktop = desktop
        self._make = make
        self._kit = kit
        self._exporting = False
        self._transport: DockedView | None = None
        self._branches = ""
        self._had_plan = False
        self._deaf: Callable[[], None] = lambda: None
        self._ready = False
        """Whether all views of the open project are there."""
        self._making: asyncio.Task[object] | None = None
        self._changed = changed
        self.strips = NotificationBar(self._kit)
        window.bars.addWidget(self.strips)
        self.outline = DropOutline(self._kit, window)
        self._overlay = LoadingOverlay(kit, window)
        self.bench = Workbench(self._kit, make, changed)
        self.central = CentralPages(window.pages, window.docks, self.bench, changed)
        self.preferences = FollowedPreferences(desktop, kit, actions, window.first_looks)
        self._navigation = Navigation(window.docks, kit, self.bench, window.come_forward)
        self.notices = Notices(
            window, self.strips, Tray(window, window.come_forward),
            lambda: self.preferences.value.notices, self._navigation.run,
        )
        self.files = FileCommands(
            desktop, kit, window, self.strips, self.central.begin_empty, self._set_exporting, self.put_request,
            self.notices.tell,
        )
        self._views = WindowCommands(
            window, desktop, kit, self.bench, window.docks, actions, self.preferences, self.files.open, changed,
            self.central.choose_example, self._made_settings,
        )
        self._commands = Commands(
            self.bench, self.files, EditCommands(self.bench, kit), PlanCommands(self.bench, kit),
            PlayCommands(self.bench), self._views,
        )
        actions.triggered.connect(self._call)
        self._rules = KeyRules(_application())
        self._tips = PlainTips(_application())
        # The signal is sent while the screen is still listed.
        _application().screenRemoved.connect(window.come_into_sight, Qt.ConnectionType.QueuedConnection)
        self._filling = True
        self._silence = desktop.opened.watch(self._opened)
        self._filling = False
        self._unwatched = desktop.wait_for(self._made, self._overlay.uncover_when_idle)

    def close(self) -> None:
        """Close all views and end all subscriptions."""
        self._silence()
        self._unwatched()
        self._actions.triggered.disconnect(self._call)
        _application().screenRemoved.disconnect(self._window.come_into_sight)
        self._views.close_settings()
        self.files.close()
        self._opened(None)
        self._rules.close()
        self._tips.close()
        self.preferences.close()
        self.notices.close()
        self.strips.subscriptions.close()

    def refresh(self) -> None:
        """Update actions, names and the start page from the state of the open project."""
        window, bench = self._window, self.bench
        if not self._ready:
            return
        welcome = self.central.show()
        window.docks.work(not welcome)
        self._actions.show(bench.action_context(welcome=welcome, exporting=self._exporting, shown=window.docks.shown()))
        opened = bench.opened
        window.show_name(opened.workspace.name, draft=opened.workspace.draft)
        window.docks.tell(PLAN, bench.badge(PLAN), bar=bool(bench.badge(PLAN)))
        window.docks.tell(EVENTS, bench.badge(EVENTS))
        count = len(opened.versions.iterations.value)
        iterations = trn("{count} iteration", "{count} iterations", count) if count > 1 else ""
        window.docks.tell(HISTORY, self._branches or iterations)

    def offered(self, data: QMimeData) -> Path | None:
        """Show the drop outline for a dragged MIDI file, and return its path; None (and no outline) for anything
        else."""
        path = midi_file(data)
        if path is not None:
            self.outline.offer(path)
        return path

    def dropped(self, data: QMimeData) -> Path | None:
        """Hide the drop outline and open the dropped MIDI file as a new song; returns its path, None for anything
        else."""
        self.outline.hide()
        path = midi_file(data)
        if path is not None:
            self.files.bring_in(path)
        return path

    def _opened(self, opened: OpenProject | None) -> None:
        """Close the views of the project before, and make those of this one: at once for a window that is being
        filled, else piece by piece. What is half made is not seen."""
        held = self.bench.focused()
        if self._making is not None:
            self._making.cancel()
            self._making = None
        if opened is not None and not self._filling:
            self._overlay.cover()
            self.strips.take_report_away()
        self._close_views()
        if opened is None:
            self._overlay.uncover()
        elif self._filling:
            for _ in self._stages(opened):
                pass
            self._done(held)
        else:
            self._actions.show(self._nothing())
            self._making = self._kit.tasks.start(self._make_all(opened, held), "window")

    async def _made(self) -> None:
        """When the views of the open project are there."""
        if self._making is not None:
            await asyncio.wait([self._making])

    async def _make_all(self, opened: OpenProject, held: str) -> None:
        for _ in self._stages(opened):
            await asyncio.sleep(_BETWEEN)
        self._making = None
        self._done(held)

    def _done(self, held: str) -> None:
        self._ready = True
        self.refresh()
        self.bench.take_up(held)

    def _nothing(self) -> ActionContext:
        return ActionContext(theme=self._kit.theme.choice, shown=self._window.docks.shown())

    def _stages(self, opened: OpenProject) -> Iterator[None]:
        window = self._window
        self._branches = ""
        yield from self.bench.stages(opened, self._links())
        self.central.fill(self._make.welcome(self._desktop, self._kit, self._doors()))
        yield
        self._transport = self._make.transport(opened, self._kit, self._actions.__getitem__)
        window.put_bar(self._transport.widget)
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
            self._transport.close()
        self._transport = None
        self.central.close()
        self.bench.close()

    def _links(self) -> Links:
        navigation = self._navigation
        return Links(
            show_plan=navigation.plan, show_iteration=navigation.iteration, tell_history=self._tell_history,
            settings=self._views.settings, show_step=navigation.step, show_events=navigation.events,
            show_notes=navigation.notes, show_page=self.central.put, act=self._act, take_answer=navigation.answer,
            to_request=navigation.request,
        )

    def _doors(self) -> WelcomeDoors:
        return WelcomeDoors(
            self.files.choose_midi, self.files.new, self.files.choose_project, self.files.open, self.put_request,
            lambda: self._views.settings("anthropic"),
        )

    def _made_settings(self) -> SettingsActs | None:
        if self._make.settings is None:
            return None
        return self._make.settings(self._desktop, self._kit, self._window, self._views.forget_settings)

    def unsent(self) -> str:
        """The request that is written in the chat but not sent."""
        return "" if self.bench.chat is None else self.bench.chat.written()

    def put_request(self, request: str) -> None:
        """Write a request into the chat without sending it, and show it."""
        if self.bench.chat is not None:
            self._window.docks.bring(CHAT)
            self.bench.chat.put(request)

    def _set_exporting(self, exporting: bool) -> None:
        self._exporting = exporting
        self._window.status.work(tr("Exporting") if exporting else "")
        self._changed()

    def _call(self, action: Action) -> None:
        action.call(self._commands)

    def _act(self, name: str) -> bool:
        """Do an action as its menu would; whether it was possible."""
        self.refresh()
        action = self._actions[name]
        if action.isEnabled():
            action.trigger()
            return True
        return False

    def _tell_history(self, words: str) -> None:
        self._branches = words
        self._changed()


def _application() -> QApplication:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return app
