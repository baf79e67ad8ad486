"""How a row of the history is drawn: lines, node, title, and what stands below it."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from agent.song.ids import IterationId
from app.i18n import tr
from app.storage.iteration_names import LONGEST_NAME
from app.ui.history.row_data import ROW_ROLE, paint_ground, paint_ring
from app.ui.history.rows import HistoryRow
from app.ui.kit.context import Kit
from app.ui.kit.icons import paint_icon, paint_running_ring
from app.ui.kit.painted import dashed_pen
from app.ui.kit.theme import font
from app.ui.kit.tokens import mix

ROW_HEIGHT = 41
LANE = 16
NODE = 8.5
_LEFT = 15
_RING = 1.5
_ICON = 10
_TEXT_GAP = 14
_RIGHT = 12
_FORK = 14
_LETTER = 16
_CHIP_SIDE = 5
_CHIP_HEIGHT = 16
_MOST_LANES = 5
_CARET_ROOM = 26
_TITLE, _SMALL = 12, 11
_DIM = 0.62

Letters = dict[IterationId, str]


class HistoryDelegate(QStyledItemDelegate):
    """Paints rows of the history; `letters` marks the compared iterations, `turn` (0 to 1) rotates the busy indicator
    of a run."""

    def __init__(self, kit: Kit, parent: QObject) -> None:
        super().__init__(parent)
        self._kit = kit
        self.letters: Letters = {}
        self.turn = 0.0

    def sizeHint(  # noqa: N802 - Qt's name
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex  # noqa: ARG002
    ) -> QSize:
        """41 px high, higher with a larger font."""
        needed = QFontMetrics(font(_TITLE, 600)).height() + QFontMetrics(font(_SMALL)).height() + 10
        return QSize(0, max(ROW_HEIGHT, needed))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw one row."""
        row: HistoryRow | None = index.data(ROW_ROLE)
        if row is None:
            return
        area: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        tokens = self._kit.theme.tokens
        paint_ground(painter, area, state, tokens, tokens.panel)
        self._lines(painter, area, row)
        if not row.open:
            self._node(painter, area, row, index.row() == 0)
        self._words(painter, area, row)
        paint_ring(painter, area, state, tokens)
        painter.restore()

    def createEditor(  # noqa: N802 - Qt's name
        self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex  # noqa: ARG002
    ) -> QWidget:
        """A line edit for the iteration's name."""
        made = QLineEdit(parent)
        made.setMaxLength(LONGEST_NAME)
        made.setAccessibleName(tr("Name of the iteration"))
        made.setPlaceholderText(tr("No name"))
        return made

    def updateEditorGeometry(  # noqa: N802 - Qt's name
        self, editor: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Put the editor over the title."""
        row: HistoryRow | None = index.data(ROW_ROLE)
        area: QRect = option.rect
        left = area.left() if row is None else self._left(area, row)
        editor.setGeometry(QRect(left - 6, area.top() + 1, area.right() - _RIGHT - left + 6, area.height() // 2 + 4))

    def caret(self, area: QRect, row: HistoryRow) -> QRect:
        """The area in which a click opens or folds a group; empty for every other row."""
        if row.group is None:
            return QRect()
        return area if row.open else QRect(self._left(area, row) - 6, area.top(), _CARET_ROOM, area.height())

    def _left(self, area: QRect, row: HistoryRow) -> int:
        return round(_x(area, min(row.place.lanes, _MOST_LANES) - 1) + NODE + _TEXT_GAP - 4)

    def _lines(self, painter: QPainter, area: QRect, row: HistoryRow) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._kit.theme.color("line3"), _RING))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        place, x, middle = row.place, _x(area, row.place.lane), area.center().y() + 0.5
        if place.above:
            painter.drawLine(QPointF(x, area.top()), QPointF(x, middle - NODE))
        if place.below:
            painter.drawLine(QPointF(x, middle + NODE), QPointF(x, area.bottom() + 1))
        for lane in place.through:
            painter.drawLine(QPointF(_x(area, lane), area.top()), QPointF(_x(area, lane), area.bottom() + 1))
        for lane in place.joins:
            side = _x(area, lane)
            path = QPainterPath(QPointF(side, area.top()))
            path.cubicTo(QPointF(side, area.top() + _FORK), QPointF(side, middle), QPointF(x + NODE, middle))
            painter.drawPath(path)

    def _node(self, painter: QPainter, area: QRect, row: HistoryRow, first: bool) -> None:
        tokens = self._kit.theme.tokens
        token = "agent" if row.author == "agent" else "you"
        x, middle = _x(area, row.place.lane), area.center().y() + 0.5
        circle = QRectF(x - NODE, middle - NODE, 2 * NODE, 2 * NODE)
        color = self._kit.theme.color(token)
        if row.kind in ("plan", "run"):
            painter.setPen(dashed_pen(tokens.line3))
            if first:
                painter.drawLine(QPointF(x, middle + NODE), QPointF(x, area.bottom() + 1))
        if row.kind == "run":
            paint_running_ring(painter, circle.adjusted(-1, -1, 1, 1), color, self.turn)
        else:
            if row.dim:
                color = QColor(mix(color.name(), tokens.panel, _DIM))
            painter.setPen(dashed_pen(color) if row.kind == "plan" else QPen(color, _RING))
            painter.setBrush(color if row.current else self._kit.theme.color("panel"))
            painter.drawEllipse(circle)
        mark = self._kit.theme.color("panel") if row.current else color
        paint_icon(painter, QRectF(x - _ICON / 2, middle - _ICON / 2, _ICON, _ICON), row.icon, mark)

    def _words(self, painter: QPainter, area: QRect, row: HistoryRow) -> None:
        tokens = self._kit.theme.tokens
        left = self._left(area, row)
        right = area.right() - _RIGHT
        half = area.height() // 2
        above = QRect(left, area.top() + 3, right - left, half - 2)
        below = QRect(left, area.top() + half, right - left, half - 3)
        painter.setFont(font(_SMALL))
        painter.setPen(QColor(tokens.t3))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(below, Qt.AlignmentFlag.AlignRight | middle, row.when)
        if row.when:
            below.setRight(below.right() - painter.fontMetrics().horizontalAdvance(row.when) - 8)
        below.setRight(self._chips(painter, below, row))
        painter.setFont(font(_SMALL))
        painter.setPen(QColor(tokens.t3))
        about = painter.fontMetrics().elidedText(row.about, Qt.TextElideMode.ElideRight, below.width())
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft | middle, about)
        if row.group is not None:
            caret = "caret-down" if row.open else "caret-right"
            paint_icon(painter, QRectF(left, above.center().y() - 5, 11, 11), caret, QColor(tokens.t2))
            above.setLeft(left + 15)
        if row.named:
            paint_icon(painter, QRectF(left, above.center().y() - 5, 11, 11), "tag-fill", QColor(tokens.t3))
            above.setLeft(left + 15)
        painter.setFont(font(_TITLE, 400 if row.dim else 600))
        painter.setPen(QColor(tokens.t3 if row.dim else tokens.t1))
        title = painter.fontMetrics().elidedText(row.title, Qt.TextElideMode.ElideRight, above.width())
        painter.drawText(above, Qt.AlignmentFlag.AlignLeft | middle, title)

    def _chips(self, painter: QPainter, area: QRect, row: HistoryRow) -> int:
        """Chips at the right end of an area; returns where words must end."""
        tokens = self._kit.theme.tokens
        chips = []
        letter = next((self.letters[one] for one in row.holds if one in self.letters), "")
        if letter:
            chips.append((letter, tokens.you_fill if letter == "A" else tokens.agent_fill,
                          tokens.on_you if letter == "A" else tokens.on_agent))
        if row.current:
            chips.append((tr("current"), tokens.you_fill, tokens.on_you))
        if row.kind == "plan":
            chips.append((tr("plan"), tokens.agent_soft, tokens.agent))
        painter.setFont(font(10, 600))
        right = area.right()
        for text, fill, ink in chips:
            width = max(_LETTER, painter.fontMetrics().horizontalAdvance(text) + 2 * _CHIP_SIDE)
            box = QRectF(right - width, area.center().y() - _CHIP_HEIGHT / 2 + 0.5, width, _CHIP_HEIGHT)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(fill))
            painter.drawRoundedRect(box, 3, 3)
            painter.setPen(QColor(ink))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
            right -= width + 6
        return right


def _x(area: QRect, lane: int) -> float:
    """The middle of a lane; lanes beyond the last that has room lie on it."""
    return area.left() + _LEFT + LANE * min(lane, _MOST_LANES - 1) + 0.5
