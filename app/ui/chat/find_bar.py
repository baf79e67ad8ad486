"""Finding words in the conversation: a line with what is looked for, and the way from one entry to the next."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.i18n import tr
from app.ui.kit.tasks import Coalesced
from app.ui.kit.widgets.buttons import IconButton
from app.ui.kit.widgets.in_place import EscLine
from app.ui.kit.widgets.labels import PlainLabel
from app.viewmodels.chat.conversation import Conversation
from app.viewmodels.chat.talk_search import found_in

_SIDE, _GAP = 8, 4
_STILL_MS = 60
_LONGEST = 200


class FindBar(QWidget):
    """A search field for the conversation, hidden until it is opened. Signal `shown` carries the index of an entry to
    jump to, None for none."""

    shown = Signal(object)
    closed = Signal()

    def __init__(self, conversation: Conversation) -> None:
        super().__init__()
        self._conversation = conversation
        self._at = -1
        self._found: tuple[int, ...] = ()
        self.line = _FindLine()
        self.line.setAccessibleName(tr("Find in this conversation"))
        self.line.setPlaceholderText(tr("Find in this conversation"))
        self.line.setMaxLength(_LONGEST)
        self.count = PlainLabel("", tone="t3", size="small")
        self.before = IconButton("caret-up", tr("Previous message with these words"), key="Shift+Return")
        self.after = IconButton("caret-down", tr("Next message with these words"), key="Return")
        self.away = IconButton("x", tr("Close finding"), key="Esc")
        row = QHBoxLayout(self)
        row.setContentsMargins(_SIDE, _GAP, _SIDE, _GAP)
        row.setSpacing(_GAP)
        row.addWidget(self.line, 1)
        for widget in (self.count, self.before, self.after, self.away):
            row.addWidget(widget)
        self.soon = Coalesced(_STILL_MS, self._look, self)
        self.line.textChanged.connect(lambda _: self.soon.ask())
        self.line.stepped.connect(self.step)
        self.line.escaped.connect(self.close_bar)
        self.before.clicked.connect(lambda: self.step(-1))
        self.after.clicked.connect(lambda: self.step(1))
        self.away.clicked.connect(self.close_bar)
        self.hide()

    def open_bar(self, words: str = "") -> None:
        """Show the bar; `words`, if any, replace what is searched for."""
        self.show()
        if words:
            self.line.setText(words)
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.line.selectAll()
        self._look()

    def close_bar(self) -> None:
        """Hide the bar and end the search."""
        self.soon.drop()
        self.hide()
        self.shown.emit(None)
        self.closed.emit()

    def step(self, places: int) -> None:
        """Go to the next match (1) or the previous (-1), starting over at the end."""
        self.soon.now()
        if self._found:
            self._at = (self._at + places) % len(self._found)
            self._tell()

    def _look(self) -> None:
        """The newest entry with the words comes first."""
        self.soon.drop()
        self._found = found_in(self._conversation.entries, self.line.text())
        self._at = len(self._found) - 1
        self._tell()

    def _tell(self) -> None:
        there = bool(self._found)
        said = tr("{at} of {count}", at=self._at + 1, count=len(self._found)) if there else tr("Not found")
        self.count.setText(said if there or self.line.text().strip() else "")
        self.count.setAccessibleName(self.count.text())
        for button in (self.before, self.after):
            button.setEnabled(there)
        self.shown.emit(self._found[self._at] if there else None)


class _FindLine(EscLine):
    """Enter goes on, Shift+Enter back, Esc leaves."""

    stepped = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Enter does not end the line; the rest is writing."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.stepped.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        else:
            super().keyPressEvent(event)
