"""What a screen reader is told of a tooltip."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QPushButton

from app.ui.kit.widgets.labels import plain_tip
from app.ui.plan.columns import lines_tip
from app.ui.shell.plain_tips import PlainTips


@pytest.fixture
def tips_told(qapp: QApplication) -> Iterator[PlainTips]:
    """As when a screen reader has listened from the start."""
    QAccessible.setActive(True)
    told = PlainTips(qapp)
    yield told
    told.close()
    QAccessible.setActive(False)


@pytest.fixture
def button(qapp: QApplication) -> Iterator[QPushButton]:
    made = QPushButton("Play")
    yield made
    made.deleteLater()


def heard(button: QPushButton) -> str:
    interface = QAccessible.queryAccessibleInterface(button)
    assert interface is not None
    return interface.text(QAccessible.Text.Description)


@pytest.mark.usefixtures("tips_told")
def test_its_words_are_said_without_marks(button: QPushButton) -> None:
    button.setToolTip(lines_tip(["Needs step 5", "Drums & <b>Bass</b>"]))
    assert heard(button) == "Needs step 5\nDrums & <b>Bass</b>"
    button.setToolTip(plain_tip("<img src=file:///etc/passwd> & more"))
    assert heard(button) == "<img src=file:///etc/passwd> & more"
    button.setToolTip("Play (Space)")
    assert heard(button) == "Play (Space)"


@pytest.mark.usefixtures("tips_told")
def test_what_describes_it_better_stays(button: QPushButton) -> None:
    button.setAccessibleDescription("Plays from the playhead on")
    button.setToolTip("<p>Play</p>")
    assert heard(button) == "Plays from the playhead on"


def test_who_begins_to_listen_hears_the_tooltips_that_are_there(qapp: QApplication, button: QPushButton) -> None:
    told = PlainTips(qapp)
    try:
        button.setToolTip(plain_tip("Drums & Bass"))
        assert heard(button) != "Drums & Bass"
        QAccessible.setActive(True)
        button.show()
        button.setFocus()
        qapp.focusChanged.emit(None, button)
        assert heard(button) == "Drums & Bass"
    finally:
        QAccessible.setActive(False)
        button.close()
        told.close()
