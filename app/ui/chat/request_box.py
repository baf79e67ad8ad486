"""The box where a request is written: it grows, remembers, and never chokes on what is pasted."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QMimeData, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QFocusEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QVBoxLayout

from agent.plan.bounds import MAX_REQUEST
from app.i18n import tr
from app.ui.chat.attach_row import AttachRow
from app.ui.chat.parts import CHAT_TEXT
from app.ui.kit.context import Kit
from app.ui.kit.shortcuts import follow_keys, key_of, keyed_tip
from app.ui.kit.style import draw_focus
from app.ui.kit.theme import font
from app.ui.kit.widgets.buttons import MainButton, PlainButton
from app.ui.kit.widgets.labels import ElidedLabel, WrappedLabel

FEWEST_LINES, MOST_LINES = 2, 6
_MARGIN = 8
_RADIUS = 4.0
_BYTES = 4
"""Most bytes of UTF-8 for a character."""
_ENDLESS = re.compile(r"\S{1000}")
"""A word so long that Qt gets slow, as it searches for the word's end in each line."""
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_PLAIN = ("text/plain;charset=utf-8", "text/plain")


class RequestText(QPlainTextEdit):
    """A plain text field of at most `MAX_REQUEST` characters; Up and Down at its ends go through `earlier` requests."""

    sent = Signal()
    left = Signal()
    """Emitted by Ctrl+Enter in an empty field."""
    shortened = Signal()
    focus_moved = Signal()

    def __init__(self, earlier: Callable[[], Sequence[str]]) -> None:
        super().__init__()
        self._earlier = earlier
        self._back = 0
        self._draft = ""
        self.setProperty("role", "bare")
        self.setObjectName("request")
        self.setFont(font(CHAT_TEXT))
        self.setAccessibleName(tr("Request"))
        follow_keys(self, self._tell_keys)
        self.setPlaceholderText(tr("Describe what you want to hear…"))
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.textChanged.connect(self._fit)
        self.textChanged.connect(lambda: self._break_as(self.toPlainText()))
        self._fit()

    def _tell_keys(self) -> None:
        said = tr(
            "Enter or Ctrl+Enter sends, Shift+Enter begins a new line; with nothing written Ctrl+Enter goes to the plan"
        )
        key = key_of("plan.request")
        self.setToolTip(tr("{keys} ({key} comes here)", keys=said, key=key) if key else said)

    def put(self, text: str) -> None:
        """Replace the text; undo restores the old one."""
        cursor = self.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        self._write(cursor, self._fitting(text, 0))
        self.setTextCursor(cursor)

    def insertFromMimeData(self, source: QMimeData) -> None:  # noqa: N802 - Qt's name
        """Paste plain text, cut to the length that a request may have."""
        cursor = self.textCursor()
        kept = self.document().characterCount() - 1 - len(cursor.selectedText())
        self._write(cursor, self._fitting(_beginning(source, MAX_REQUEST + 1), kept))

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """Emit `focus_moved` for the frame, which paints the focus ring."""
        super().focusInEvent(event)
        self.focus_moved.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """Emit `focus_moved` for the frame, which paints the focus ring."""
        super().focusOutEvent(event)
        self.focus_moved.emit()

    def event(self, event: QEvent) -> bool:
        """Claim Enter with any modifiers before the window's shortcuts."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in _ENTER:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Enter and Ctrl+Enter send; Shift+Enter begins a new line."""
        key, shift = event.key(), event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if key in _ENTER and not shift:
            if not event.isAutoRepeat():
                self._enter(bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier))
        elif key == Qt.Key.Key_Up and not shift and self._at_edge(QTextCursor.MoveOperation.Up):
            self._walk(1)
        elif key == Qt.Key.Key_Down and not shift and self._at_edge(QTextCursor.MoveOperation.Down):
            self._walk(-1)
        else:
            super().keyPressEvent(event)
            if self.document().characterCount() - 1 > MAX_REQUEST:
                self.textCursor().deletePreviousChar()
                self.shortened.emit()

    def _enter(self, control: bool) -> None:
        if control and not self.toPlainText().strip():
            self.left.emit()
        else:
            self.sent.emit()

    def _at_edge(self, move: QTextCursor.MoveOperation) -> bool:
        cursor = self.textCursor()
        return not cursor.movePosition(move) and not cursor.hasSelection()

    def _walk(self, places: int) -> None:
        earlier = self._earlier()
        back = min(max(self._back + places, 0), len(earlier))
        if back == self._back:
            return
        if self._back == 0:
            self._draft = self.toPlainText()
        self._back = back
        self.put(earlier[-back] if back else self._draft)

    def forget_place(self) -> None:
        """Let the next Up begin at the newest earlier request again."""
        self._back, self._draft = 0, ""

    def _write(self, cursor: QTextCursor, text: str) -> None:
        if _ENDLESS.search(text):
            self._break_as(text)
        cursor.insertText(text)

    def _break_as(self, text: str) -> None:
        """Lines end anywhere while there is an endless word: its layout is slow otherwise."""
        modes = QTextOption.WrapMode
        wanted = modes.WrapAnywhere if _ENDLESS.search(text) else modes.WrapAtWordBoundaryOrAnywhere
        if self.wordWrapMode() != wanted:
            self.setWordWrapMode(wanted)

    def _fitting(self, text: str, kept: int) -> str:
        room = max(0, MAX_REQUEST - kept)
        if len(text) > room:
            self.shortened.emit()
        return text[:room].replace("\x00", "").replace("\r\n", "\n").encode("utf-8", "replace").decode()

    def _fit(self) -> None:
        lines = min(max(self._lines(), FEWEST_LINES), MOST_LINES)
        around = 2 * self.document().documentMargin() + self.contentsMargins().top() + self.contentsMargins().bottom()
        self.setFixedHeight(round(lines * self.fontMetrics().lineSpacing() + around))
        over = self._lines() > MOST_LINES
        shown = Qt.ScrollBarPolicy.ScrollBarAsNeeded if over else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(shown)

    def _lines(self) -> int:
        return round(self.document().size().height())


class RequestBox(QFrame):
    """Text field, Stop and Send; `earlier` returns the requests that Up and Down go through, `refuses` why words are
    not sent, which then stay in the box ("" for those that are). Signal `asked` carries the
    request; the field is empty then."""

    asked = Signal(str)
    stopped = Signal()

    def __init__(
        self, kit: Kit, earlier: Callable[[], Sequence[str]], refuses: Callable[[str], str] = lambda _: ""
    ) -> None:
        super().__init__()
        self._kit = kit
        self._said = self._draft = ""
        self._estimate = ""
        self._cut = False
        self._warning = ""
        self._refuses = refuses
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, _MARGIN - 2, _MARGIN, _MARGIN)
        column.setSpacing(4)
        self.text = RequestText(earlier)
        self.setFocusProxy(self.text)
        self.text.focus_moved.connect(self.update)
        self.attached = AttachRow(kit)
        column.addWidget(self.attached)
        column.addWidget(self.text)
        row = QHBoxLayout()
        row.setSpacing(6)
        self.quiet = ElidedLabel(_free(), tone="t3", size="small")
        row.addWidget(self.quiet, 1)
        self.note = WrappedLabel("", tone="warn", size="small")
        self.note.hide()
        self.stop = PlainButton(tr("Stop"), icon="stop-fill", tip=tr("Stop planning or the run"))
        self.send = MainButton(tr("Send"), icon="paper-plane-right-fill", tip=tr("Send the request (Enter)"))
        row.addWidget(self.stop)
        row.addWidget(self.send)
        column.addWidget(self.note)
        column.addLayout(row)
        self.stop.clicked.connect(self.stopped)
        self.send.clicked.connect(self._send)
        self.text.sent.connect(self._send)
        self.text.shortened.connect(self._tell_cut)
        self.text.textChanged.connect(self._written)
        kit.theme.changed.connect(self.update)
        self._written()
        self.let_stop(False, tr("There is nothing to stop"))

    def let_stop(self, can: bool, why: str = "") -> None:
        """Enable or disable the Stop button; `why`, if not empty, replaces its usual tooltip."""
        self.stop.setEnabled(can)
        keyed_tip(self.stop, "" if why else "plan.stop", why or tr("Stop planning or the run"))

    def tell_receiver(self, name: str) -> None:
        """Show to whom the request would be sent; empty for nobody."""
        self._said = tr("Sent to {name}", name=name) if name else ""
        self._tell_quietly()

    def tell_draft(self, draft: int) -> None:
        """Show which draft of a plan the request would refine; 0 for none."""
        self._draft = tr("Refines draft {number}", number=draft) if draft else ""
        asks = tr("Refine the plan, or ask about the song…") if draft else tr("Describe what you want to hear…")
        self.text.setPlaceholderText(asks)
        self.text.viewport().update()
        self._tell_quietly()

    def tell_estimate(self, words: str) -> None:
        """Show what sending the request would use; empty if it is not known."""
        self._estimate = words
        self._tell_quietly()

    def warn(self, words: str) -> None:
        """Show a warning about the text; typing removes it."""
        self._warning = words
        self._tell_quietly()

    def _tell_quietly(self) -> None:
        most = f"{MAX_REQUEST:,}"
        cut = tr("A request holds {number} characters; the rest was left out", number=most) if self._cut else ""
        self._tell_loudly(self._warning or cut)
        said = self._said or self._draft or _free()
        self.quiet.setText(self._estimate or said)
        self.quiet.setAccessibleDescription(said if self._estimate else "")

    def _tell_loudly(self, words: str) -> None:
        """What must not be missed, over as many lines as it needs, also to a screen reader."""
        if words == self.note.text():
            return
        self.note.say(words)
        self.note.setVisible(bool(words))
        if words and self.note.isVisible():
            QAccessible.updateAccessibility(QAccessibleEvent(self.note, QAccessible.Event.Alert))

    def _send(self) -> None:
        request = self.text.toPlainText()
        if request.strip():
            self._warning = self._refuses(request)
            self._tell_quietly()
        if request.strip() and not self._warning:
            self.text.put("")
            self.text.forget_place()
            self.tell_estimate("")
            self.asked.emit(request)

    def _written(self) -> None:
        self.send.setEnabled(bool(self.text.toPlainText().strip()))
        if self._warning:
            self._warning = ""
            self._tell_quietly()
        if self._cut and self.text.document().characterCount() < MAX_REQUEST:
            self._cut = False
            self._tell_quietly()
        self.update()

    def _tell_cut(self) -> None:
        self._cut = True
        self._tell_quietly()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's name
        """Paint the frame, with a focus ring while the text field has the focus."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._kit.theme.color("line3"), 1))
        painter.setBrush(self._kit.theme.color("well"))
        area = QRectF(self.rect())
        painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)
        if self.text.hasFocus():
            draw_focus(painter, area, self._kit.theme.tokens)
        painter.end()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """Pass the focus to the text field."""
        self.text.setFocus(event.reason())


def _beginning(source: QMimeData, count: int) -> str:
    """The first `count` characters of what is pasted; megabytes behind them never become a text of ours."""
    form = next((one for one in _PLAIN if source.hasFormat(one)), None)
    if form is None:
        return source.text()[:count]
    return bytes(source.data(form).left(_BYTES * count).data()).decode("utf-8", "replace")[:count]


def _free() -> str:
    return tr("Free, offline")
