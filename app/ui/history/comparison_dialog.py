"""The comparison of two iterations: what differs, track by track."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QPainter, QPaintEvent, QShortcut
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.storage.records import Iteration
from app.ui.history.comparing import Comparison, Counts, Line, Part, as_text
from app.ui.kit.context import Kit
from app.ui.kit.icons import pixmap
from app.ui.kit.theme import font
from app.ui.kit.widgets.buttons import PlainButton
from app.ui.kit.widgets.labels import ElidedLabel, PlainLabel

_SIZE = (520, 560)
_MARGIN = 16
_GAP = 8
_LETTER = 18
_MARK = 12
_BEFORE_AFTER = 240


class ComparisonDialog(QDialog):
    """A is the older iteration, B the newer; nothing can be changed here. Show it with `open`."""

    def __init__(self, kit: Kit, a: Iteration, b: Iteration, comparison: Comparison, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Compare iterations")
        self.resize(*_SIZE)
        self._text = as_text(comparison, _named(a), _named(b))
        self.setAccessibleName("Comparison")
        self.setAccessibleDescription(self._text[:4000])
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        column.setSpacing(_GAP)
        for letter, one in (("A", a), ("B", b)):
            column.addLayout(_side(kit, letter, one))
        column.addSpacing(_GAP)
        head = QHBoxLayout()
        head.addWidget(PlainLabel(comparison.headline, size="card"))
        head.addStretch()
        head.addWidget(CountMarks(kit, comparison.counts))
        column.addLayout(head)
        column.addWidget(_scrolled(kit, comparison), 1)
        row = QHBoxLayout()
        copy = PlainButton("Copy as text", icon="copy", tip="Copy the comparison", key="Ctrl+C")
        copy.clicked.connect(self.copy)
        close = PlainButton("Close", tip="Close the comparison", key="Esc")
        close.clicked.connect(self.reject)
        row.addWidget(copy)
        row.addStretch()
        row.addWidget(close)
        column.addLayout(row)
        close.setDefault(True)
        QShortcut(QKeySequence.StandardKey.Copy, self, self.copy)

    @property
    def text(self) -> str:
        """All of it as text."""
        return self._text

    def copy(self) -> None:
        """Put it on the clipboard."""
        QGuiApplication.clipboard().setText(self._text)


class CountMarks(QWidget):
    """How many notes were added, removed and moved, each with its own mark."""

    def __init__(self, kit: Kit, counts: Counts) -> None:
        super().__init__()
        self._kit = kit
        self._shown = [
            (count, name, token)
            for count, name, token in (
                (counts.added, "plus", "ok"), (counts.removed, "x", "bad"), (counts.moved, "arrow-up", "agent"),
            )
            if count
        ]
        self.setAccessibleName(counts.text)
        self.setToolTip(counts.text)
        self.setFixedSize(self.sizeHint())
        kit.theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As wide as its figures."""
        metrics = self.fontMetrics()
        width = sum(_MARK + 4 + metrics.horizontalAdvance(f"{count:,}") + _GAP for count, _, _ in self._shown)
        return QSize(max(width, 1), metrics.height() + 2)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's name
        """Mark and figure, one after the other."""
        painter = QPainter(self)
        painter.setFont(font(11, 500))
        x, theme = 0, self._kit.theme
        for count, name, token in self._shown:
            top = (self.height() - _MARK) // 2
            painter.drawPixmap(x, top, pixmap(name, theme.color(token), _MARK, self.devicePixelRatioF()))
            x += _MARK + 4
            painter.setPen(theme.color(token))
            words = f"{count:,}"
            wide = self.fontMetrics().horizontalAdvance(words)
            painter.drawText(x, 0, wide + _GAP, self.height(), Qt.AlignmentFlag.AlignVCenter, words)
            x += wide + _GAP
        painter.end()


class _Letter(QWidget):
    def __init__(self, kit: Kit, letter: str) -> None:
        super().__init__()
        self._kit, self._letter = kit, letter
        self.setFixedSize(_LETTER, _LETTER)
        kit.theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, first = self._kit.theme, self._letter == "A"
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("you_fill" if first else "agent_fill"))
        painter.drawRoundedRect(self.rect(), 3, 3)
        painter.setPen(theme.color("on_you" if first else "on_agent"))
        painter.setFont(font(11, 600))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._letter)
        painter.end()


def _side(kit: Kit, letter: str, one: Iteration) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(_GAP)
    row.addWidget(_Letter(kit, letter))
    row.addWidget(ElidedLabel(_named(one), size="strong"), 1)
    return row


def _scrolled(kit: Kit, comparison: Comparison) -> QScrollArea:
    inside = QWidget()
    inside.setProperty("surface", "canvas")
    column = QVBoxLayout(inside)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(_GAP)
    for part in comparison.parts:
        column.addWidget(_part(kit, part))
    column.addStretch()
    area = QScrollArea()
    area.setAccessibleName("What differs")
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setWidget(inside)
    return area


def _part(kit: Kit, part: Part) -> QFrame:
    card = QFrame()
    card.setProperty("card", "plain")
    card.setAccessibleName(f"{part.title}, {part.state}")
    column = QVBoxLayout(card)
    column.setContentsMargins(12, _GAP, 12, _GAP)
    column.setSpacing(2)
    head = QHBoxLayout()
    head.addWidget(ElidedLabel(part.title, size="strong"), 1)
    head.addWidget(CountMarks(kit, part.counts))
    head.addWidget(PlainLabel(part.state, tone={"added": "ok", "removed": "bad"}.get(part.state, "t3")))
    column.addLayout(head)
    for line in part.lines:
        column.addLayout(_line(line))
    return card


def _line(line: Line) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addWidget(ElidedLabel(line.what, tone="t2"), 1)
    if line.before or line.after:
        values = ElidedLabel(f"{line.before} → {line.after}")
        values.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        values.setMaximumWidth(_BEFORE_AFTER)
        row.addWidget(values, 1)
    return row


def _named(one: Iteration) -> str:
    return f"Iteration {one.number}  {one.label}"
