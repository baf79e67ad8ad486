"""Whatever tells of a key tells of the one that the person has chosen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QPushButton

from app.ui.kit.shortcuts import key_of, keyed_tip, shortcuts


@pytest.fixture(autouse=True)
def keys_as_before(qapp: QApplication) -> Iterator[None]:
    """Other tests have the keys that they had."""
    before = dict(shortcuts()._keys)
    yield
    shortcuts().take(before)


def test_a_tooltip_follows_the_key_and_loses_it_when_there_is_none(qapp: QApplication) -> None:
    shortcuts().take({"plan.retry": "Ctrl+R"})
    button = QPushButton()
    keyed_tip(button, "plan.retry", "Run it again")
    assert button.toolTip() == "Run it again (Ctrl+R)"
    shortcuts().take({"plan.retry": "F9"})
    assert button.toolTip() == "Run it again (F9)"
    shortcuts().take({})
    assert button.toolTip() == "Run it again"
    assert key_of("plan.retry") == ""
    button.deleteLater()


def test_a_tooltip_has_one_text_and_its_marks_are_text(qapp: QApplication) -> None:
    shortcuts().take({"plan.retry": "Ctrl+R", "plan.stop": "Ctrl+."})
    button = QPushButton()
    keyed_tip(button, "plan.retry", "Retry")
    keyed_tip(button, "plan.stop", "Stop <b>")
    shortcuts().take({"plan.retry": "F1", "plan.stop": "F2"})
    assert button.toolTip() == "<qt>Stop &lt;b&gt; (F2)</qt>"
    button.deleteLater()


def test_a_button_that_is_gone_is_told_nothing(qapp: QApplication) -> None:
    from shiboken6 import delete

    button = QPushButton()
    keyed_tip(button, "plan.retry", "Retry")
    delete(button)
    shortcuts().take({"plan.retry": "F3"})
