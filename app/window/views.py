"""The views that fill the window, as the shell takes them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

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
    Actions,
    ChatPart,
    DockedView,
    EventsPart,
    HistoryPart,
    Links,
    PlanPart,
    SettingsActs,
    TimelinePart,
    ViewFactories,
    WelcomeDoors,
    WelcomePart,
)
from app.ui.timeline.view import TimelineView
from app.ui.transport.bar import TransportActions, TransportBar
from app.ui.welcome.page import WelcomePage
from app.viewmodels.desktop import Desktop
from app.viewmodels.open_project import OpenProject


def view_factories() -> ViewFactories:
    """The factories of all views of the window."""
    return ViewFactories(
        _chat, _plan, _events, _timeline, _pianoroll, _mixer, _history, _transport, _welcome, _settings
    )


def _chat(opened: OpenProject, kit: Kit, links: Links) -> ChatPart:
    panel = ChatPanel(opened, kit, links.act)
    panel.plan_wanted.connect(links.show_plan)
    panel.iteration_wanted.connect(links.show_iteration)
    panel.row_wanted.connect(links.show_step)
    panel.settings_wanted.connect(links.settings)
    panel.answered.connect(links.take_answer)
    return ChatPart(
        widget=Still(panel), focus=panel.focus_request, close=panel.close_view,
        put=panel.put, attach=panel.attach, written=panel.box.text.toPlainText,
    )


def _plan(opened: OpenProject, kit: Kit, links: Links) -> PlanPart:
    panel = PlanPanel(opened, kit)
    panel.plan_actions.events_wanted.connect(links.show_events)
    panel.plan_actions.notes_wanted.connect(links.show_notes)
    panel.request_wanted.connect(links.to_request)
    return PlanPart(
        widget=Still(panel), focus=panel.view.setFocus, close=panel.close_view, bar=panel.top, badge=panel.badge,
        act=panel.plan_actions.do, choose=panel.choose, answer=panel.answer,
    )


def _events(opened: OpenProject, kit: Kit, links: Links) -> EventsPart:
    panel = EventPanel(opened.events, kit)
    panel.row_wanted.connect(links.show_step)
    return EventsPart(
        widget=Still(panel), focus=panel.take_keyboard, close=panel.close_view, badge=panel.badge,
        show_step=panel.show_step,
    )


def _pianoroll(opened: OpenProject, kit: Kit) -> DockedView:
    panel = PianoRollPanel(opened, kit)
    return DockedView(widget=Still(panel), focus=panel.take_keyboard, close=panel.close_view, bar=panel.bar)


def _mixer(opened: OpenProject, kit: Kit) -> DockedView:
    panel = MixerPanel(opened, kit)
    return DockedView(widget=Still(panel), focus=panel.take_keyboard, close=panel.close_view)


def _timeline(opened: OpenProject, kit: Kit, links: Links) -> TimelinePart:
    view = TimelineView(opened, kit)
    view.notes_wanted.connect(links.show_notes)
    return TimelinePart(widget=view, focus=view.setFocus, close=view.close_view, act=view.do)


def _history(opened: OpenProject, kit: Kit, links: Links) -> HistoryPart:
    panel = HistoryPanel(opened, kit)
    panel.plan_wanted.connect(links.show_plan)
    panel.about_changed.connect(links.tell_history)
    panel.page_wanted.connect(links.show_page)
    panel.sight_wanted.connect(links.show_iteration)
    return HistoryPart(
        widget=Still(panel), focus=panel.list.setFocus, close=panel.close_view, choose=panel.select, acts=panel
    )


def _transport(opened: OpenProject, kit: Kit, action: Actions) -> DockedView:
    bar = TransportBar(opened, kit, TransportActions(
        action("transport.start"), action("transport.play"), action("transport.loop"), action("transport.follow"),
        action("plan.side"),
    ))
    return DockedView(widget=bar, focus=bar.setFocus, close=bar.close_view)


def _welcome(desktop: Desktop, kit: Kit, doors: WelcomeDoors) -> WelcomePart:
    page = WelcomePage(desktop, kit)
    page.request_chosen.connect(doors.put)
    page.open_wanted.connect(doors.open_midi)
    page.new_wanted.connect(doors.new_song)
    page.project_chosen.connect(doors.open_project)
    page.all_wanted.connect(doors.all_projects)
    page.key_wanted.connect(doors.add_key)
    return WelcomePart(widget=page, focus=page.setFocus, close=page.close_view, choose=page.choose_example)


def _settings(desktop: Desktop, kit: Kit, window: QWidget, closed: Callable[[], None]) -> SettingsActs:
    dialog = SettingsDialog(window, kit, desktop.choosing, desktop.services, desktop.preferences)
    dialog.finished.connect(lambda _: closed())
    if isinstance(window, MainWindow):
        dialog.restart_wanted.connect(window.restart)
    return dialog
