"""A person's long request: its beginning, and all of it on demand."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QVBoxLayout, QWidget

from app.i18n import tr, trn
from app.ui.chat.parts import CHAT_TEXT, GAP, WIDEST_LINE, wrapped
from app.ui.kit.theme import font
from app.ui.kit.widgets.buttons import PlainButton

LONG = 1500
"""Characters of a request above which only its beginning is laid out: all lines of a label are measured at each change
of width."""
LONGEST_ANSWER = 3000
"""Characters of an answer that are shown formatted; a button shows the whole of a longer one as plain text."""
_BEGINNING = 1000
_HEIGHT = 320
_MOST = 200_000


class LongWords(QWidget):
    """The beginning of a long request and a button that shows the whole text in a scroll area."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text
        self._all: QPlainTextEdit | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(GAP)
        self.label = wrapped(beginning_of(text))
        self.label.setFont(font(CHAT_TEXT))
        self._column.addWidget(self.label)
        self._words = _show_all(len(text))
        self.button = PlainButton(self._words, tip=tr("Show or hide the whole request"))
        self.button.clicked.connect(self._turn)
        self._column.addWidget(self.button)

    def _turn(self) -> None:
        if self._all is None:
            self._all = whole_text(self._text, tr("The whole request"))
            self._column.insertWidget(1, self._all)
        opened = self._all.isHidden()
        self._all.setVisible(opened)
        self.label.setVisible(not opened)
        self.button.setText(tr("Show less") if opened else self._words)


class WholeText(QWidget):
    """A button below the beginning of a long answer that shows the whole of it as plain text in a scroll area."""

    def __init__(self, text: Callable[[], str]) -> None:
        super().__init__()
        self._text = text
        self._all: QPlainTextEdit | None = None
        self._count = 0
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        self.button = PlainButton("", tip=tr("Show or hide the whole answer"))
        self.button.clicked.connect(self._turn)
        column.addWidget(self.button)
        self.hide()

    def tell(self, count: int) -> None:
        """Set how many characters the text has; 0 hides the button."""
        self._count = count
        self.setVisible(count > 0)
        self._name()

    def _name(self) -> None:
        opened = self._all is not None and not self._all.isHidden()
        self.button.say(tr("Show less") if opened else _show_all(self._count))

    def _turn(self) -> None:
        if self._all is None:
            self._all = whole_text("", tr("The whole answer"))
            column = self.layout()
            assert column is not None
            column.addWidget(self._all)
        opened = self._all.isHidden()
        if opened:
            text = self._text()
            cut = len(text) > _MOST
            self._all.setPlainText(text[:_MOST] + (f"\n… {tr('Copy the message for all of it.')}" if cut else ""))
        self._all.setVisible(opened)
        self._name()


def whole_text(text: str, name: str) -> QPlainTextEdit:
    """A read-only text field with accessible name `name` that scrolls its text."""
    made = QPlainTextEdit(text)
    made.setReadOnly(True)
    made.setFrameShape(QFrame.Shape.NoFrame)
    made.setFont(font(CHAT_TEXT))
    made.setAccessibleName(name)
    made.setTabChangesFocus(True)
    made.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    made.setFixedHeight(_HEIGHT)
    made.setMaximumWidth(WIDEST_LINE)
    made.hide()
    return made


def _show_all(count: int) -> str:
    return trn("Show all {number} characters", "Show all {number} characters", count, number=f"{count:,}")


def beginning_of(text: str) -> str:
    """The first thousand characters, cut at the end of a word."""
    cut = text[:_BEGINNING]
    return (cut.rsplit(None, 1)[0] if any(map(str.isspace, cut)) else cut).rstrip() + " …"
