"""When nobody does anything in the window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit

from app.window.idleness import PATIENCE, Idleness


class Stage:
    """A window with a field, a clock that is turned by hand, and something that may go on."""

    def __init__(self) -> None:
        self.now, self.busy = 100.0, False
        self.window = QLineEdit()
        self.window.show()
        self.idleness = Idleness(self.window, lambda: self.busy, lambda: self.now)


@pytest.fixture
def stage(qapp: QApplication) -> Iterator[Stage]:
    made = Stage()
    yield made
    made.window.close()
    made.window.deleteLater()


def test_a_window_is_idle_some_seconds_after_the_last_key(stage: Stage) -> None:
    assert not stage.idleness.idle(), "it was opened just now"
    stage.now += PATIENCE + 1
    assert stage.idleness.idle()
    handle = stage.window.windowHandle()
    assert handle is not None
    QTest.keyClick(handle, Qt.Key.Key_A)
    assert stage.window.text() == "a", "nothing is taken away from who it is for"
    assert not stage.idleness.idle()
    stage.now += PATIENCE + 1
    assert stage.idleness.idle()


def test_a_pointer_that_moves_is_somebody(stage: Stage) -> None:
    stage.now += PATIENCE + 1
    handle = stage.window.windowHandle()
    assert handle is not None
    QTest.mouseMove(handle, stage.window.rect().center())
    QApplication.processEvents()
    assert not stage.idleness.idle()


def test_nothing_is_idle_while_something_goes_on(stage: Stage) -> None:
    stage.now += PATIENCE + 1
    stage.busy = True
    assert not stage.idleness.idle()
    stage.busy = False
    assert not stage.idleness.idle(), "it has ended just now"
    stage.now += PATIENCE + 1
    assert stage.idleness.idle()


def test_who_reads_a_dialog_is_somebody(stage: Stage) -> None:
    stage.now += PATIENCE + 1
    dialog = QDialog(stage.window)
    dialog.open()
    assert not stage.idleness.idle()
    dialog.close()
    stage.now += PATIENCE + 1
    assert stage.idleness.idle()
    dialog.deleteLater()
