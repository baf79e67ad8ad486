"""Painted parts as assistive programs find them, and that they go with their widget."""

from __future__ import annotations

import gc

from PySide6.QtCore import QRect
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from app.ui.kit.accessibility.accessible_parts import AccessibleParts
from app.ui.kit.accessibility.part import AccessiblePart, ValueScale

Text = QAccessible.Text


class Painted(QWidget):
    """Paints as many dials as `count`; what was set is in `set_to`."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count = count
        self.set_to: list[float] = []
        self.resize(100, 100)
        self.accessibility = AccessibleParts(self, self.parts)

    def parts(self) -> tuple[AccessiblePart, ...]:
        return tuple(
            AccessiblePart(f"dial {at}", "slider", f"Dial {at}", QRect(0, 50 * at, 20, 20), f"{at} %",
                           scale=ValueScale(at, 0, 10, 1, self.set_to.append))
            for at in range(self.count)
        )


def names(widget: QWidget) -> list[str]:
    interface = QAccessible.queryAccessibleInterface(widget)
    return [interface.child(at).text(Text.Name) for at in range(interface.childCount())]


def test_parts_stand_behind_the_widgets_that_lie_in_it(qapp: QApplication) -> None:
    del qapp
    widget = Painted(3)
    widget.show()
    line = QLineEdit(widget)
    line.setAccessibleName("Line")
    assert names(widget) == ["Line", "Dial 0", "Dial 1", "Dial 2"]
    interface = QAccessible.queryAccessibleInterface(widget)
    found = [interface.child(at) for at in range(interface.childCount())]
    assert [interface.indexOfChild(one) for one in found] == [0, 1, 2, 3]
    assert [bool(one.state().offscreen) for one in found[1:]] == [False, False, True]
    found[2].valueInterface().setCurrentValue(99)
    assert widget.set_to == [10]
    widget.close()


def test_a_part_stays_the_same_thing_while_others_come_and_go(qapp: QApplication) -> None:
    del qapp
    widget = Painted(1)
    interface = QAccessible.queryAccessibleInterface(widget)
    kept: QAccessibleInterface = interface.child(0)
    widget.count = 2
    assert names(widget) == ["Dial 0"], "nothing was said to have changed"
    widget.accessibility.outdated()
    assert names(widget) == ["Dial 0", "Dial 1"]
    assert interface.child(0) is kept
    widget.count = 1
    widget.accessibility.outdated()
    assert names(widget) == ["Dial 0"]


def test_parts_go_with_their_widget_however_it_goes(qapp: QApplication) -> None:
    for way in range(30):
        widget = Painted(4)
        assert len(names(widget)) == 4
        if way % 2:
            widget.deleteLater()
            qapp.processEvents()
        del widget
        gc.collect()
    later = Painted(2)
    assert names(later) == ["Dial 0", "Dial 1"]
