"""The lines of the plan where there is little room: nothing is cut, and all comes back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from agent.plan.plan import Step
from app.i18n import speaking
from app.languages import pseudo

if TYPE_CHECKING:
    Reviewed = Any

ROWS = (
    Step("s1", "set_tempo", {"bpm": 84.0}, group="Frame"),
    Step("s2", "create_track", {"name": "Pad", "instrument": "pad_warm"}, group="Harmony"),
)


def cut(line: QWidget) -> list[str]:
    """Buttons of a line that show less than they would, or lie beyond its end."""
    QApplication.sendPostedEvents()
    seen = [one for one in line.findChildren(QPushButton) if one.isVisible()]
    return [
        one.accessibleName() for one in seen
        if one.width() < one.minimumSizeHint().width() or one.mapTo(line, one.rect().bottomRight()).x() >= line.width()
    ]


@pytest.mark.parametrize("width", [1264, 980, 700, 560])
def test_no_button_is_cut_in_a_language_of_long_words(told: Callable[..., None], width: int) -> None:
    async def story(one: Reviewed) -> None:
        await one.propose(ROWS)
        one.panel.resize(width, 503)
        lines = (one.panel.footer.proposed, one.panel.top)
        assert [cut(line) for line in lines] == [[], []]
        assert one.panel.footer.proposed.run_button.isVisible()
        assert "2" in one.panel.footer.proposed.run_button.text()
        await one.run()
        assert [cut(line) for line in (one.panel.footer.ran, one.panel.top)] == [[], []]

    with speaking(pseudo()):
        told(story)


def test_words_come_back_with_the_room(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        await one.propose(ROWS)
        footer = one.panel.footer.proposed
        one.panel.resize(1264, 503)
        whole = footer.hear_button.text()
        one.panel.resize(480, 503)
        assert (footer.hear_button.text(), footer.run_button.isVisible()) == ("", True)
        assert footer.hear_button.accessibleName() == whole
        one.panel.resize(1264, 503)
        assert footer.hear_button.text() == whole == "Hear the plan"

    told(story)
