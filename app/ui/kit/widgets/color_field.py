"""A colour: one of the tracks' own by its name, or another one as #RRGGBB."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.i18n import tr
from app.ui.kit.style import draw_focus
from app.ui.kit.tokens import Tokens
from app.ui.kit.widgets.labels import plain_tip
from app.viewmodels.texts.color_words import named_colors

_SIDE = 24
_GAP = 2
_OWN = 132
_SQUARE = 14


class ColorField(QWidget):
    """Buttons of named colours and a field for #RRGGBB with placeholder `hint`. Signal `picked` carries what the person
    has chosen or typed, as text; empty for none."""

    picked = Signal(str)

    def __init__(self, tokens: Callable[[], Tokens], name: str, color: str, hint: str = "") -> None:
        super().__init__()
        self._group = QButtonGroup(self)
        row = QHBoxLayout()
        row.setSpacing(_GAP)
        for known, words in named_colors():
            swatch = _Swatch(tokens, known, words)
            self._group.addButton(swatch)
            row.addWidget(swatch)
        row.addStretch()
        self.own = QLineEdit(color)
        self.own.setPlaceholderText(hint or "#RRGGBB")
        self.own.setFixedWidth(_OWN)
        self.own.setAccessibleName(tr("{name} as #RRGGBB", name=name))
        self._shown = self.own.addAction(QIcon(), QLineEdit.ActionPosition.LeadingPosition)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * _GAP)
        column.addLayout(row)
        column.addWidget(self.own)
        self._follow(color)
        self._group.buttonToggled.connect(self._choose)
        self.own.textEdited.connect(self._write)

    @property
    def swatches(self) -> tuple[QAbstractButton, ...]:
        """The buttons of the named colours, in order."""
        return tuple(self._group.buttons())

    def _choose(self, swatch: QAbstractButton, on: bool) -> None:
        if on and isinstance(swatch, _Swatch) and self.own.text().upper() != swatch.color:
            self.own.setText(swatch.color)
            self.picked.emit(swatch.color)

    def _write(self, text: str) -> None:
        self._follow(text)
        self.picked.emit(text)

    def _follow(self, color: str) -> None:
        """The swatch of this colour is the chosen one; none for another."""
        self._group.setExclusive(False)
        for swatch in self._group.buttons():
            swatch.setChecked(isinstance(swatch, _Swatch) and swatch.color == color.strip().upper())
        self._group.setExclusive(True)
        square = QPixmap(_SQUARE, _SQUARE)
        # What is no colour yet leaves the square empty.
        square.fill(QColor(color.strip()) if QColor.isValidColorName(color.strip()) else Qt.GlobalColor.transparent)
        self._shown.setIcon(QIcon(square))


class _Swatch(QAbstractButton):
    """A named colour; a ring and a tick mark the chosen one."""

    def __init__(self, tokens: Callable[[], Tokens], color: str, name: str) -> None:
        super().__init__()
        self.color = color
        self._tokens = tokens
        self.setCheckable(True)
        self.setFixedSize(_SIDE, _SIDE)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        self.setToolTip(plain_tip(name))

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(_SIDE, _SIDE)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter, tokens = QPainter(self), self._tokens()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(tokens.t1 if self.isChecked() or self.underMouse() else tokens.line2), 1))
        painter.setBrush(QColor(self.color))
        inside = QRectF(self.rect()).adjusted(4.5, 4.5, -4.5, -4.5)
        painter.drawRoundedRect(inside, 2, 2)
        if self.isChecked():
            painter.setPen(QPen(QColor(tokens.on_track), 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            middle = inside.center()
            painter.drawPolyline([middle + QPointF(x, y) for x, y in ((-3.6, 0.2), (-1, 2.8), (3.6, -2.8))])
        if self.hasFocus():
            draw_focus(painter, QRectF(self.rect()), tokens)
        painter.end()
