"""What the shell is handed: how each part of the window is made, and what its actions ask of the parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.desktop.watched import Watched
from app.ui.kit.context import Kit

if TYPE_CHECKING:
    # The database is slow to import; the window is shown before it.
    from app.desktop.desktop import Desktop
    from app.desktop.open_project import OpenProject
    from app.ui.plan.table_actions import PlanAction


Actions: TypeAlias = Callable[[str], QAction]
"""The window's action of an id."""


class TimelineActs(Protocol):
    """What menus and keys do on the timeline."""

    def zoom_in(self) -> None: ...
    def zoom_out(self) -> None: ...
    def zoom_song(self) -> None: ...
    def zoom_selection(self) -> None: ...
    def select_all(self) -> None: ...
    def delete_selected(self) -> None: ...
    def duplicate_selected(self) -> None: ...
    def rename_selected(self) -> None: ...
    def split_selected(self) -> None: ...
    def add_track(self) -> None: ...
    def duplicate_track(self) -> None: ...
    def delete_track(self) -> None: ...
    def toggle_follow(self) -> None: ...
    def loop_selection(self) -> None: ...
    def mute_track(self) -> None: ...
    def solo_track(self) -> None: ...


class HistoryActs(Protocol):
    """What menus and keys do with the iterations that are selected."""

    def compare_selected(self) -> None: ...
    def restore_selected(self) -> None: ...
    def branch_selected(self) -> None: ...


class SettingsActs(Protocol):
    """The settings, while they are open."""

    def open_page(self, name: str = "") -> None: ...
    def close(self) -> bool: ...


@dataclass(frozen=True, kw_only=True)
class DockedView:
    """One view of the open project. `focus` gives it the keyboard, `close` ends its listening."""

    widget: QWidget
    focus: Callable[[], None]
    close: Callable[[], None]
    bar: QWidget | None = None
    """What stands in the title of its dock."""
    badge: Watched[str] | None = None
    """The number on its tab."""


@dataclass(frozen=True, kw_only=True)
class PlanPart(DockedView):
    """The plan; `act` does one of its actions, `choose` selects the row of a step."""

    act: Callable[[PlanAction], None]
    choose: Callable[[str], None] = lambda _: None
    answer: Callable[[], None] = lambda: None
    """Takes the keyboard as the answer to a request; Esc gives it back."""


@dataclass(frozen=True, kw_only=True)
class EventsPart(DockedView):
    """The events of runs; `show_step` lists those of one step."""

    show_step: Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class TimelinePart(DockedView):
    """The timeline, with what actions do on it."""

    acts: TimelineActs
    follows: Callable[[], bool]


@dataclass(frozen=True, kw_only=True)
class ChatPart(DockedView):
    """The chat; `put` writes a request into its box without sending it."""

    put: Callable[[str], None]
    attach: Callable[[], object] = lambda: None
    """Binds the request in the box to what is selected."""
    written: Callable[[], str] = lambda: ""
    """What is in the box."""


@dataclass(frozen=True, kw_only=True)
class HistoryPart(DockedView):
    """The history, with what actions do in it; `choose` shows an iteration in it."""

    choose: Callable[[str], None]
    acts: HistoryActs | None = None


@dataclass(frozen=True, kw_only=True)
class WelcomePart(DockedView):
    """The start page; `choose` takes one of its requests, counted from 0."""

    choose: Callable[[int], None]


@dataclass(frozen=True, kw_only=True)
class Links:
    """What a message leads to: a plan under review (None) or a run's, and an iteration."""

    show_plan: Callable[[str | None], None]
    show_iteration: Callable[[str], None]
    tell_history: Callable[[str], None]
    """A few words for the title of the history, such as "2 branches"."""
    settings: Callable[[str], None] = lambda _: None
    """Opens a page of the settings; empty for the first."""
    take_answer: Callable[[], None] = lambda: None
    """Gives the plan that was asked for in the chat the keyboard."""
    to_request: Callable[[], None] = lambda: None
    """Goes back to the request box."""
    show_step: Callable[[str, str], None] = lambda _run, _step: None
    """Shows a step of a run in the plan."""
    show_events: Callable[[str], None] = lambda _: None
    """Shows the events of a step of the run that the plan shows."""
    show_notes: Callable[[str], None] = lambda _: None
    """Opens a clip, of the song or of the proposed plan, in the piano roll."""
    show_page: Callable[[QWidget | None], None] = lambda _: None
    """Shows a page of a view in the middle of the window, with all the room there is; None: no longer."""
    act: Callable[[str], bool] = lambda _: False
    """Does an action of the window by its id; tells whether it was possible."""


@dataclass(frozen=True)
class WelcomeDoors:
    """What the start page can lead to."""

    open_midi: Callable[[str], None]
    """Asks for a MIDI file; the request is put into the chat's box once it is open."""
    new_song: Callable[[], None]
    all_projects: Callable[[], None]
    open_project: Callable[[str], None]
    put: Callable[[str], None]
    """Writes a request into the chat's box without sending it."""
    add_key: Callable[[], None] = lambda: None


@dataclass(frozen=True)
class ViewFactories:
    """Makes the parts for a project that has just been opened."""

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
    """Makes the settings over a window; the last is called when they were closed."""
