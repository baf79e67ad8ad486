"""The scrolled list of entries: only the last ones are built, it stays at its end, and it streams without haste."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from app.i18n import tr
from app.ui.chat.built_entries import FEW, WINDOW, BuiltEntries
from app.ui.chat.entry_making import make_view
from app.ui.chat.parts import EntryFrame, author_line, wrapped
from app.ui.chat.plan_card import PlanCardView
from app.ui.kit.context import Kit
from app.ui.kit.tasks import Coalesced
from app.ui.kit.widgets.buttons import PlainButton
from app.ui.kit.widgets.scrolling import name_scroll_bars
from app.viewmodels.chat.conversation import Conversation
from app.viewmodels.chat.entries import EntryChange, PlanCard

_AT_ONCE_MS = 40
_NEAR_END = 8
_NEAR_START = 240
_AROUND = 3
"""Number of entries built before one that is jumped to."""
_SIDE = 10
_BOTTOM = 8


class EntryList(QScrollArea):
    """The scrolled list of a conversation's entries. `dress` is called with each plan card that is built, to add what
    only the panel knows."""

    plan_wanted = Signal(object)
    reopen_wanted = Signal(str)
    """Emitted with the hash of a plan that was put aside and is to be reviewed again."""
    iteration_wanted = Signal(str)
    chosen = Signal(int, object)
    send_again = Signal(str, object)
    """Emitted with a request and the scope that it was bound to."""
    put_wanted = Signal(object)
    """Emitted with an earlier request whose text is to be put into the request box."""
    offline_wanted = Signal(str, object)
    """Emitted with a request to send again with the built-in composer."""
    edit_wanted = Signal(int)
    """Emitted with the number of a queued request that is to be taken back and put into the request box."""
    back_wanted = Signal(int)
    """Emitted with the number of a queued request that is to be taken back."""

    link_wanted = Signal(object)
    """Emitted with a link of an answer that was clicked."""
    offer_wanted = Signal(int)
    """Emitted with the index of an entry whose button was pressed."""

    def __init__(self, conversation: Conversation, kit: Kit, dress: Callable[[PlanCardView, PlanCard], None]) -> None:
        super().__init__()
        self._conversation, self._kit, self._dress = conversation, kit, dress
        self._marked: int | None = None
        self._aim: int | None = None
        self._changed: set[int] = set()
        self._stuck = True
        self._set_up()
        self.built = BuiltEntries(conversation, self._column, self._made)
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
        """Scroll to the newest entry and follow new text."""
        if not self.built.at_tail:
            self._build_from(None)
        self._stuck = True
        self._aim = None
        self.below.hide()
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def stop(self) -> None:
        """End subscriptions and timers."""
        for soon in (self.soon, self.more, self.aimed):
            soon.drop()

    @property
    def views(self) -> list[EntryFrame]:
        """The widgets of the entries that are built."""
        return self.built.views

    @property
    def at_end(self) -> bool:
        """Whether new text is followed."""
        return self._stuck

    def show_entry(self, index: int) -> None:
        """Scroll to the entry at an index and mark it, building it if need be."""
        if self.built.view_of(index) is None:
            self._stuck = False
            self._build_from(max(0, index - _AROUND))
        self.mark(index)
        self._stuck = False
        self._aim = index
        self._to_aim()
        self.aimed.ask()

    def _to_aim(self) -> None:
        """Entries that were just built get their heights a little later."""
        view = None if self._aim is None else self.built.view_of(self._aim)
        if view is not None:
            self._column.activate()
            self.ensureWidgetVisible(view, 0, _BOTTOM)

    def _arrived(self) -> None:
        self._to_aim()
        self._aim = None

    def mark(self, index: int | None) -> None:
        """Mark the entry at an index with a ring, and no other; None marks none."""
        self._marked = index
        for at, view in enumerate(self.views, self.built.first):
            view.mark(at == index)

    def _hear(self, change: EntryChange) -> None:
        if change.index < 0:
            self._rebuild()
            return
        self._changed.add(change.index)
        self.soon.ask()

    def _catch_up(self) -> None:
        entries, built = self._conversation.entries, self.built
        changed, self._changed = sorted(self._changed), set()
        for index in changed:
            built.renew(index)
        if built.far_behind:
            self._build_from(None)
        built.follow()
        if changed and not self._stuck:
            self._show_below()
        if self._stuck and len(self.views) > 2 * WINDOW:
            built.drop_oldest()
        self._tell_ends()
        self._hello.setVisible(not entries)

    def _tell_ends(self) -> None:
        self._earlier.setVisible(self.built.first > 0)

    def _rebuild(self) -> None:
        self._build_from(None)
        self.to_end()

    def _build_from(self, first: int | None) -> None:
        """Build a window of entries in place of what is built; None for the newest ones."""
        self._changed = set()
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        if first is None:
            self.built.begin_at_end()
        else:
            self.built.begin_at(first)
        self._tell_ends()
        self._hello.setVisible(not self._conversation.entries)
        self.more.ask()

    def _load(self) -> None:
        """What comes into sight soon."""
        bar = self.verticalScrollBar()
        if self._stuck:
            if self.built.first and len(self.views) < WINDOW:
                self._show_earlier(min(FEW, WINDOW - len(self.views)))
                self.to_end()
                self.more.ask()
            return
        if self._aim is not None or not bar.maximum():
            return
        if self.built.first and bar.value() < _NEAR_START:
            self._show_earlier(FEW)
        elif not self.built.at_tail and bar.value() > bar.maximum() - _NEAR_START:
            self.built.add_later()

    def _show_earlier(self, count: int = WINDOW) -> None:
        bar = self.verticalScrollBar()
        from_end = bar.maximum() - bar.value()
        self.built.add_earlier(count)
        self._tell_ends()
        self._stuck = False
        self._column.activate()
        self._inside.adjustSize()
        bar.setValue(bar.maximum() - from_end)

    def _made(self, index: int) -> EntryFrame:
        view = make_view(self, self._conversation.entries, index, self._kit)
        if isinstance(view, PlanCardView):
            entry = self._conversation.entries[index]
            assert isinstance(entry, PlanCard)
            self._dress(view, entry)
        view.mark(index == self._marked)
        view.answer_wanted.connect(lambda view=view: QGuiApplication.clipboard().setText(self.built.answer_of(view)))
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
        self._stuck = self.built.at_tail and value >= self.verticalScrollBar().maximum() - _NEAR_END
        if self._stuck:
            self.below.hide()
        elif self.built.first or not self.built.at_tail:
            self.more.ask()

    def _show_below(self) -> None:
        self.below.adjustSize()
        self.below.move((self.viewport().width() - self.below.width()) // 2,
                        self.viewport().height() - self.below.height() - _BOTTOM)
        self.below.show()
        self.below.raise_()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Stay at the end if new text is followed, and place the button below."""
        stuck = self._stuck
        super().resizeEvent(event)
        self._stuck = stuck
        if stuck:
            self._ranged()
        if self.below.isVisible():
            self._show_below()

    # --- keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Arrow keys and End move the focus to the newest entry, Home to the first built one."""
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
        """Stay at the end if new text is followed and another font changes heights."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange and self._stuck:
            self._ranged()


def _hello() -> tuple[str, str]:
    return (
        tr("Hello. Tell me about a song, a mood or a change, and I will propose a plan."),
        tr("You can name instruments, keys and tempos: “lofi in F minor, 80 BPM, no drums” is as good as "
           "“make it calmer”."),
    )
