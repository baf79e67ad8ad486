"""Colours are picked by name and by keyboard, and written where none of the names fits."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from agent.song.colors import COLORS
from app.ui.kit.theme import Theme
from app.ui.kit.widgets.color_field import ColorField
from app.viewmodels.texts.color_words import color_in_words, named_colors


def test_a_colour_is_picked_by_its_name_and_by_keyboard(theme: Theme) -> None:
    field = ColorField(lambda: theme.tokens, "Colour", COLORS[0].lower())
    told: list[str] = []
    field.picked.connect(told.append)
    field.show()
    swatches = field.swatches
    assert [one.accessibleName() for one in swatches] == [name for _, name in named_colors()]
    assert [one.isChecked() for one in swatches] == [True] + [False] * (len(COLORS) - 1)
    swatches[0].setFocus()
    QTest.keyClick(swatches[0], Qt.Key.Key_Right)
    QTest.keyClick(swatches[1], Qt.Key.Key_Space)
    assert told == [COLORS[1]]
    assert field.own.text() == COLORS[1]
    QTest.mouseClick(swatches[4], Qt.MouseButton.LeftButton)
    assert told == [COLORS[1], COLORS[4]]
    field.close()


def test_an_own_colour_is_written_and_chooses_the_name_that_it_has(theme: Theme) -> None:
    field = ColorField(lambda: theme.tokens, "Colour", COLORS[3])
    told: list[str] = []
    field.picked.connect(told.append)
    field.show()
    field.own.selectAll()
    QTest.keyClicks(field.own, "#12ab34")
    assert told[-1] == "#12ab34"
    assert not any(one.isChecked() for one in field.swatches)
    field.own.selectAll()
    QTest.keyClicks(field.own, COLORS[5].lower())
    assert told[-1] == COLORS[5].lower()
    assert field.swatches[5].isChecked()
    field.own.clear()
    QTest.keyClick(field.own, Qt.Key.Key_Backspace)
    field.close()


def test_colours_are_told_by_name_and_others_as_they_are_written() -> None:
    assert {color_in_words(color) for color in COLORS} == {name for _, name in named_colors()}
    assert color_in_words(COLORS[2].lower()) == color_in_words(COLORS[2])
    assert color_in_words("#010203") == "#010203"
