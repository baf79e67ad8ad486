"""Strokes that the plan's cells are painted with: grounds, words that are cut where they end, boxes, rings, bars."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QStyle

from app.ui.kit.tokens import mix
from app.ui.plan.look import Look

_BAR = (46, 4)
_HOVER_SHARE = 0.04
LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight


class Brush:
    """Paints in the colours and fonts of a look."""

    def __init__(self, look: Look) -> None:
        self._look = look

    def backed(self, painter: QPainter, area: QRect, base: str, state: QStyle.StateFlag, hovered: bool) -> None:
        """The ground of a cell with its line below."""
        look = self._look
        fill = look.color(base)
        if state & QStyle.StateFlag.State_Selected:
            fill = look.color("you_soft" if state & QStyle.StateFlag.State_Active else "hover")
        elif hovered:
            fill = QColor(mix(look.tokens.t1, fill.name(), _HOVER_SHARE))
        painter.fillRect(area, fill)
        painter.fillRect(QRect(area.x(), area.bottom(), area.width(), 1), look.color("line"))

    def text(
        self, painter: QPainter, area: QRect, text: str, token: str, align: Qt.AlignmentFlag = LEFT, *,
        bold: bool = False, mono: bool = False,
    ) -> int:
        """Words, cut where there is no room; returns their width."""
        painter.setFont(self._look.font(bold=bold, mono=mono))
        painter.setPen(self._look.color(token))
        metrics = painter.fontMetrics()
        elided = metrics.elidedText(text.replace("\n", " "), Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, align, elided)
        return metrics.horizontalAdvance(elided)

    def box(self, painter: QPainter, box: QRect, checked: bool | None) -> None:
        """A check box; None is the third state."""
        look = self._look
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        on = checked is not False
        painter.setPen(QPen(look.color("you_fill" if on else "line3"), 1))
        painter.setBrush(look.color("you_fill" if on else "ctl"))
        painter.drawRoundedRect(box.adjusted(0, 0, -1, -1).toRectF().translated(0.5, 0.5), 3, 3)
        painter.setPen(QPen(look.color("on_you"), 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        x, y = box.x(), box.y()
        if checked is None:
            painter.drawLine(x + 4, y + 7, x + 10, y + 7)
        elif checked:
            painter.drawPolyline([QPointF(x + 3.5, y + 7.5), QPointF(x + 6, y + 10), QPointF(x + 10.5, y + 4.5)])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def ring(self, painter: QPainter, area: QRect) -> None:
        """The mark of the cell that has the keyboard."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._look.color("you"), 2))
        painter.drawRoundedRect(area.adjusted(1, 1, -2, -2), 4, 4)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def progress(self, painter: QPainter, left: int, area: QRect, share: float) -> bool:
        """A bar that is full at a share of 1, in the middle of an area; False where there is no room for it."""
        bar = QRect(left, area.center().y() - _BAR[1] // 2, *_BAR)
        if bar.right() > area.right():
            return False
        painter.fillRect(bar, self._look.color("hover"))
        bar.setWidth(round(bar.width() * share))
        painter.fillRect(bar, self._look.color("agent"))
        return True
