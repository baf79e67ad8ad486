"""The theme follows the system until the person chooses, and dresses what is there already."""

from __future__ import annotations

from typing import get_args

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QIcon, QImage, QPalette
from PySide6.QtWidgets import QApplication, QCheckBox, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from agent.song.palette import Family
from app.ui.kit.icons import INSTRUMENT_ICONS, SONG_ICON, icon, paint_icon, pixmap
from app.ui.kit.painted import HATCH_SIZE, hatch_brush
from app.ui.kit.theme import Theme, font
from app.ui.kit.tokens import DARK, LIGHT

NAMES = [
    "play-fill", "stop-fill", "pause-fill", "repeat", "skip-back", "arrows-left-right", "ear", "swap",
    "paper-plane-right-fill", "git-diff", "clock-counter-clockwise", "git-branch", "arrow-clockwise",
    "pencil-simple", "pencil-simple-fill", "skip-forward", "arrow-counter-clockwise", "circle-dashed",
    "check-circle-fill", "x-circle-fill", "warning-fill", "minus-circle", "hourglass", "gauge", "speaker-slash",
    "speaker-simple-high", "plus-circle", "sliders", "chart-line", "eraser", "wifi-slash", "key",
    "plugs-connected", "list-checks", "piano-keys", "faders", "list-bullets", "link-break", "prohibit", "user",
    "x", "check", "check-bold", "metronome", "music-notes-plus", "baton", "ring",
]


def inked(image: QImage) -> set[str]:
    """The colours of the pixels that are fully covered."""
    pixels = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    return {pixel.name().upper() for pixel in pixels if pixel.alpha() == 255}


def test_choosing_swaps_tokens_palette_and_sheet_before_it_tells(theme: Theme, qapp: QApplication) -> None:
    seen: list[str] = []
    theme.changed.connect(lambda: seen.append(qapp.palette().color(QPalette.ColorRole.Window).name().upper()))
    theme.choose("light")
    assert theme.tokens is LIGHT
    assert seen == [LIGHT.panel]
    assert LIGHT.bar in qapp.styleSheet()
    theme.choose("dark")
    assert seen == [LIGHT.panel, DARK.panel]
    assert theme.color("agent") == QColor(DARK.agent)


def test_the_system_is_followed_only_when_asked(theme: Theme, qapp: QApplication) -> None:
    hints = qapp.styleHints()
    theme.choose("system")
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert theme.tokens is (LIGHT if hints.colorScheme() is Qt.ColorScheme.Light else DARK)
    theme.choose("light")
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert theme.tokens is LIGHT


def test_a_name_that_is_no_token_is_an_error(theme: Theme) -> None:
    with pytest.raises(AttributeError):
        theme.color("mauve")


@pytest.mark.parametrize("size", [9.5, 11, 12, 15])
def test_digits_are_equally_wide(theme: Theme, size: float) -> None:
    metrics = QFontMetricsF(font(size, 600))
    widths = [metrics.horizontalAdvance(digit * 20) for digit in "0123456789"]
    # Hinting moves a digit by a sixty-fourth of a pixel.
    assert max(widths) - min(widths) < 20 / 32
    assert QFont(font(size, 600)).weight() == 600


@pytest.mark.parametrize("name", sorted({*NAMES, SONG_ICON, *INSTRUMENT_ICONS.values()}))
def test_every_icon_draws_something_inside_its_square(theme: Theme, name: str) -> None:
    image = pixmap(name, "#FF0000", 32, 2.0).toImage()
    assert (image.width(), image.devicePixelRatio()) == (64, 2.0)
    assert "#FF0000" in inked(image)
    edge = {image.pixelColor(x, y).alpha() for x in range(64) for y in (0, 63)}
    assert edge == {0}


def test_an_icon_that_nobody_drew_is_an_error(theme: Theme) -> None:
    with pytest.raises(KeyError):
        icon("no-such-icon")


def test_every_family_has_an_icon() -> None:
    assert set(INSTRUMENT_ICONS) == set(get_args(Family))


def test_an_icon_takes_the_colours_of_another_theme(theme: Theme) -> None:
    made = icon("play-fill")
    theme.choose("light")
    assert LIGHT.t2 in inked(made.pixmap(32, 32).toImage())
    theme.choose("dark")
    assert DARK.t2 in inked(made.pixmap(32, 32).toImage())
    assert DARK.t1 in inked(made.pixmap(32, 32, QIcon.Mode.Active).toImage())
    assert DARK.you in inked(made.pixmap(32, 32, QIcon.Mode.Normal, QIcon.State.On).toImage())


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_a_hatch_is_a_diagonal_that_goes_on_into_the_next_tile(qapp: QApplication, ratio: float) -> None:
    brush = hatch_brush("#FFFFFF", "#000000", ratio)
    tile = brush.texture().toImage()
    side = tile.width()
    assert side * brush.transform().m11() == pytest.approx(HATCH_SIZE)
    for row in range(side):
        assert sum(tile.pixelColor(x, row).name() == "#ffffff" for x in range(side)) == max(1, round(ratio))
        assert tile.pixelColor((side - 1 - row) % side, row).name() == "#ffffff"


def test_the_ring_is_for_the_keyboard_only(theme: Theme, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    first, second = QPushButton("First"), QPushButton("Second")
    column.addWidget(first)
    column.addWidget(second)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    qtbot.mouseClick(first, Qt.MouseButton.LeftButton)
    assert first.hasFocus()
    assert DARK.you not in inked(first.grab().toImage())
    qtbot.keyClick(window, Qt.Key.Key_Tab)
    assert second.hasFocus()
    assert DARK.you in inked(second.grab().toImage())


def test_a_check_box_shows_its_three_states(theme: Theme, qtbot: QtBot) -> None:
    box = QCheckBox("Approve")
    qtbot.addWidget(box)
    box.setTristate(True)
    pictures = []
    for state in (Qt.CheckState.Unchecked, Qt.CheckState.PartiallyChecked, Qt.CheckState.Checked):
        box.setCheckState(state)
        pictures.append(box.grab(box.rect().intersected(box.rect().translated(QPoint(20 - box.width(), 0)))).toImage())
    assert DARK.you_fill not in inked(pictures[0])
    assert DARK.you_fill in inked(pictures[1])
    assert pictures[1] != pictures[2]


def test_painting_an_icon_leaves_the_painter_as_it_was(theme: Theme, qapp: QApplication) -> None:
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QPainter, QPixmap

    canvas = QPixmap(20, 20)
    with QPainter(canvas) as painter:
        before = painter.transform()
        paint_icon(painter, QRectF(2, 2, 16, 16), "baton", QColor("#FF0000"))
        assert painter.transform() == before
