"""The open project in the window: its views, made when it is opened and closed when another one is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QWidget

from app.ui.kit.context import Kit
from app.ui.kit.subscriptions import Subscriptions
from app.ui.shell.action_context import ActionContext, action_context_of
from app.ui.shell.views import (
    ChatPart,
    DockedView,
    EventsPart,
    HistoryActs,
    HistoryPart,
    Links,
    PlanPart,
    TimelinePart,
    ViewFactories,
)

if TYPE_CHECKING:
    # The database is slow to import; the window is shown before it.
    from app.ui.plan.table_actions import PlanAction
    from app.ui.timeline.commands import TimelineAction
    from app.viewmodels.open_project import OpenProject

PARTS = ("chat", "timeline", "history", "plan", "pianoroll", "mixer", "events")
"""Names of the views, in the order of F6."""


class Workbench:
    """Makes and holds the views of one open project at a time. `changed` is called whenever something that actions
    depend on may have changed."""

    def __init__(self, kit: Kit, make: ViewFactories, changed: Callable[[], None]) -> None:
        self._kit = kit
        self._make = make
        self._changed = changed
        self._opened: OpenProject | None = None
        self._subscriptions = Subscriptions()
        self.chat: ChatPart | None = None
        self.history: HistoryPart | None = None
        self._timeline: TimelinePart | None = None
        self._plan: PlanPart | None = None
        self.events: EventsPart | None = None
        self.pianoroll: DockedView | None = None
        self.mixer: DockedView | None = None
        self.page: QWidget | None = None
        """What stands in the place of the timeline, for example a comparison."""

    def stages(self, opened: OpenProject, links: Links) -> Iterator[None]:
        """Generator that makes the views of a project, one per step."""
        kit = self._kit
        self._opened = opened
        self.chat = self._make.chat(opened, kit, links)
        yield
        self._plan = self._make.plan(opened, kit, links)
        yield
        self.events = self._make.events(opened, kit, links)
        yield
        self._timeline = self._make.timeline(opened, kit, links)
        yield
        self.pianoroll = self._make.pianoroll(opened, kit)
        yield
        self.mixer = self._make.mixer(opened, kit)
        yield
        self.history = self._make.history(opened, kit, links)
        yield
        keep = self._subscriptions.add
        for told in (
            opened.workspace.changed, opened.reviewing.proposal.changed, opened.reviewing.pending.changed,
            opened.running.live.changed, opened.running.unfinished.changed, opened.asking.doing.changed,
            opened.versions.steps.changed, opened.versions.iterations.changed, opened.locks.changed,
            opened.focus.clips.changed, opened.focus.track.changed, opened.focus.overlay.changed,
            opened.focus.clip.changed, opened.focus.bars.changed,
            opened.focus.side.changed, opened.listening.other.changed, opened.playback.state.changed,
            opened.conversation.changed,
        ):
            keep(told.listen(lambda _: self._changed()))
        for part in self.parts().values():
            if part.badge is not None:
                keep(part.badge.changed.listen(lambda _: self._changed()))

    def close(self) -> None:
        """Close and delete all views."""
        self._subscriptions.close()
        for part in self.parts().values():
            part.close()
            part.widget.hide()
            part.widget.deleteLater()
        self._opened = self.chat = self.history = self._timeline = self._plan = self.events = None
        self.pianoroll = self.mixer = None

    def parts(self) -> dict[str, DockedView]:
        """The views by name, in the order of F6; none while no project is shown."""
        made = (self.chat, self._timeline, self.history, self._plan, self.pianoroll, self.mixer, self.events)
        return {name: one for name, one in zip(PARTS, made, strict=True) if one is not None}

    def stops(self) -> dict[str, DockedView]:
        """The views in the order of F6, as `parts`, with the central page (if there is one) in place of the
        timeline."""
        found, page = self.parts(), self.page
        if page is not None and "timeline" in found:
            found["timeline"] = DockedView(widget=page, focus=page.setFocus, close=lambda: None)
        return found

    def focused(self) -> str:
        """The name of the view that has the keyboard; empty for none."""
        widget: QWidget | None = QApplication.focusWidget()
        for name, part in self.stops().items():
            if widget is not None and (widget is part.widget or part.widget.isAncestorOf(widget)):
                return name
        return ""

    def focus(self, name: str) -> None:
        """Give the view of this name the keyboard; raises `KeyError` if there is none."""
        self.parts()[name].focus()

    def take_up(self, name: str) -> None:
        """Give the keyboard to view `name`, or to the chat if that view is not visible; does nothing while a dialog is
        open."""
        parts = self.parts()
        if not QApplication.activeModalWidget():
            parts[name if name in parts and parts[name].widget.isVisible() else "chat"].focus()

    def attach(self) -> None:
        """Attach the selection to the request in the chat's box."""
        if self.chat is not None:
            self.chat.attach()

    def badge(self, name: str) -> str:
        """The count beside the title of a view; empty for none."""
        part = self.parts().get(name)
        return "" if part is None or part.badge is None else part.badge.value

    def take_answer(self) -> None:
        """Give the plan the keyboard, as the answer to a request."""
        if self._plan is not None:
            self._plan.answer()

    def choose_step(self, step: str) -> None:
        """Select the row of this step in the plan."""
        if self._plan is not None:
            self._plan.choose(step)

    @property
    def opened(self) -> OpenProject:
        """The open project; fails if none is shown."""
        assert self._opened is not None
        return self._opened

    @property
    def timeline(self) -> Callable[[TimelineAction], None]:
        """The function that carries out an action of the timeline; fails if no project is shown."""
        assert self._timeline is not None
        return self._timeline.act

    @property
    def plan(self) -> Callable[[PlanAction], None]:
        """The function that carries out an action of the plan; fails if no project is shown."""
        assert self._plan is not None
        return self._plan.act

    @property
    def iterations(self) -> HistoryActs:
        """The actions of the history; fails if no project is shown."""
        assert self.history is not None
        return self.history.acts

    @property
    def in_plan(self) -> bool:
        """Whether the plan has the keyboard."""
        return self.focused() == "plan"

    @property
    def untouched(self) -> bool:
        """Whether the project is a draft without tracks, chat entries, plan or planner at work."""
        opened = self._opened
        return opened is not None and not (
            not opened.workspace.draft or opened.workspace.song.tracks or opened.conversation.entries
            or opened.reviewing.proposal.value is not None or opened.asking.doing.value
        )

    def action_context(self, *, welcome: bool, exporting: bool, shown: frozenset[str]) -> ActionContext:
        """The state that actions depend on. `welcome`: the start page is shown; `exporting`: an export runs; `shown`:
        names of the open docks."""
        if self._opened is None:
            return ActionContext(theme=self._kit.theme.choice, shown=shown)
        return action_context_of(
            self._opened, welcome=welcome, exporting=exporting, theme=self._kit.theme.choice, shown=shown
        )
