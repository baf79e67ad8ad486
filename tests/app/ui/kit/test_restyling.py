"""Another theme is put on piece by piece, and is whole at the end."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from patience import PATIENCE
from PySide6.QtWidgets import QApplication, QPushButton

from app.ui.kit.theme import Theme
from app.ui.kit.tokens import DARK, LIGHT
from tests.support.qt_fixtures import Loop


@pytest.fixture
def shown(theme: Theme, qloop: Loop) -> Iterator[QPushButton]:
    """A button that can be seen."""
    button = QPushButton("Play")
    button.show()
    yield button
    button.close()
    button.deleteLater()


async def _dressed(theme: Theme) -> None:
    told = asyncio.Event()
    theme.changed.connect(told.set)
    async with asyncio.timeout(PATIENCE):
        await told.wait()
    theme.changed.disconnect(told.set)
    await asyncio.sleep(0.05)


def test_another_theme_leaves_the_loop_in_between(
    theme: Theme, qloop: Loop, qapp: QApplication, shown: QPushButton
) -> None:
    async def story() -> None:
        theme.turn("light")
        assert theme.tokens is LIGHT
        assert LIGHT.canvas not in qapp.styleSheet(), "all in one go"
        await _dressed(theme)
        assert LIGHT.canvas in qapp.styleSheet()
        assert shown.updatesEnabled()
        assert shown.palette().buttonText().color().name().upper() == LIGHT.t1

    qloop.run(story())


def test_a_theme_chosen_while_another_is_put_on_is_the_one_that_stays(
    theme: Theme, qloop: Loop, qapp: QApplication, shown: QPushButton
) -> None:
    async def story() -> None:
        theme.turn("light")
        await asyncio.sleep(0)
        theme.turn("dark")
        await _dressed(theme)
        assert DARK.canvas in qapp.styleSheet()
        assert shown.updatesEnabled()

    qloop.run(story())


def test_a_window_that_closes_meanwhile_is_no_fault(theme: Theme, qloop: Loop, qapp: QApplication) -> None:
    async def story() -> None:
        passing = QPushButton("Stop")
        passing.show()
        theme.turn("light")
        await asyncio.sleep(0.004)
        passing.close()
        passing.deleteLater()
        await _dressed(theme)
        assert LIGHT.canvas in qapp.styleSheet()

    qloop.run(story())
