"""Strokes that the plan is painted with: grounds, words that are cut where they end, icons, boxes, rings, bars."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QStyle

from app.ui.kit.tokens import mix
from app.ui.plan.look import Look

PAD = 8
ICON = 14
LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
CENTRE = Qt.AlignmentFlag.AlignCenter
_BAR = (46, 4)
_HOVER_SHARE = 0.04
_NO_STATE = QStyle.StateFlag.State_None


class Brush:
    """Paints with a painter in the colours and fonts of a look; tokens name colours."""

    def __init__(self, painter: QPainter, look: Look) -> None:
        self.painter = painter
        self.look = look

    def fill(self, area: QRect, token: str) -> None:
        """Fill an area with the colour of a token."""
        self.painter.fillRect(area, self.look.color(token))

    def ground(self, area: QRect, token: str, state: QStyle.StateFlag = _NO_STATE, *, hovered: bool = False) -> None:
        """Paint the background of a cell in the colour of a token, with a line at its bottom; `state` gives the
        selection, `hovered` tells that the pointer is over its row."""
        fill = self.look.color(token)
        if state & QStyle.StateFlag.State_Selected:
            fill = self.look.color("you_soft" if state & QStyle.StateFlag.State_Active else "hover")
        elif hovered:
            fill = QColor(mix(self.look.tokens.t1, fill.name(), _HOVER_SHARE))
        self.painter.fillRect(area, fill)
        self.fill(QRect(area.x(), area.bottom(), area.width(), 1), "line")

    def width(self, text: str, *, bold: bool = False) -> int:
        """Width of a text in pixels, in the font of rows or its `bold` form."""
        self.painter.setFont(self.look.font(bold=bold))
        return self.painter.fontMetrics().horizontalAdvance(text)

    def text(
        self, area: QRect, text: str, token: str, align: Qt.AlignmentFlag = LEFT, *, bold: bool = False,
        mono: bool = False,
    ) -> int:
        """Paint a text in the colour of a token, elided if it is too long; returns its width in pixels. `mono` is the
        font of tool names."""
        self.painter.setFont(self.look.font(bold=bold, mono=mono))
        self.painter.setPen(self.look.color(token))
        metrics = self.painter.fontMetrics()
        elided = metrics.elidedText(text.replace("\n", " "), Qt.TextElideMode.ElideRight, area.width())
        self.painter.drawText(area, align, elided)
        return metrics.horizontalAdvance(elided)

    def icon(self, place: QRect, name: str, token: str, turn: float = 0.0) -> None:
        """Paint an icon that fills `place` in the colour of a token; `turn` (0 to 1) is the rotation of a ring, the
        sign of running."""
        self.look.paint_icon(self.painter, place, name, token, turn)

    def sign(self, area: QRect, name: str, token: str, turn: float = 0.0) -> int:
        """Paint an icon in the colour of a token at the left of a cell; `turn` as for `icon`. Returns the x in pixels
        where a text begins beside it."""
        place = square(area, area.x() + PAD)
        self.icon(place, name, token, turn)
        return place.right() + PAD

    def box(self, box: QRect, checked: bool | None) -> None:
        """Paint a check box; None is the partly checked state."""
        painter, color, on = self.painter, self.look.color, checked is not False
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(color("you_fill" if on else "line3"), 1))
        painter.setBrush(color("you_fill" if on else "ctl"))
        painter.drawRoundedRect(box.adjusted(0, 0, -1, -1).toRectF().translated(0.5, 0.5), 3, 3)
        painter.setPen(QPen(color("on_you"), 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        x, y = box.x(), box.y()
        if checked is None:
            painter.drawLine(x + 4, y + 7, x + 10, y + 7)
        elif checked:
            painter.drawPolyline([QPointF(x + 3.5, y + 7.5), QPointF(x + 6, y + 10), QPointF(x + 10.5, y + 4.5)])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def rounded(self, area: QRect, radius: int, pen: QPen | Qt.PenStyle, brush: QColor | Qt.BrushStyle) -> None:
        """Paint a rectangle with corners of `radius` pixels."""
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.painter.setPen(pen)
        self.painter.setBrush(brush)
        self.painter.drawRoundedRect(area, radius, radius)
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def ring(self, area: QRect) -> None:
        """Paint the focus ring of the cell that has the keyboard."""
        self.rounded(area.adjusted(1, 1, -2, -2), 4, QPen(self.look.color("you"), 2), Qt.BrushStyle.NoBrush)

    def progress(self, left: int, area: QRect, share: float) -> None:
        """Paint a progress bar from x `left` on, at half the height of `area`; `share` is 0 to 1. Nothing is painted if
        there is no room."""
        bar = QRect(left, area.center().y() - _BAR[1] // 2, *_BAR)
        if bar.right() <= area.right():
            self.fill(bar, "hover")
            bar.setWidth(round(bar.width() * share))
            self.fill(bar, "agent")


def square(area: QRect, left: int, size: int = ICON) -> QRect:
    """A square of `size` pixels at x `left`, at half the height of a cell."""
    return QRect(left, area.center().y() - size // 2, size, size)


def centred(area: QRect, size: int) -> QRect:
    """A square of `size` pixels in the middle of an area."""
    return QRect(area.x() + (area.width() - size) // 2, area.y() + (area.height() - size) // 2, size, size)
