"""Clauses of a request: lines under its words, and the list of what became of them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from agent.plan.plan import Clause
from app.i18n import tr, trn
from app.ui.chat.parts import CHIP_BUTTON, GAP, NOTE_ICON, IconLabel, Paragraph, wrapped
from app.ui.chat.words import breakable
from app.ui.kit.context import Kit
from app.ui.kit.tokens import Tokens
from app.ui.kit.widgets.buttons import PlainButton
from app.ui.kit.widgets.labels import PlainLabel
from app.viewmodels.chat.clauses import clause_words
from app.viewmodels.chat.entries import ClauseLine
from app.viewmodels.chat.telling import numbers_said

_LINES = {"done": "solid", "asked": "dotted", "told": "dashed"}
_TOKENS = {"done": "ok", "asked": "you", "told": "warn"}
_AT_ONCE = 12
_SIGNS = {"done": "check", "asked": "question", "told": "minus"}


class UnderlinedWords(Paragraph):
    """A person's text; each clause is underlined in the style and colour of its outcome."""

    def __init__(self, kit: Kit, text: str, clauses: Sequence[Clause]) -> None:
        super().__init__()
        self._kit, self._words, self._clauses = kit, text, clauses
        self.setTextFormat(Qt.TextFormat.RichText)
        kit.theme.changed.connect(self._write)
        self._write()

    def _write(self) -> None:
        self.setText(underlined(self._words, self._clauses, self._kit.theme.tokens))


class ClauseList(QWidget):
    """The clauses of a request, each with its sign, the numbers of its plan rows, and the reason if it was not done.

    Twelve are shown; a button below them shows the next ones, so that a long request keeps nobody waiting."""

    def __init__(self, kit: Kit, lines: Sequence[ClauseLine]) -> None:
        super().__init__()
        self._kit, self._left = kit, list(lines)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(GAP - 2)
        self.more = PlainButton("", tip=tr("Show the next clauses"), name=tr("Show the next clauses"))
        self.more.setFixedHeight(CHIP_BUTTON)
        self.more.clicked.connect(self.show_more)
        self._column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        self.show_more()

    def show_more(self) -> None:
        """Show the next twelve clauses, if there are any."""
        for line in self._left[:_AT_ONCE]:
            self._column.insertLayout(self._column.count() - 1, _row(self._kit, line))
        del self._left[:_AT_ONCE]
        self.more.setText(tr("and {count} more", count=len(self._left)))
        self.more.setVisible(bool(self._left))


def _row(kit: Kit, line: ClauseLine) -> QHBoxLayout:
    one = line.clause
    row = QHBoxLayout()
    row.setSpacing(GAP)
    mark = IconLabel(kit, _SIGNS[one.outcome], _TOKENS[one.outcome], NOTE_ICON)
    row.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
    row.addWidget(wrapped(clause_words(one), size="small"), 1)
    if line.rows:
        numbers = PlainLabel(numbers_said(line.rows), tone="agent", size="small")
        accessible = trn("row {numbers}", "rows {numbers}", len(line.rows), numbers=numbers.text())
        numbers.setAccessibleName(accessible)
        row.addWidget(numbers, 0, Qt.AlignmentFlag.AlignTop)
    return row


def underlined(text: str, clauses: Sequence[Clause], tokens: Tokens) -> str:
    """Rich text of plain `text` with underlined clauses; markup in the text is escaped."""
    parts, at = [], 0
    for one in sorted(clauses, key=lambda clause: clause.start):
        if at <= one.start < one.end <= len(text):
            line, colour = _LINES[one.outcome], getattr(tokens, _TOKENS[one.outcome])
            style = f"text-underline-style: {line}; text-decoration-color: {colour}"
            parts += [_shown(text[at:one.start]), f'<span style="{style}">{_shown(text[one.start:one.end])}</span>']
            at = one.end
    return f'<p style="white-space: pre-wrap">{"".join(parts)}{_shown(text[at:])}</p>'


def _shown(text: str) -> str:
    return escape(breakable(text))
