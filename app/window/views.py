"""The views that fill the window, as the shell takes them."""

from __future__ import annotations

from app.desktop.desktop import Desktop
from app.desktop.open_project import OpenProject
from app.ui.chat.panel import ChatPanel
from app.ui.history.panel import HistoryPanel
from app.ui.kit.context import Kit
from app.ui.plan.panel import PlanPanel
from app.ui.shell.views import (
    ChatPart,
    HistoryPart,
    Links,
    Part,
    PlanPart,
    TimelinePart,
    ViewFactories,
    WelcomeDoors,
)
from app.ui.timeline.view import TimelineView
from app.ui.welcome.page import WelcomePage


def view_factories() -> ViewFactories:
    """One factory for each part of the window."""
    return ViewFactories(_chat, _plan, _timeline, _history, _welcome)


def _chat(opened: OpenProject, kit: Kit, links: Links) -> ChatPart:
    panel = ChatPanel(opened, kit)
    panel.plan_wanted.connect(links.show_plan)
    panel.iteration_wanted.connect(links.show_iteration)
    return ChatPart(Part(panel, panel.focus_request, panel.close_view), panel.put)


def _plan(opened: OpenProject, kit: Kit) -> PlanPart:
    panel = PlanPanel(opened, kit)
    return PlanPart(Part(panel, panel.view.setFocus, panel.close_view), panel, panel.badge)


def _timeline(opened: OpenProject, kit: Kit) -> TimelinePart:
    view = TimelineView(opened, kit)
    return TimelinePart(Part(view, view.setFocus, view.close_view), view, lambda: view.follow)


def _history(opened: OpenProject, kit: Kit) -> HistoryPart:
    panel = HistoryPanel(opened, kit)
    return HistoryPart(Part(panel, panel.setFocus, panel.close_view), panel.choose)


def _welcome(desktop: Desktop, kit: Kit, doors: WelcomeDoors) -> Part:
    page = WelcomePage(desktop, kit)
    return Part(page, page.setFocus, page.close_view)
