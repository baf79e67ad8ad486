"""A person's long request: its beginning, and all of it on demand."""

from __future__ import annotations

from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QVBoxLayout, QWidget

from app.desktop.figures import counted
from app.ui.chat.parts import CHAT_TEXT, GAP, WIDEST_LINE, wrapped
from app.ui.kit.theme import font
from app.ui.kit.widgets.buttons import PlainButton

LONG = 1500
"""Characters above which only the beginning is laid out: lines of a label are all measured at each change of width."""
_BEGINNING = 1000
_HEIGHT = 320


class LongWords(QWidget):
    """Shows the beginning with a button; all of it scrolls in a place of its own."""

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
        self._words = f"Show all {counted(len(text), 'character')}"
        self.button = PlainButton(self._words, tip="Show or hide the whole request")
        self.button.clicked.connect(self._turn)
        self._column.addWidget(self.button)

    def _turn(self) -> None:
        if self._all is None:
            self._all = self._made()
            self._column.insertWidget(1, self._all)
        opened = self._all.isHidden()
        self._all.setVisible(opened)
        self.label.setVisible(not opened)
        self.button.setText("Show less" if opened else self._words)

    def _made(self) -> QPlainTextEdit:
        made = QPlainTextEdit(self._text)
        made.setReadOnly(True)
        made.setFrameShape(QFrame.Shape.NoFrame)
        made.setFont(font(CHAT_TEXT))
        made.setAccessibleName("The whole request")
        made.setTabChangesFocus(True)
        made.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        made.setFixedHeight(_HEIGHT)
        made.setMaximumWidth(WIDEST_LINE)
        made.hide()
        return made


def beginning_of(text: str) -> str:
    """The first thousand characters, up to the end of a word."""
    cut = text[:_BEGINNING]
    return (cut.rsplit(None, 1)[0] if any(map(str.isspace, cut)) else cut).rstrip() + " …"
