"""The Qt binding must not lose references: some releases lose one on None at every call and end in an abort."""

from __future__ import annotations

import sys

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

_CALLS = 5_000
_NOISE = 500


def test_qt_calls_lose_no_reference_on_none(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    before = sys.getrefcount(None)
    for number in range(_CALLS):
        widget.setWindowTitle(str(number))
    assert abs(sys.getrefcount(None) - before) < _NOISE
