"""Painted parts as assistive programs find them, and that they go with their widget."""

from __future__ import annotations

import gc

from PySide6.QtCore import QRect
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from app.ui.kit.spoken.part import Part, Scale
from app.ui.kit.spoken.spoken import Spoken

Text = QAccessible.Text


class Painted(QWidget):
    """Paints as many dials as `count`; what was set is in `set_to`."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count = count
        self.set_to: list[float] = []
        self.resize(100, 100)
        self.spoken = Spoken(self, self.parts)

    def parts(self) -> tuple[Part, ...]:
        return tuple(
            Part(f"dial {at}", "slider", f"Dial {at}", QRect(0, 50 * at, 20, 20), f"{at} %",
                 scale=Scale(at, 0, 10, 1, self.set_to.append))
            for at in range(self.count)
        )


def names(widget: QWidget) -> list[str]:
    face = QAccessible.queryAccessibleInterface(widget)
    return [face.child(at).text(Text.Name) for at in range(face.childCount())]


def test_parts_stand_behind_the_widgets_that_lie_in_it(qapp: QApplication) -> None:
    del qapp
    widget = Painted(3)
    widget.show()
    line = QLineEdit(widget)
    line.setAccessibleName("Line")
    assert names(widget) == ["Line", "Dial 0", "Dial 1", "Dial 2"]
    face = QAccessible.queryAccessibleInterface(widget)
    found = [face.child(at) for at in range(face.childCount())]
    assert [face.indexOfChild(one) for one in found] == [0, 1, 2, 3]
    assert [bool(one.state().offscreen) for one in found[1:]] == [False, False, True]
    found[2].valueInterface().setCurrentValue(99)
    assert widget.set_to == [10]
    widget.close()


def test_a_part_stays_the_same_thing_while_others_come_and_go(qapp: QApplication) -> None:
    del qapp
    widget = Painted(1)
    face = QAccessible.queryAccessibleInterface(widget)
    kept: QAccessibleInterface = face.child(0)
    widget.count = 2
    assert names(widget) == ["Dial 0"], "nothing was said to have changed"
    widget.spoken.outdated()
    assert names(widget) == ["Dial 0", "Dial 1"]
    assert face.child(0) is kept
    widget.count = 1
    widget.spoken.outdated()
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
