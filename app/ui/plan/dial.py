"""The dial of how far a plan goes."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QSlider, QWidget

from app.desktop.review.scaling import WHOLE
from app.ui.plan.look import Look
from app.ui.plan.tips import plain_tip
from app.ui.plan.widgets import Words
from app.words import tr

_WIDTH = 96
_REST = 350
"""Milliseconds without a key after which the plan is judged at the new place."""
_STEP, _PAGE = 5, 25


class Dial(QWidget):
    """A slider from 0 to 100 %; `turned` tells where it was let go."""

    turned = Signal(int)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._words = Words(look, tr("How far"), "t3")
        self._value = Words(look, "", "t2")
        self._value.setFixedWidth(self._value.fontMetrics().horizontalAdvance("100 % "))
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, WHOLE)
        self.slider.setSingleStep(_STEP)
        self.slider.setPageStep(_PAGE)
        self.slider.setFixedWidth(_WIDTH)
        self.slider.setMinimumHeight(20)
        self.slider.setAccessibleName(tr("How far the plan goes"))
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST)
        self._rest.timeout.connect(self._tell)
        self._told = WHOLE
        self.slider.valueChanged.connect(self._changed)
        self.slider.sliderReleased.connect(self._tell)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(6)
        for one in (self._words, self.slider, self._value):
            line.addWidget(one)
        self.show_dial(WHOLE, "", possible=False)

    def show_dial(self, percent: int, words: str, *, possible: bool) -> None:
        """Show where it stands, unless a person is turning it."""
        self.slider.setEnabled(possible)
        self.setToolTip(plain_tip([words]) if words else "")
        self.slider.setAccessibleDescription(words)
        if not self.slider.isSliderDown() and not self._rest.isActive():
            self._told = percent
            self.slider.setValue(percent)
            self._show(self.slider.value())

    def shorten(self, less: bool) -> None:
        """Leave the words out; the tooltip has them."""
        self._words.setVisible(not less)

    def allow(self, *, on: bool) -> None:
        """Only a plan under review has it."""
        self.setVisible(on)

    def stop(self) -> None:
        """Tell of nothing more."""
        self._rest.stop()

    def _changed(self, value: int) -> None:
        self._show(value)
        if not self.slider.isSliderDown() and value != self._told:
            self._rest.start()

    def _show(self, value: int) -> None:
        self._value.setText(tr("{percent} %", percent=value))

    def _tell(self) -> None:
        self._rest.stop()
        if self.slider.value() != self._told:
            self._told = self.slider.value()
            self.turned.emit(self._told)
