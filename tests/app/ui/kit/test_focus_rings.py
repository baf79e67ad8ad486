"""Whoever has the keyboard wears a ring round the whole of it, as long as a key brought it there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QListWidgetItem,
    QSlider,
    QTabBar,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.ui.kit.icons import icon
from app.ui.kit.theme import Theme
from app.ui.kit.widgets.buttons import FlatButton, IconButton, MainButton, PlainButton, ToggleButton
from app.ui.kit.widgets.row_list import RowList


def _combo() -> QComboBox:
    made = QComboBox()
    made.addItems(["One", "Two"])
    return made


def _tabs() -> QTabBar:
    made = QTabBar()
    made.addTab("Plan")
    made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return made


def _rows() -> RowList:
    made = RowList("Pages")
    made.addItem(QListWidgetItem(icon("gear"), "With an icon"))
    made.setCurrentRow(0)
    return made


@pytest.mark.parametrize("make", [
    lambda: MainButton("Main"), lambda: PlainButton("Plain"), lambda: FlatButton("Flat"), lambda: ToggleButton("On"),
    lambda: IconButton("gear", "Settings"), lambda: QCheckBox("Box"), _combo, lambda: QLineEdit("text"),
    lambda: QSlider(Qt.Orientation.Horizontal), _tabs, _rows,
])
def test_the_ring_goes_all_the_way_round(theme: Theme, qtbot: QtBot, make: Callable[[], QWidget]) -> None:
    theme.choose("light")
    window, widget, other = QWidget(), make(), PlainButton("Other")
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    column.addWidget(widget)
    column.addWidget(other)
    window.resize(300, 200)
    window.show()
    window.activateWindow()
    QApplication.processEvents()
    for one, rings in ((other, False), (widget, True)):
        one.setFocus(Qt.FocusReason.TabFocusReason)
        window.setAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)
        assert _ringed(widget, theme) is rings


def _ringed(widget: QWidget, theme: Theme) -> bool:
    """Whether all four sides are in the ring's colour, for a list those of its row, for tabs those of the first."""
    image, area = widget.grab().toImage(), widget.rect()
    if isinstance(widget, RowList):
        area = widget.visualItemRect(widget.item(0))
    elif isinstance(widget, QTabBar):
        area = widget.tabRect(0)
    middle = area.center()
    sides = (QPoint(area.left(), middle.y()), QPoint(area.right(), middle.y()), QPoint(middle.x(), area.top()),
             QPoint(middle.x(), area.bottom()))
    # The main button is as blue as its ring, so that a gap of another colour tells of it.
    gaps = [(QPoint(middle.x(), 2), theme.color("on_you"))] if isinstance(widget, MainButton) else []
    return all(_is(image, place, color) for place, color in (*((one, theme.color("you")) for one in sides), *gaps))


def _is(image: QImage, place: QPoint, wanted: QColor) -> bool:
    seen = image.pixelColor(place)
    return max(abs(seen.red() - wanted.red()), abs(seen.green() - wanted.green()),
               abs(seen.blue() - wanted.blue())) < 40
