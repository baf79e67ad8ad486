"""The views that fill the window, as the shell takes them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from app.desktop.desktop import Desktop
from app.desktop.open_project import OpenProject
from app.ui.chat.panel import ChatPanel
from app.ui.events.panel import EventPanel
from app.ui.history.panel import HistoryPanel
from app.ui.kit.context import Kit
from app.ui.kit.widgets.still import Still
from app.ui.mixer.panel import MixerPanel
from app.ui.pianoroll.panel import PianoRollPanel
from app.ui.plan.panel import PlanPanel
from app.ui.settings.dialog import SettingsDialog
from app.ui.shell.main_window import MainWindow
from app.ui.shell.views import (
    ChatPart,
    EventsPart,
    HistoryPart,
    Links,
    MixerPart,
    Part,
    PianoRollPart,
    PlanPart,
    SettingsActs,
    TimelinePart,
    ViewFactories,
    WelcomeDoors,
    WelcomePart,
)
from app.ui.timeline.view import TimelineView
from app.ui.welcome.page import WelcomePage


def view_factories() -> ViewFactories:
    """One factory for each part of the window."""
    return ViewFactories(_chat, _plan, _events, _timeline, _pianoroll, _mixer, _history, _welcome, _settings)


def _chat(opened: OpenProject, kit: Kit, links: Links) -> ChatPart:
    panel = ChatPanel(opened, kit)
    panel.plan_wanted.connect(links.show_plan)
    panel.iteration_wanted.connect(links.show_iteration)
    panel.settings_wanted.connect(links.settings)
    panel.doing.act = links.act
    return ChatPart(Part(Still(panel), panel.focus_request, panel.close_view), panel.put, panel.attach, panel.written)


def _plan(opened: OpenProject, kit: Kit, links: Links) -> PlanPart:
    panel = PlanPanel(opened, kit)
    panel.events_wanted.connect(links.show_events)
    panel.notes_wanted.connect(links.show_notes)
    part = Part(Still(panel), panel.view.setFocus, panel.close_view)
    return PlanPart(part, panel, panel.badge, panel.top, panel.choose)


def _events(opened: OpenProject, kit: Kit, links: Links) -> EventsPart:
    panel = EventPanel(opened.events, kit)
    panel.row_wanted.connect(links.show_step)
    return EventsPart(Part(Still(panel), panel.take_keyboard, panel.close_view), panel.show_step, panel.badge)


def _pianoroll(opened: OpenProject, kit: Kit) -> PianoRollPart:
    panel = PianoRollPanel(opened, kit)
    return PianoRollPart(Part(Still(panel), panel.take_keyboard, panel.close_view), panel.bar)


def _mixer(opened: OpenProject, kit: Kit) -> MixerPart:
    panel = MixerPanel(opened, kit)
    return MixerPart(Part(Still(panel), panel.take_keyboard, panel.close_view))


def _timeline(opened: OpenProject, kit: Kit, links: Links) -> TimelinePart:
    view = TimelineView(opened, kit)
    view.notes_wanted.connect(links.show_notes)
    return TimelinePart(Part(view, view.setFocus, view.close_view), view, lambda: view.follow)


def _history(opened: OpenProject, kit: Kit, links: Links) -> HistoryPart:
    panel = HistoryPanel(opened, kit)
    panel.plan_wanted.connect(links.show_plan)
    panel.about_changed.connect(links.tell_history)
    panel.page_wanted.connect(links.show_page)
    panel.sight_wanted.connect(links.show_iteration)
    return HistoryPart(Part(Still(panel), panel.list.setFocus, panel.close_view), panel.select, panel)


def _welcome(desktop: Desktop, kit: Kit, doors: WelcomeDoors) -> WelcomePart:
    page = WelcomePage(desktop, kit)
    page.request_chosen.connect(doors.put)
    page.open_wanted.connect(doors.open_midi)
    page.new_wanted.connect(doors.new_song)
    page.project_chosen.connect(doors.open_project)
    page.all_wanted.connect(doors.all_projects)
    page.key_wanted.connect(doors.add_key)
    return WelcomePart(Part(page, page.setFocus, page.close_view), page.choose_example)


def _settings(desktop: Desktop, kit: Kit, window: QWidget, closed: Callable[[], None]) -> SettingsActs:
    dialog = SettingsDialog(window, kit, desktop.choosing, desktop.services, desktop.habits)
    dialog.finished.connect(lambda _: closed())
    if isinstance(window, MainWindow):
        dialog.restart_wanted.connect(window.restart)
    return dialog
