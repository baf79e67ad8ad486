"""How a row of what differs is drawn: colour, box, icon and name, counts by their marks, and its lines."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.ui.history.difference_marks import draw_mark, mark_tones
from app.ui.history.row_data import ROW_ROLE, paint_ground, paint_ring
from app.ui.kit.context import Kit
from app.ui.kit.icons import INSTRUMENT_ICONS, SONG_ICON, paint_icon
from app.ui.kit.style import draw_check
from app.ui.kit.theme import font
from app.viewmodels.history.difference import Counts, Kind
from app.viewmodels.history.difference_rows import DifferenceRow

CHECK_WIDTH = 32
_STRIPE = 4
_ICON = 16
_NAME_LEFT = 56
_RIGHT = 10
_HEAD, _LINE, _BOTTOM = 32, 20, 6
_QUIET = 28
_SWATCH = (13, 9)
_VALUE_SHARE = 0.62


class DifferenceDelegate(QStyledItemDelegate):
    """Paints rows of differences; `families` maps an instrument's name to its family, for icons."""

    def __init__(self, kit: Kit, families: dict[str, str], parent: QObject) -> None:
        super().__init__(parent)
        self._kit = kit
        self._families = families

    def sizeHint(  # noqa: N802 - Qt's name
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex  # noqa: ARG002
    ) -> QSize:
        """Height of a row with its lines of changes."""
        row: DifferenceRow | None = index.data(ROW_ROLE)
        if row is None or row.quiet:
            return QSize(0, max(_QUIET, _line_height() + 8))
        lines = len(row.lines)
        return QSize(0, _HEAD + lines * _line_height() + (_BOTTOM if lines else 0))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw one row."""
        row: DifferenceRow | None = index.data(ROW_ROLE)
        if row is None:
            return
        area: QRect = option.rect
        state: QStyle.StateFlag = option.state
        tokens = self._kit.theme.tokens
        painter.save()
        painter.setClipRect(area)
        paint_ground(painter, area, state, tokens, tokens.canvas, hovers=not row.quiet)
        painter.fillRect(area.left(), area.bottom(), area.width(), 1, QColor(tokens.line))
        if row.quiet:
            self._quiet(painter, area, row)
        else:
            self._head(painter, area, row, index.data(Qt.ItemDataRole.CheckStateRole))
            self._lines(painter, area, row)
        paint_ring(painter, area, state, tokens)
        painter.restore()

    def _quiet(self, painter: QPainter, area: QRect, row: DifferenceRow) -> None:
        tokens = self._kit.theme.tokens
        paint_icon(painter, QRectF(area.left() + 10, area.center().y() - 6, 12, 12), "equals", QColor(tokens.t3))
        painter.setFont(font(12))
        painter.setPen(QColor(tokens.t2))
        words = QRect(area.left() + 32, area.top(), area.width() - 32 - _RIGHT, area.height())
        text = painter.fontMetrics().elidedText(row.title, Qt.TextElideMode.ElideRight, words.width())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, text)

    def _head(self, painter: QPainter, area: QRect, row: DifferenceRow, check: object) -> None:
        tokens = self._kit.theme.tokens
        middle = area.top() + _HEAD / 2
        left = area.left() + _NAME_LEFT
        if row.track is not None:
            painter.fillRect(area.left(), area.top(), _STRIPE, area.height() - 1, QColor(row.color))
            box = QRectF(area.left() + 10, middle - 8, 16, 16)
            draw_check(painter, box, Qt.CheckState(check), tokens)
            name = INSTRUMENT_ICONS.get(self._families.get(row.instrument, ""), SONG_ICON)
        else:
            name = "music-notes"
        paint_icon(painter, QRectF(area.left() + 33, middle - _ICON / 2, _ICON, _ICON), name, QColor(tokens.t2))
        right = self._counts(painter, area.right() - _RIGHT, middle, row.counts)
        if row.note:
            painter.setFont(font(11))
            painter.setPen(QColor({"added": tokens.ok, "removed": tokens.bad, "changed": tokens.t3}[row.state]))
            wide = painter.fontMetrics().horizontalAdvance(row.note)
            painter.drawText(QRectF(right - wide - 2, area.top(), wide + 2, _HEAD), Qt.AlignmentFlag.AlignVCenter,
                             row.note)
            right -= wide + 8
        painter.setFont(font(12, 600))
        painter.setPen(QColor(tokens.t1))
        title = " ".join(row.title[:200].split())
        text = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, int(right - left - 4))
        painter.drawText(QRectF(left, area.top(), right - left, _HEAD), Qt.AlignmentFlag.AlignVCenter, text)

    def _counts(self, painter: QPainter, right: float, middle: float, counts: Counts) -> float:
        """The counts with their marks, ending at `right`; returns where they begin."""
        tones = mark_tones(self._kit.theme.tokens, painter.device().devicePixelRatioF())
        shown: tuple[tuple[Kind, int], ...] = (
            ("moved", counts.moved), ("removed", counts.removed), ("added", counts.added)
        )
        painter.setFont(font(11))
        for kind, count in shown:
            if not count:
                continue
            words = f"{count:,}"
            wide = painter.fontMetrics().horizontalAdvance(words)
            painter.setPen(self._kit.theme.color("t2"))
            painter.drawText(QRectF(right - wide, middle - 10, wide + 1, 20), Qt.AlignmentFlag.AlignVCenter, words)
            right -= wide + 4 + _SWATCH[0]
            draw_mark(painter, QRectF(right, middle - _SWATCH[1] / 2, *_SWATCH), kind, tones, "arrow-up")
            right -= 10
        return right

    def _lines(self, painter: QPainter, area: QRect, row: DifferenceRow) -> None:
        tokens = self._kit.theme.tokens
        painter.setFont(font(11))
        metrics = painter.fontMetrics()
        height = _line_height()
        left, right = area.left() + _NAME_LEFT, area.right() - _RIGHT
        for at, line in enumerate(row.lines):
            top = area.top() + _HEAD + at * height - 2
            room = right - left
            value = metrics.elidedText(line.change, Qt.TextElideMode.ElideRight, int(room * _VALUE_SHARE))
            wide = metrics.horizontalAdvance(value)
            painter.setPen(QColor(tokens.t1))
            painter.drawText(QRectF(right - wide, top, wide + 1, height), Qt.AlignmentFlag.AlignVCenter, value)
            painter.setPen(QColor(tokens.t2))
            what = metrics.elidedText(line.what, Qt.TextElideMode.ElideRight, max(20, room - wide - 8))
            painter.drawText(QRectF(left, top, room, height), Qt.AlignmentFlag.AlignVCenter, what)


def _line_height() -> int:
    return max(_LINE, QFontMetrics(font(11)).height() + 4)
