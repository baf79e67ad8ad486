"""What a window shows stays while it is held, and follows again when it is released."""

from __future__ import annotations

from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from app.ui.kit.smoothness import update_freeze


class Painted(QWidget):
    """Counts how often it was painted."""

    times = 0

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Nothing is to be seen."""
        self.times += 1


def test_what_was_to_be_painted_when_a_window_was_held_is_painted_after_it(qtbot: QtBot) -> None:
    window, inside = QMainWindow(), Painted()
    qtbot.addWidget(window)
    window.setCentralWidget(inside)
    window.show()
    qtbot.waitUntil(lambda: inside.times > 0)
    inside.update()
    update_freeze.freeze_updates(window)
    held = inside.times
    qtbot.wait(50)
    assert inside.times == held
    update_freeze.thaw_updates(window)
    qtbot.waitUntil(lambda: inside.times == held + 1)
    inside.update()
    qtbot.waitUntil(lambda: inside.times == held + 2)
