"""Rows that can be pressed: an example request, a recent project."""

from __future__ import annotations

from abc import abstractmethod

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QEnterEvent, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QFrame, QSizePolicy, QVBoxLayout

from app.i18n import lazy, tr
from app.ui.kit.context import Kit
from app.ui.kit.icons import pixmap
from app.ui.kit.shortcuts import follow_keys, key_of, tip_with
from app.ui.kit.style import draw_focus
from app.ui.kit.theme import font
from app.ui.kit.tokens import Tokens
from app.ui.welcome.offers import MOST_LANES, Example, about, blocks, versions, when
from app.viewmodels.desktop import Recent

EXAMPLE_HEIGHT = 46
TALL_BUTTON = 32
RECENT_HEIGHT = 34
_SIDE = 14
_ICON = 18
_SMALL = 11
_THUMB = (102, 18)
_FEWEST_LANES = 4
_ABOUT, _VERSIONS, _WHEN = 164, 76, 82
_GAP = 14
_KEY_HEIGHT = 16
_USE = lazy("Use this request")
_LEFT_MIDDLE = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class PressRow(QAbstractButton):
    """A row of a list that is one button; Up and Down go to its neighbours."""

    def __init__(self, kit: Kit, name: str, height: int) -> None:
        super().__init__()
        self._kit = kit
        self._over = False
        self.setAccessibleName(name)
        self.setFixedHeight(height)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        kit.theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """A preferred width; the row takes what there is."""
        return QSize(400, self.height())

    @property
    def lit(self) -> bool:
        """Whether it is highlighted: hovered or focused."""
        return self._over or self.hasFocus()

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802 - Qt's name
        """Highlight the row."""
        self._over = True
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """End the highlight."""
        self._over = False
        self.update()
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Enter presses the row, arrow keys go to its neighbours; Space is left to the window."""
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.focusNextPrevChild(key == Qt.Key.Key_Down)
        elif key == Qt.Key.Key_Space:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's name
        """Paint background, content and focus ring."""
        painter = QPainter(self)
        tokens = self._kit.theme.tokens
        if self.lit:
            painter.fillRect(self.rect(), QColor(tokens.you_soft))
        self.draw(painter, tokens)
        if self.hasFocus():
            draw_focus(painter, QRectF(self.rect()), tokens)
        painter.end()

    @abstractmethod
    def draw(self, painter: QPainter, tokens: Tokens) -> None:
        """Paint the content."""


class ExampleRow(PressRow):
    """An example request with the shortcut of the window's action `action`."""

    def __init__(self, kit: Kit, example: Example, action: str) -> None:
        super().__init__(kit, tr(example.title), EXAMPLE_HEIGHT)
        self._example = example
        self._action = action
        self.setAccessibleDescription(tr(example.about))
        follow_keys(self, self._renew)

    def _renew(self) -> None:
        self._key = key_of(self._action)
        self.setToolTip(tip_with(self._action, tr(self._example.title)))
        self.update()

    def draw(self, painter: QPainter, tokens: Tokens) -> None:
        """Paint icon, title, description and key."""
        middle = self.height() // 2
        ratio = self.devicePixelRatioF()
        painter.drawPixmap(_SIDE, middle - _ICON // 2, pixmap(self._example.icon, tokens.agent, _ICON, ratio))
        left, right = _SIDE + _ICON + 12, self._draw_key(painter, tokens)
        if self.lit and self._example.request:
            painter.setFont(font(_SMALL))
            painter.setPen(QColor(tokens.t2))
            wide = painter.fontMetrics().horizontalAdvance(tr(_USE))
            painter.drawText(QRect(right - wide - 12, 0, wide, self.height()), _LEFT_MIDDLE, tr(_USE))
            right -= wide + 12
        room = right - left - 12
        _line(painter, QRect(left, 5, room, middle - 5), tr(self._example.title), 12, 600, tokens.t1)
        _line(painter, QRect(left, middle, room, middle - 6), tr(self._example.about), _SMALL, 400, tokens.t3)

    def _draw_key(self, painter: QPainter, tokens: Tokens) -> int:
        if not self._key:
            return self.width() - _SIDE
        painter.setFont(font(10, 500))
        wide = painter.fontMetrics().horizontalAdvance(self._key) + 10
        top = (self.height() - _KEY_HEIGHT) / 2
        box = QRectF(self.width() - _SIDE - wide + 0.5, top + 0.5, wide - 1, _KEY_HEIGHT - 1)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(tokens.line3), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box, 3, 3)
        painter.setPen(QColor(tokens.t2))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self._key)
        return round(box.left())


class RecentRow(PressRow):
    """A recent project with a small drawing of its song."""

    def __init__(self, kit: Kit, recent: Recent) -> None:
        self._words = (about(recent), versions(recent), when(recent))
        self._name = recent.project.name
        super().__init__(kit, tr("Open {name}: {words}", name=self._name, words=', '.join(self._words)), RECENT_HEIGHT)
        wide, lane_height = _THUMB[0], _THUMB[1] / min(max(len(recent.song.tracks), _FEWEST_LANES), MOST_LANES)
        self._blocks = [
            (QRectF(left * wide, lane * lane_height, max((right - left) * wide - 1, 1.0), lane_height - 0.6), color)
            for left, right, lane, color in blocks(recent.song)
        ]

    def draw(self, painter: QPainter, tokens: Tokens) -> None:
        """Paint the small drawing of the song, its name, and three facts."""
        top = (self.height() - _THUMB[1]) // 2
        painter.save()
        painter.translate(_SIDE, top)
        painter.fillRect(0, 0, *_THUMB, QColor(tokens.well))
        for block, color in self._blocks:
            painter.fillRect(block, QColor(color))
        painter.restore()
        right = self.width() - _SIDE
        painter.setFont(font(_SMALL))
        painter.setPen(QColor(tokens.t3))
        last = QRect(right - _WHEN, 0, _WHEN, self.height())
        painter.drawText(last, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._words[2])
        right -= _WHEN + 8
        for text, room in ((self._words[1], _VERSIONS), (self._words[0], _ABOUT)):
            _line(painter, QRect(right - room, 0, room, self.height()), text, _SMALL, 400, tokens.t3)
            right -= room + 8
        left = _SIDE + _THUMB[0] + _GAP
        _line(painter, QRect(left, 0, right - left, self.height()), self._name, 12, 600, tokens.t1)


class FramedRows(QFrame):
    """Rows in a frame with lines between them."""

    def __init__(self, kit: Kit, name: str, rows: list[PressRow]) -> None:
        super().__init__()
        self._kit = kit
        self.rows = rows
        self.setAccessibleName(name)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(1)
        for row in rows:
            column.addWidget(row)
        kit.theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's name
        """Paint background, border, and lines between the rows."""
        painter = QPainter(self)
        theme = self._kit.theme
        painter.setPen(QPen(theme.color("line2"), 1))
        painter.setBrush(theme.color("panel"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.setPen(theme.color("line"))
        for row in self.rows[1:]:
            if row.isHidden():
                continue
            painter.drawLine(1, row.y() - 1, self.width() - 2, row.y() - 1)
        painter.end()


def _line(painter: QPainter, box: QRect, text: str, size: int, weight: int, color: str) -> None:
    face = font(size, weight)
    painter.setFont(face)
    painter.setPen(QColor(color))
    cut = QFontMetrics(face).elidedText(text, Qt.TextElideMode.ElideRight, box.width())
    painter.drawText(box, _LEFT_MIDDLE, cut)
