"""Which entries of a conversation are widgets just now: a window of them that moves and grows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QVBoxLayout

from app.ui.chat.entry_making import is_yours
from app.ui.chat.parts import EntryFrame
from app.ui.chat.plan_card import PlanCardView
from app.ui.chat.said import WordsView
from app.viewmodels.chat.conversation import Conversation
from app.viewmodels.chat.entries import MessageEntry, PlanCard

WINDOW = 40
"""Number of entries that have widgets at a time, as each change lays all of them out; earlier ones are built on
demand."""
FEW = 6
"""Number of entries that are built in one turn of the event loop."""


class BuiltEntries:
    """The widgets of consecutive entries, from index `first` on, at the end of a layout; `make` builds the widget of
    the entry at an index."""

    def __init__(self, conversation: Conversation, column: QVBoxLayout, make: Callable[[int], EntryFrame]) -> None:
        self._conversation, self._column, self._make = conversation, column, make
        self._head = column.count()
        self.first = 0
        self.views: list[EntryFrame] = []
        self.at_tail = True
        """Whether the newest entry was among them when they were built; those that come after it are followed then."""

    @property
    def end(self) -> int:
        """The index after the last entry that has a widget."""
        return self.first + len(self.views)

    def view_of(self, index: int) -> EntryFrame | None:
        """The widget of the entry at an index; None if it has none."""
        return self.views[index - self.first] if self.first <= index < self.end else None

    def begin_at(self, first: int) -> None:
        """Discard all widgets and build those of some entries from index `first` on."""
        self._drop(len(self.views))
        self.first = first
        self.add_later(2 * FEW)

    def begin_at_end(self) -> None:
        """Discard all widgets and build those of the newest entries."""
        self.begin_at(max(0, len(self._conversation.entries) - FEW))

    def add_later(self, count: int = FEW) -> None:
        """Build the next `count` entries below."""
        for index in range(self.end, min(self.end + count, len(self._conversation.entries))):
            view = self._make(index)
            self.views.append(view)
            self._column.addWidget(view)
        self.at_tail = self.end == len(self._conversation.entries)

    def add_earlier(self, count: int) -> None:
        """Build `count` more entries above."""
        before, self.first = self.first, max(0, self.first - count)
        made = [self._make(index) for index in range(self.first, before)]
        for offset, view in enumerate(made):
            self._column.insertWidget(self._head + offset, view)
        self.views[:0] = made

    @property
    def far_behind(self) -> bool:
        """Whether so many entries have come after the last one with a widget that only the newest should be built."""
        return self.at_tail and len(self._conversation.entries) - self.end > WINDOW

    def follow(self) -> None:
        """Build entries that were added at the end, if the last one before them is built."""
        if self.at_tail:
            self.add_later(WINDOW)

    def renew(self, index: int) -> None:
        """Update or rebuild the widget of a changed entry; does nothing if it has none."""
        view, entry = self.view_of(index), self._conversation.entries[index]
        if view is None:
            return
        if isinstance(view, WordsView) and isinstance(entry, MessageEntry) and entry.author == "bandleader":
            view.show_words(entry)
            return
        inside = view.focusWidget()
        focused = inside is not None and view.window().focusWidget() is inside
        fresh = self._make(index)
        self._column.replaceWidget(view, fresh)
        self.views[index - self.first] = fresh
        if focused:
            # before the old one goes: Qt would look for another place for the focus, and scroll there
            fresh.show()
            fresh.setFocus()
        view.hide()
        view.deleteLater()

    def drop_oldest(self) -> None:
        """Discard the earliest widgets beyond `WINDOW`."""
        gone = len(self.views) - WINDOW
        if gone > 0:
            self._drop(gone)
            self.first += gone

    def cards(self) -> Sequence[tuple[PlanCardView, PlanCard]]:
        """The plan cards among the widgets, with their entries."""
        found = []
        for view, entry in zip(self.views, self._conversation.entries[self.first:], strict=False):
            if isinstance(view, PlanCardView) and isinstance(entry, PlanCard):
                found.append((view, entry))
        return found

    def answer_of(self, view: EntryFrame) -> str:
        """All texts of Bandleader between the two requests around an entry, for copying."""
        entries, at = self._conversation.entries, self.first + self.views.index(view)
        first = at
        while first > 0 and not is_yours(entries[first - 1]):
            first -= 1
        said = []
        for entry in entries[first:]:
            if is_yours(entry):
                break
            if isinstance(entry, MessageEntry):
                said += [part for part in (entry.text, entry.details) if part]
        return "\n\n".join(said)

    def _drop(self, count: int) -> None:
        for view in self.views[:count]:
            self._column.removeWidget(view)
            view.hide()
            view.deleteLater()
        del self.views[:count]
