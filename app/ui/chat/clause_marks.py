"""Clauses of a request: lines under its words, and the list of those that were not done."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from agent.plan.plan import Clause
from app.desktop.talk.clauses import clause_words
from app.ui.chat.parts import GAP, NOTE_ICON, Mark, Paragraph, wrapped
from app.ui.chat.words import breakable
from app.ui.kit.context import Kit
from app.ui.kit.tokens import Tokens

_LINES = {"done": "solid", "asked": "dotted", "told": "dashed"}
_TOKENS = {"done": "ok", "asked": "you", "told": "warn"}
_SIGNS = {"done": "check", "asked": "question", "told": "minus"}


class UnderlinedWords(Paragraph):
    """What a person said, each clause with a line of its own kind and colour under it."""

    def __init__(self, kit: Kit, text: str, clauses: Sequence[Clause]) -> None:
        super().__init__()
        self._kit, self._words, self._clauses = kit, text, clauses
        self.setTextFormat(Qt.TextFormat.RichText)
        kit.theme.changed.connect(self._write)
        self._write()

    def _write(self) -> None:
        self.setText(underlined(self._words, self._clauses, self._kit.theme.tokens))


class OpenClauses(QWidget):
    """The clauses that were not done, each with its sign and its reason."""

    def __init__(self, kit: Kit, clauses: Sequence[Clause]) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP - 2)
        for one in clauses:
            row = QHBoxLayout()
            row.setSpacing(GAP)
            mark = Mark(kit, _SIGNS[one.outcome], _TOKENS[one.outcome], NOTE_ICON)
            row.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
            row.addWidget(wrapped(clause_words(one), size="small"), 1)
            column.addLayout(row)


def underlined(text: str, clauses: Sequence[Clause], tokens: Tokens) -> str:
    """Rich text of plain words; nothing of them is read as marks."""
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
