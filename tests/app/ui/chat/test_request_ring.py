"""The ring around the request box says where the keyboard is."""

from __future__ import annotations

from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from app.ui.chat.request_box import RequestBox
from app.ui.kit.context import Kit


def test_the_ring_goes_with_the_keyboard(qtbot, kit: Kit) -> None:  # type: ignore[no-untyped-def]
    room = QWidget()
    qtbot.addWidget(room)
    column, box, other = QVBoxLayout(room), RequestBox(kit, tuple), QLineEdit()
    column.addWidget(box)
    column.addWidget(other)
    with qtbot.waitExposed(room):
        room.show()
    drawn: list[bool] = []
    painted = box.paintEvent

    def watched(event: QPaintEvent) -> None:
        painted(event)
        if event.rect().contains(box.rect()):
            drawn.append(box.text.hasFocus())

    box.paintEvent = watched
    room.activateWindow()
    other.setFocus()
    qtbot.waitUntil(other.hasFocus)
    for widget, ringed in ((box.text, True), (other, False)):
        drawn.clear()
        widget.setFocus()
        qtbot.waitUntil(lambda: bool(drawn))
        assert drawn[-1] is ringed
