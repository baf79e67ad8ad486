"""The proxy style on Fusion: focus ring for the keyboard, check boxes, small icons."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QProxyStyle, QStyle, QStyleHintReturn, QStyleOption, QWidget

from app.ui.kit.tokens import Tokens

_BOX = 14
_SMALL_ICON = 16


class BandleaderStyle(QProxyStyle):
    """Reads the tokens when it paints, so that it never needs to be told of another theme."""

    def __init__(self, tokens: Callable[[], Tokens]) -> None:
        super().__init__("Fusion")
        self._tokens = tokens

    def drawPrimitive(  # noqa: N802
        self, element: QStyle.PrimitiveElement, option: QStyleOption, painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        """Draw focus frames and check marks; the rest is Fusion's."""
        kinds = QStyle.PrimitiveElement
        if element is kinds.PE_FrameFocusRect:
            self._focus(option, painter)
        elif element in (kinds.PE_IndicatorCheckBox, kinds.PE_IndicatorItemViewItemCheck):
            draw_check(painter, QRectF(option.rect), _checked(option), self._tokens())
        else:
            super().drawPrimitive(element, option, painter, widget)

    def pixelMetric(  # noqa: N802
        self, metric: QStyle.PixelMetric, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> int:
        """Sizes that differ from Fusion's."""
        metrics = QStyle.PixelMetric
        if metric in (metrics.PM_IndicatorWidth, metrics.PM_IndicatorHeight):
            return _BOX
        if metric in (metrics.PM_SmallIconSize, metrics.PM_ButtonIconSize):
            return _SMALL_ICON
        return super().pixelMetric(metric, option, widget)

    def styleHint(  # noqa: N802
        self, hint: QStyle.StyleHint, option: QStyleOption | None = None, widget: QWidget | None = None,
        returnData: QStyleHintReturn | None = None,  # noqa: N803
    ) -> int:
        """No etched text; tooltips wait a little less."""
        if hint is QStyle.StyleHint.SH_EtchDisabledText:
            return 0
        return super().styleHint(hint, option, widget, returnData)

    def _focus(self, option: QStyleOption, painter: QPainter) -> None:
        rect = QRectF(option.rect).adjusted(1, 1, -1, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self._tokens().you), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect, 4, 4)
        painter.restore()


def _checked(option: QStyleOption) -> Qt.CheckState:
    states = QStyle.StateFlag
    if option.state & states.State_NoChange:
        return Qt.CheckState.PartiallyChecked
    on = bool(option.state & states.State_On)
    return Qt.CheckState.Checked if on else Qt.CheckState.Unchecked


def draw_check(painter: QPainter, rect: QRectF, state: Qt.CheckState, tokens: Tokens) -> None:
    """A check box of 14 pixels in the middle of `rect`."""
    box = QRectF(0, 0, _BOX - 1, _BOX - 1)
    box.moveCenter(QPointF(rect.center()))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    filled = state is not Qt.CheckState.Unchecked
    painter.setPen(QPen(QColor(tokens.you_fill if filled else tokens.line3), 1))
    painter.setBrush(QColor(tokens.you_fill if filled else tokens.ctl))
    painter.drawRoundedRect(box, 3, 3)
    painter.setPen(QPen(QColor(tokens.on_you), 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    if state is Qt.CheckState.Checked:
        x, y = box.left(), box.top()
        painter.drawPolyline([QPointF(x + 3.2, y + 6.8), QPointF(x + 5.6, y + 9.2), QPointF(x + 9.8, y + 4.2)])
    elif filled:
        painter.drawLine(
            QPointF(box.left() + 3.5, box.center().y()), QPointF(box.right() - 3.5, box.center().y())
        )
    painter.restore()
