"""Which entries of a conversation are widgets just now: a window of them that moves and grows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QVBoxLayout

from app.desktop.talk.conversation import Conversation
from app.desktop.talk.entries import MessageEntry, PlanCard
from app.ui.chat.entry_making import is_yours
from app.ui.chat.parts import EntryFrame
from app.ui.chat.plan_card import PlanCardView
from app.ui.chat.said import WordsView

WINDOW = 40
"""Entries that are built at once, as each change lays all of them out; earlier ones come when they are asked for."""
FEW = 6
"""Entries that are built in one turn of the event loop; others follow in turns of their own."""


class BuiltEntries:
    """Widgets of the entries from number `first` on, at the end of a column; `make` builds that of a number."""

    def __init__(self, conversation: Conversation, column: QVBoxLayout, make: Callable[[int], EntryFrame]) -> None:
        self._conversation, self._column, self._make = conversation, column, make
        self._head = column.count()
        self.first = 0
        self.views: list[EntryFrame] = []
        self.at_tail = True
        """Whether the newest entry was among them when they were built; those that come after it are followed then."""

    @property
    def end(self) -> int:
        """The number behind the last one that is built."""
        return self.first + len(self.views)

    def view_of(self, index: int) -> EntryFrame | None:
        """The widget of an entry, if it is built."""
        return self.views[index - self.first] if self.first <= index < self.end else None

    def begin_at(self, first: int) -> None:
        """Build a window of entries in place of what is built."""
        self._drop(len(self.views))
        self.first = first
        self.add_later(2 * FEW)

    def begin_at_end(self) -> None:
        """The same with the newest ones."""
        self.begin_at(max(0, len(self._conversation.entries) - FEW))

    def add_later(self, count: int = FEW) -> None:
        """Some more below."""
        for index in range(self.end, min(self.end + count, len(self._conversation.entries))):
            view = self._make(index)
            self.views.append(view)
            self._column.addWidget(view)
        self.at_tail = self.end == len(self._conversation.entries)

    def add_earlier(self, count: int) -> None:
        """Some more above."""
        before, self.first = self.first, max(0, self.first - count)
        made = [self._make(index) for index in range(self.first, before)]
        for offset, view in enumerate(made):
            self._column.insertWidget(self._head + offset, view)
        self.views[:0] = made

    @property
    def far_behind(self) -> bool:
        """Whether so much came after the newest entry that only the end of it is built."""
        return self.at_tail and len(self._conversation.entries) - self.end > WINDOW

    def follow(self) -> None:
        """What came after the newest entry, if that is among them."""
        if self.at_tail:
            self.add_later(WINDOW)

    def renew(self, index: int) -> None:
        """An entry is another now."""
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
        """Keep no more than a window of them."""
        gone = len(self.views) - WINDOW
        if gone > 0:
            self._drop(gone)
            self.first += gone

    def cards(self) -> Sequence[tuple[PlanCardView, PlanCard]]:
        """The cards among them, with what they show."""
        found = []
        for view, entry in zip(self.views, self._conversation.entries[self.first:], strict=False):
            if isinstance(view, PlanCardView) and isinstance(entry, PlanCard):
                found.append((view, entry))
        return found

    def answer_of(self, view: EntryFrame) -> str:
        """All that was said between two requests, around an entry."""
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
