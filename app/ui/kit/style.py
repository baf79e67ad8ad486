"""The proxy style on Fusion: focus ring for the keyboard, check boxes, small icons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, cast

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QListView,
    QProxyStyle,
    QPushButton,
    QStyle,
    QStyleOption,
    QStyleOptionComboBox,
    QStyleOptionComplex,
    QStyleOptionSlider,
    QTabBar,
    QTableView,
    QWidget,
)

from app.ui.kit.tokens import Tokens

_BOX = 14
_SMALL_ICON = 16
_AROUND_TEXT = 2
_ROW_MARGIN = 5
"""Pixels around the text of a row, so that the focus ring does not touch it."""
_HANDLE = (6, 10)
_DISABLED = 0.45
Direction = Literal["down", "right"]
_CARETS: dict[Direction, tuple[tuple[float, float], ...]] = {
    "down": ((-3.5, -1.75), (0.0, 1.75), (3.5, -1.75)),
    "right": ((-1.75, -3.5), (1.75, 0.0), (-1.75, 3.5)),
}
_METRICS = {
    QStyle.PixelMetric.PM_IndicatorWidth: _BOX,
    QStyle.PixelMetric.PM_IndicatorHeight: _BOX,
    QStyle.PixelMetric.PM_FocusFrameHMargin: _ROW_MARGIN,
    QStyle.PixelMetric.PM_SmallIconSize: _SMALL_ICON,
    QStyle.PixelMetric.PM_ButtonIconSize: _SMALL_ICON,
    QStyle.PixelMetric.PM_SliderLength: _HANDLE[0],
    QStyle.PixelMetric.PM_SliderThickness: 16,
    QStyle.PixelMetric.PM_SliderControlThickness: _HANDLE[1],
}
"""Pixel metrics that differ from Fusion's, as a table: Qt asks for thousands while it lays out a window."""


class BandleaderStyle(QProxyStyle):
    """Fusion with focus ring, check boxes and small icons of its own. It reads the tokens when it paints, so it follows
    the theme by itself.

    Style hints are not overridden: Qt asks for forty of them for every widget that gets another style sheet."""

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
            self._focus(option, painter, widget)
        elif element is kinds.PE_IndicatorBranch:
            if option.state & QStyle.StateFlag.State_Children:
                opened = option.state & QStyle.StateFlag.State_Open
                draw_caret(painter, QRectF(option.rect), "down" if opened else "right", self._tokens())
        elif element in (kinds.PE_IndicatorCheckBox, kinds.PE_IndicatorItemViewItemCheck):
            draw_check(painter, QRectF(option.rect), _checked(option), self._tokens())
        else:
            super().drawPrimitive(element, option, painter, widget)

    def pixelMetric(  # noqa: N802
        self, metric: QStyle.PixelMetric, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> int:
        """The style's own sizes, else Fusion's."""
        own = _METRICS.get(metric)
        return super().pixelMetric(metric, option, widget) if own is None else own

    def drawComplexControl(  # noqa: N802
        self, control: QStyle.ComplexControl, option: QStyleOptionComplex, painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        """Draw sliders and combo boxes; the rest is Fusion's."""
        if control is QStyle.ComplexControl.CC_Slider and isinstance(option, QStyleOptionSlider):
            self._slider(option, painter, widget)
        elif control is QStyle.ComplexControl.CC_ComboBox and isinstance(option, QStyleOptionComboBox):
            self._choices(option, painter)
        else:
            super().drawComplexControl(control, option, painter, widget)

    def drawControl(  # noqa: N802
        self, element: QStyle.ControlElement, option: QStyleOption, painter: QPainter, widget: QWidget | None = None
    ) -> None:
        """Elide the text of a combo box where it does not fit; the rest is Fusion's."""
        if element is QStyle.ControlElement.CE_ComboBoxLabel and isinstance(option, QStyleOptionComboBox):
            field = QStyle.SubControl.SC_ComboBoxEditField
            area = self.subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, cast("QWidget", widget))
            room = area.width() - _AROUND_TEXT - (0 if option.currentIcon.isNull() else option.iconSize.width() + 4)
            words = option.fontMetrics.elidedText(option.currentText, Qt.TextElideMode.ElideRight, room)
            option.currentText = words
        super().drawControl(element, option, painter, widget)

    def _focus(self, option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
        # The flag is set once a key moved the focus, so a click leaves no ring behind.
        if option.state & QStyle.StateFlag.State_KeyboardFocusChange:
            draw_focus(painter, QRectF(_ringed(option, widget)), self._tokens())
            if isinstance(widget, QPushButton) and widget.property("role") == "main":
                # The ring is as blue as the button, in the light theme exactly so.
                _draw_gap(painter, QRectF(widget.rect()), self._tokens())

    def _choices(self, option: QStyleOptionComboBox, painter: QPainter) -> None:
        # A style sheet cannot draw the arrow in a token's colour, so the whole box is drawn here.
        tokens, states = self._tokens(), QStyle.StateFlag
        focused = option.state & states.State_HasFocus and option.state & states.State_KeyboardFocusChange
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not option.state & states.State_Enabled:
            painter.setOpacity(_DISABLED)
        painter.setPen(QPen(QColor(tokens.line3), 1))
        painter.setBrush(QColor(tokens.hover if option.state & states.State_MouseOver else tokens.well))
        painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), 3.5, 3.5)
        side = option.rect.height()
        arrow = QRectF(option.rect.right() - side + 4, option.rect.top(), side - 4, side)
        draw_caret(painter, arrow, "down", tokens)
        painter.restore()
        if focused:
            draw_focus(painter, QRectF(option.rect), tokens)

    def _slider(self, option: QStyleOptionSlider, painter: QPainter, widget: QWidget | None) -> None:
        handle = QStyle.SubControl.SC_SliderHandle
        # The stubs ask for a widget, though Qt takes none.
        at = self.subControlRect(QStyle.ComplexControl.CC_Slider, option, handle, cast("QWidget", widget))
        area, (thin, long), tokens = option.rect, _HANDLE, self._tokens()
        upright = option.orientation is Qt.Orientation.Vertical
        middle = area.center().x() if upright else area.center().y()
        track = QRect(middle, area.top(), 2, area.height()) if upright else QRect(area.left(), middle, area.width(), 2)
        knob = QRectF(0, 0, long, thin) if upright else QRectF(0, 0, thin, long)
        knob.moveCenter(QPointF(middle + 1, at.center().y() + 0.5) if upright else QPointF(at.center().x(), middle + 1))
        painter.save()
        if not option.state & QStyle.StateFlag.State_Enabled:
            painter.setOpacity(_DISABLED)
        painter.fillRect(track, QColor(tokens.line3))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tokens.t1))
        painter.drawRoundedRect(knob, 1, 1)
        painter.restore()
        if option.state & QStyle.StateFlag.State_HasFocus:
            self._focus(option, painter, widget)


def _ringed(option: QStyleOption, widget: QWidget | None) -> QRect:
    """What the ring goes round: Qt would take the words of a control, and leave its icon or box outside."""
    if isinstance(widget, QAbstractButton):
        return widget.rect()
    if isinstance(widget, QTabBar):
        return widget.tabRect(widget.currentIndex())
    if isinstance(widget, QListView | QTableView):
        return widget.visualRect(widget.currentIndex())
    return option.rect


def _draw_gap(painter: QPainter, rect: QRectF, tokens: Tokens) -> None:
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(tokens.on_you), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect.adjusted(2.5, 2.5, -2.5, -2.5), 2.5, 2.5)
    painter.restore()


def draw_focus(painter: QPainter, rect: QRectF, tokens: Tokens, radius: float = 4) -> None:
    """Paint the focus ring: two pixels of the token `you` inside `rect`, with corners of `radius` pixels."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(tokens.you), 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), radius, radius)
    painter.restore()


def draw_caret(painter: QPainter, rect: QRectF, direction: Direction, tokens: Tokens) -> None:
    """Paint a small caret in the middle of `rect`, pointing in `direction`: that of a group is down when it is open,
    right when it is closed."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(tokens.t2), 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawPolyline([rect.center() + QPointF(x, y) for x, y in _CARETS[direction]])
    painter.restore()


def _checked(option: QStyleOption) -> Qt.CheckState:
    states = QStyle.StateFlag
    if option.state & states.State_NoChange:
        return Qt.CheckState.PartiallyChecked
    on = bool(option.state & states.State_On)
    return Qt.CheckState.Checked if on else Qt.CheckState.Unchecked


def draw_check(painter: QPainter, rect: QRectF, state: Qt.CheckState, tokens: Tokens) -> None:
    """Paint a check box of 14 pixels in the middle of `rect`."""
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
