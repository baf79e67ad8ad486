"""The scrolled list of entries: only the last ones are built, it stays at its end, and it streams without haste."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from app.desktop.conversation import (
    Conversation,
    Entry,
    EntryChange,
    PlanCard,
    Words,
)
from app.ui.chat.entries import PlanView, WordsView
from app.ui.chat.entry_making import is_yours, make_view
from app.ui.chat.parts import EntryFrame, author_line, wrapped
from app.ui.kit.context import Kit
from app.ui.kit.tasks import Coalesced
from app.ui.kit.widgets.buttons import PlainButton
from app.ui.kit.widgets.scrolling import name_scroll_bars
from app.words import tr

WINDOW = 40
"""Entries that are built at once, as each change lays all of them out; earlier ones come when they are asked for."""
_AT_ONCE_MS = 40
_NEAR_END = 8
_NEAR_START = 240
_FEW = 6
"""Entries that are built in one turn of the event loop; others follow in turns of their own."""
_AROUND = 3
"""Entries that are built before one that is jumped to."""
_SIDE = 10
_BOTTOM = 8


class EntryList(QScrollArea):
    """Shows a conversation. `dress` is called with each card that is built, to tell what only the panel knows."""

    plan_wanted = Signal(object)
    iteration_wanted = Signal(str)
    chosen = Signal(int, object)
    send_again = Signal(str, object)
    """A request, and the scope that it was bound to."""
    put_wanted = Signal(str, object)
    """An earlier request that is to be written anew, and its scope."""
    offline_wanted = Signal(str, object)
    """A request to send again with the built-in composer."""
    edit_wanted = Signal(str, str)
    back_wanted = Signal(str)
    """The run of a request that waits; before it is written anew with its words."""

    def __init__(self, conversation: Conversation, kit: Kit, dress: Callable[[PlanView, PlanCard], None]) -> None:
        super().__init__()
        self._conversation, self._kit, self._dress = conversation, kit, dress
        self._first = 0
        self._tail = True
        self._marked: int | None = None
        self._aim: int | None = None
        self._changed: set[int] = set()
        self._stuck = True
        self.views: list[EntryFrame] = []
        self._set_up()
        self.soon = Coalesced(_AT_ONCE_MS, self._catch_up, self, kit.turns)
        self.more = Coalesced(0, self._load, self, kit.turns)
        self.aimed = Coalesced(_AT_ONCE_MS, self._arrived, self, kit.turns)
        self.silence = conversation.changed.listen(self._hear)
        self._rebuild()

    def _set_up(self) -> None:
        self.setObjectName("conversation")
        self.setAccessibleName(tr("Conversation"))
        name_scroll_bars(self)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._inside = QWidget()
        self._inside.setProperty("surface", "panel")
        self.viewport().setProperty("surface", "panel")
        self._column = QVBoxLayout(self._inside)
        self._column.setContentsMargins(_SIDE, _BOTTOM, _SIDE, _BOTTOM)
        self._column.setSpacing(0)
        self._column.addStretch()
        self._earlier = PlainButton(tr("Show earlier messages"), icon="caret-up")
        self._earlier.clicked.connect(lambda: self._show_earlier())
        self._column.addWidget(self._earlier, 0, Qt.AlignmentFlag.AlignHCenter)
        self._hello = QWidget()
        greeting = QVBoxLayout(self._hello)
        greeting.setContentsMargins(2, 0, 2, 0)
        greeting.addLayout(author_line(self._kit, False, ""))
        for line in _hello():
            greeting.addWidget(wrapped(line))
        self._column.addWidget(self._hello)
        self.setWidget(self._inside)
        self.below = PlainButton(tr("New text below"), self, icon="caret-down")
        self.below.hide()
        self.below.clicked.connect(self.to_end)
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(self._scrolled)
        bar.rangeChanged.connect(self._ranged)

    # --- what is shown

    def to_end(self) -> None:
        """Scroll to the newest text and stay there."""
        if not self._tail:
            self._build_from(max(0, len(self._conversation.entries) - _FEW))
        self._stuck = True
        self._aim = None
        self.below.hide()
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def stop(self) -> None:
        """Follow the conversation no more, and let no timer run."""
        for soon in (self.soon, self.more, self.aimed):
            soon.drop()

    @property
    def at_end(self) -> bool:
        """Whether new text is followed."""
        return self._stuck

    def show_entry(self, index: int) -> None:
        """Bring an entry into sight and mark it, also one that is not built yet."""
        if not self._first <= index < self._first + len(self.views):
            self._stuck = False
            self._build_from(max(0, index - _AROUND))
        self.mark(index)
        self._stuck = False
        self._aim = index
        self._to_aim()
        self.aimed.ask()

    def _to_aim(self) -> None:
        """Entries that were just built get their heights a little later."""
        if self._aim is not None and 0 <= self._aim - self._first < len(self.views):
            self._column.activate()
            self.ensureWidgetVisible(self.views[self._aim - self._first], 0, _BOTTOM)

    def _arrived(self) -> None:
        self._to_aim()
        self._aim = None

    def mark(self, index: int | None) -> None:
        """Ring one entry, or none."""
        self._marked = index
        for at, view in enumerate(self.views, self._first):
            view.mark(at == index)

    def answer_of(self, view: EntryFrame) -> str:
        """All that was said between two requests, around an entry."""
        entries, at = self._conversation.entries, self._first + self.views.index(view)
        first = at
        while first > 0 and not is_yours(entries[first - 1]):
            first -= 1
        said = []
        for entry in entries[first:]:
            if is_yours(entry):
                break
            if isinstance(entry, Words):
                said.append(entry.text)
        return "\n\n".join(said)

    def cards(self) -> Sequence[tuple[PlanView, PlanCard]]:
        """The cards that are built, with what they show."""
        found = []
        for view, entry in zip(self.views, self._conversation.entries[self._first:], strict=False):
            if isinstance(view, PlanView) and isinstance(entry, PlanCard):
                found.append((view, entry))
        return found

    def _hear(self, change: EntryChange) -> None:
        if change.index < 0:
            self._rebuild()
            return
        self._changed.add(change.index)
        self.soon.ask()

    def _catch_up(self) -> None:
        entries = self._conversation.entries
        changed, self._changed = sorted(self._changed), set()
        for index in changed:
            at = index - self._first
            if 0 <= at < len(self.views):
                self._renew(at, entries[index])
        if self._tail and len(entries) - self._first - len(self.views) > WINDOW:
            self._build_from(len(entries) - _FEW)
        elif self._tail:
            for index in range(self._first + len(self.views), len(entries)):
                self._append(self._made(index))
        if changed and not self._stuck:
            self._show_below()
        if self._stuck and len(self.views) > 2 * WINDOW:
            self._drop_oldest()
        self._hello.setVisible(not entries)

    def _renew(self, at: int, entry: Entry) -> None:
        view = self.views[at]
        if isinstance(view, WordsView) and isinstance(entry, Words) and entry.author == "bandleader":
            view.show_words(entry)
            return
        focused = view.hasFocus() or view.isAncestorOf(self.focusWidget() or self)
        fresh = self._made(self._first + at)
        self._column.replaceWidget(view, fresh)
        self.views[at] = fresh
        view.hide()
        view.deleteLater()
        if focused:
            fresh.setFocus()

    def _append(self, view: EntryFrame) -> None:
        self.views.append(view)
        self._column.addWidget(view)

    def _drop_oldest(self) -> None:
        gone = len(self.views) - WINDOW
        for view in self.views[:gone]:
            self._column.removeWidget(view)
            view.hide()
            view.deleteLater()
        del self.views[:gone]
        self._first += gone
        self._earlier.setVisible(self._first > 0)

    def _rebuild(self) -> None:
        self._build_from(max(0, len(self._conversation.entries) - _FEW))
        self.to_end()

    def _build_from(self, first: int) -> None:
        """Build a window of entries in place of what is built."""
        for view in self.views:
            self._column.removeWidget(view)
            view.hide()
            view.deleteLater()
        self.views, self._changed = [], set()
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        count = len(self._conversation.entries)
        self._first, end = first, min(count, first + 2 * _FEW)
        self._tail = end == count
        for index in range(self._first, end):
            self._append(self._made(index))
        self._earlier.setVisible(self._first > 0)
        self._hello.setVisible(not count)
        self.more.ask()

    def _show_later(self) -> None:
        """A few more entries below."""
        entries, at = self._conversation.entries, self._first + len(self.views)
        for index in range(at, min(at + _FEW, len(entries))):
            self._append(self._made(index))
        self._tail = self._first + len(self.views) == len(entries)

    def _load(self) -> None:
        """What comes into sight soon."""
        bar = self.verticalScrollBar()
        if self._stuck:
            if self._first and len(self.views) < WINDOW:
                self._show_earlier(min(_FEW, WINDOW - len(self.views)))
                self.to_end()
                self.more.ask()
            return
        if self._aim is not None or not bar.maximum():
            return
        if self._first and bar.value() < _NEAR_START:
            self._show_earlier(_FEW)
        elif not self._tail and bar.value() > bar.maximum() - _NEAR_START:
            self._show_later()

    def _show_earlier(self, count: int = WINDOW) -> None:
        bar = self.verticalScrollBar()
        from_end = bar.maximum() - bar.value()
        before, self._first = self._first, max(0, self._first - count)
        made = [self._made(index) for index in range(self._first, before)]
        above = self._column.indexOf(self._hello) + 1
        for offset, view in enumerate(made):
            self._column.insertWidget(above + offset, view)
        self.views[:0] = made
        self._earlier.setVisible(self._first > 0)
        self._stuck = False
        self._column.activate()
        self._inside.adjustSize()
        bar.setValue(bar.maximum() - from_end)

    def _made(self, index: int) -> EntryFrame:
        view = make_view(self, self._conversation.entries, index, self._kit)
        if isinstance(view, PlanView):
            entry = self._conversation.entries[index]
            assert isinstance(entry, PlanCard)
            self._dress(view, entry)
        view.mark(index == self._marked)
        view.answer_wanted.connect(lambda view=view: QGuiApplication.clipboard().setText(self.answer_of(view)))
        view.moved.connect(lambda places, view=view: self._move(view, places))
        return view

    # --- where it is scrolled to

    def _ranged(self) -> None:
        # A bar that may come and go has Qt lay out every entry for two widths at each change.
        if self.verticalScrollBar().maximum() > 0:
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        if self._stuck:
            self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())
        else:
            self._to_aim()

    def _scrolled(self, value: int) -> None:
        self._stuck = self._tail and value >= self.verticalScrollBar().maximum() - _NEAR_END
        if self._stuck:
            self.below.hide()
        elif self._first or not self._tail:
            self.more.ask()

    def _show_below(self) -> None:
        self.below.adjustSize()
        self.below.move((self.viewport().width() - self.below.width()) // 2,
                        self.viewport().height() - self.below.height() - _BOTTOM)
        self.below.show()
        self.below.raise_()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Keep the end in sight, and the button in its place."""
        stuck = self._stuck
        super().resizeEvent(event)
        self._stuck = stuck
        if stuck:
            self._ranged()
        if self.below.isVisible():
            self._show_below()

    # --- keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Arrows go into the list, from its newest entry."""
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_End) and self.views:
            self._focus(len(self.views) - 1)
        elif event.key() == Qt.Key.Key_Home and self.views:
            self._focus(0)
        else:
            super().keyPressEvent(event)

    def _move(self, view: EntryFrame, places: int) -> None:
        if view in self.views:
            self._focus(min(max(self.views.index(view) + places, 0), len(self.views) - 1))

    def _focus(self, at: int) -> None:
        self.views[at].setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.ensureWidgetVisible(self.views[at], 0, _BOTTOM)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """A larger font makes entries higher; the end stays in sight."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange and self._stuck:
            self._ranged()


def _hello() -> tuple[str, str]:
    return (
        tr("Hello. Tell me about a song, a mood or a change, and I will propose a plan."),
        tr("You can name instruments, keys and tempos: “lofi in F minor, 80 BPM, no drums” is as good as "
           "“make it calmer”."),
    )
