"""What the shell is handed: how each part of the window is made, and what its actions ask of the parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.ui.kit.context import Kit
from app.viewmodels.watched import Watched

if TYPE_CHECKING:
    # The database is slow to import; the window is shown before it.
    from app.ui.plan.table_actions import PlanAction
    from app.ui.timeline.commands import TimelineAction
    from app.viewmodels.desktop import Desktop
    from app.viewmodels.open_project import OpenProject


Actions: TypeAlias = Callable[[str], QAction]
"""Returns the window's QAction of an id."""


class HistoryActs(Protocol):
    """Actions of menus and keys on the iterations that are selected in the history."""

    def compare_selected(self) -> None: ...
    def restore_selected(self) -> None: ...
    def branch_selected(self) -> None: ...


class SettingsActs(Protocol):
    """The settings dialog while it is open."""

    def open_page(self, name: str = "") -> None: ...
    def close(self) -> bool: ...


@dataclass(frozen=True, kw_only=True)
class DockedView:
    """One view of the open project: its widget, `focus` to give it the keyboard, `close` to end its subscriptions."""

    widget: QWidget
    focus: Callable[[], None]
    close: Callable[[], None]
    bar: QWidget | None = None
    """The view's toolbar, shown in the title of its dock; None for none."""
    badge: Watched[str] | None = None
    """The count on the view's tab, as text; empty for none."""


@dataclass(frozen=True, kw_only=True)
class PlanPart(DockedView):
    """The plan view; `act` carries out one of its actions, `choose` selects the row of a step by its id."""

    act: Callable[[PlanAction], None]
    choose: Callable[[str], None] = lambda _: None
    answer: Callable[[], None] = lambda: None
    """Gives the plan the keyboard as the answer to a request; Esc gives it back."""


@dataclass(frozen=True, kw_only=True)
class EventsPart(DockedView):
    """The view of a run's events; `show_step` lists those of one step by its id."""

    show_step: Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class TimelinePart(DockedView):
    """The timeline; `act` carries out one of its actions."""

    act: Callable[[TimelineAction], None]


@dataclass(frozen=True, kw_only=True)
class ChatPart(DockedView):
    """The chat; `put` writes a request into its box without sending it."""

    put: Callable[[str], None]
    attach: Callable[[], object] = lambda: None
    """Attaches the selection to the request in the box."""
    written: Callable[[], str] = lambda: ""
    """The unsent text in the box."""


@dataclass(frozen=True, kw_only=True)
class HistoryPart(DockedView):
    """The history; `acts` are its actions, `choose` selects an iteration by its id."""

    choose: Callable[[str], None]
    acts: HistoryActs


@dataclass(frozen=True, kw_only=True)
class WelcomePart(DockedView):
    """The start page; `choose` chooses one of its requests by index, counted from 0."""

    choose: Callable[[int], None]


@dataclass(frozen=True, kw_only=True)
class Links:
    """Navigation between views: `show_plan` shows the plan of a run (None: the plan under review), `show_iteration` an
    iteration in the history."""

    show_plan: Callable[[str | None], None]
    show_iteration: Callable[[str], None]
    tell_history: Callable[[str], None]
    """Sets the secondary text in the title of the history, such as "2 branches"."""
    settings: Callable[[str], None] = lambda _: None
    """Opens the settings at the page of this name; empty for the first."""
    take_answer: Callable[[], None] = lambda: None
    """Gives the keyboard to the plan that answers a request."""
    to_request: Callable[[], None] = lambda: None
    """Gives the keyboard back to the request box."""
    show_step: Callable[[str, str], None] = lambda _run, _step: None
    """Shows a step in the plan; takes the ids of the run and of the step."""
    show_events: Callable[[str], None] = lambda _: None
    """Shows the events of a step, by its id, of the run that the plan shows."""
    show_notes: Callable[[str], None] = lambda _: None
    """Opens a clip, of the song or of the proposed plan, in the piano roll."""
    show_page: Callable[[QWidget | None], None] = lambda _: None
    """Shows a widget as central page, with chat and plan out of the way; None removes it."""
    act: Callable[[str], bool] = lambda _: False
    """Triggers an action of the window by its id; returns whether it was enabled."""


@dataclass(frozen=True)
class WelcomeDoors:
    """What the start page can open."""

    open_midi: Callable[[str], None]
    """Asks for a MIDI file; this request is written into the chat's box once it is open."""
    new_song: Callable[[], None]
    all_projects: Callable[[], None]
    open_project: Callable[[str], None]
    put: Callable[[str], None]
    """Writes a request into the chat's box without sending it."""
    add_key: Callable[[], None] = lambda: None


@dataclass(frozen=True)
class ViewFactories:
    """Makes the views of a project that has just been opened."""

    chat: Callable[[OpenProject, Kit, Links], ChatPart]
    plan: Callable[[OpenProject, Kit, Links], PlanPart]
    events: Callable[[OpenProject, Kit, Links], EventsPart]
    timeline: Callable[[OpenProject, Kit, Links], TimelinePart]
    pianoroll: Callable[[OpenProject, Kit], DockedView]
    mixer: Callable[[OpenProject, Kit], DockedView]
    history: Callable[[OpenProject, Kit, Links], HistoryPart]
    transport: Callable[[OpenProject, Kit, Actions], DockedView]
    welcome: Callable[[Desktop, Kit, WelcomeDoors], WelcomePart]
    settings: Callable[[Desktop, Kit, QWidget, Callable[[], None]], SettingsActs] | None = None
    """Makes the settings dialog over a window; the last argument is called when it was closed. None: there is none."""
