"""Small widgets say what they are, to eyes and to screen readers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QTextDocument
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.ui.kit.context import Kit
from app.ui.kit.widgets.badge import NumberBadge
from app.ui.kit.widgets.buttons import DangerButton, FlatButton, IconButton, MainButton, PlainButton, ToggleButton
from app.ui.kit.widgets.chip import Chip
from app.ui.kit.widgets.dock_title import TITLE_HEIGHT, DockTitle
from app.ui.kit.widgets.empty_state import EmptyState
from app.ui.kit.widgets.key_hint import KeyHint
from app.ui.kit.widgets.labels import ElidedLabel, WrappedLabel
from app.ui.kit.widgets.level_meter import FALL_DB_PER_S, FLOOR_DB, HOLD_S, LevelMeter, MeterReading, share
from app.ui.kit.widgets.notice import NoticeStrip, sentence
from app.ui.kit.widgets.number_cell import NumberCell
from app.viewmodels.texts.troubles import Trouble

LOST = Trouble("timeline", "<b>Pad</b> was not changed", "the run holds the song", "stop the run, then try again")


def words(widget: QWidget) -> str:
    """All text of a widget's labels."""
    return " ".join(label.text() for label in widget.findChildren(QLabel))


@pytest.mark.parametrize("kind", [MainButton, PlainButton, DangerButton, FlatButton, ToggleButton])
def test_a_button_has_a_name_a_tip_with_its_key_and_a_height(kit: Kit, qtbot: QtBot, kind: type[MainButton]) -> None:
    button = kind("Hear the plan", icon="ear", tip="Hear what is proposed", key="H")
    qtbot.addWidget(button)
    assert button.accessibleName() == "Hear the plan"
    assert button.toolTip() == "Hear what is proposed (H)"
    assert button.sizeHint().height() >= 20
    button.say("Approve and run 12")
    assert button.accessibleName() == button.text() == "Approve and run 12"


def test_an_icon_button_is_reached_by_keyboard_and_named(kit: Kit, qtbot: QtBot) -> None:
    button = IconButton("ear", "Hear step 6", key="H")
    qtbot.addWidget(button)
    assert button.focusPolicy() is Qt.FocusPolicy.StrongFocus
    assert (button.accessibleName(), button.toolTip()) == ("Hear step 6", "Hear step 6 (H)")
    assert min(button.width(), button.height()) >= 20


def test_a_badge_is_named_by_its_step_and_grows_with_it(kit: Kit, qtbot: QtBot) -> None:
    badge = NumberBadge(kit, 6)
    qtbot.addWidget(badge)
    narrow = badge.width()
    badge.set_number(126)
    assert badge.accessibleName() == "Step 126"
    assert badge.width() > narrow >= badge.height()


@pytest.mark.parametrize("card", [False, True])
def test_a_notice_tells_all_three_parts_as_plain_text(kit: Kit, qtbot: QtBot, card: bool) -> None:
    done: list[str] = []
    notice = NoticeStrip(LOST, card=card, offers=[("Stop the run", lambda: done.append("stop"))])
    qtbot.addWidget(notice)
    for part in ("<b>Pad</b> was not changed.", "The run holds the song.", "Stop the run, then try again."):
        assert part in words(notice)
        assert part in notice.accessibleName()
    assert all(one.textFormat() is Qt.TextFormat.PlainText for one in notice.findChildren(QLabel) if one.text())
    notice.buttons[0].click()
    assert done == ["stop"]
    assert card or notice.heightForWidth(2_000) <= notice.minimumHeight() < notice.heightForWidth(200)
    with qtbot.waitSignal(notice.dismissed):
        notice.close_button.click()
    assert not notice.isVisible()


def test_a_sentence_is_one() -> None:
    assert sentence("the file ends early") == "The file ends early."
    assert sentence("Really?") == "Really?"
    assert sentence("  ") == ""


def test_a_label_is_cut_to_its_room_and_keeps_the_whole_as_tip(kit: Kit, qtbot: QtBot) -> None:
    label = ElidedLabel("A name that is much longer than the room\nwhich it has")
    qtbot.addWidget(label)
    label.resize(80, 16)
    label.grab()
    assert label.drawn.endswith("…")
    assert label.toolTip() == label.text()
    label.resize(900, 16)
    label.grab()
    assert label.drawn == "A name that is much longer than the room which it has"
    label.setText("Short")
    label.grab()
    assert label.toolTip() == ""


def test_a_tooltip_shows_the_marks_of_a_name_as_they_are(qtbot) -> None:  # type: ignore[no-untyped-def]
    name = "Pad <img src=file:///etc/passwd> & more"
    label, push = ElidedLabel(name), PlainButton("Send", tip=name)
    for widget in (label, push):
        qtbot.addWidget(widget)
        widget.resize(40, 16)
        widget.grab()
        shown = QTextDocument()
        shown.setHtml(widget.toolTip())
        assert shown.toPlainText() == name
        assert "<img" not in widget.toolTip()


def test_an_empty_place_offers_its_one_action(kit: Kit, qtbot: QtBot) -> None:
    done: list[int] = []
    action = QAction("Write a request")
    action.triggered.connect(lambda: done.append(1))
    state = EmptyState("No plan yet", "Write a request in the chat.", action)
    qtbot.addWidget(state)
    assert state.button is not None
    state.button.click()
    assert done == [1]
    assert "No plan yet" in state.accessibleName()


def test_a_chip_is_removed_by_its_owner(kit: Kit, qtbot: QtBot) -> None:
    chip = Chip(kit, "Bars 25–41", icon_name="selection", removable=True)
    qtbot.addWidget(chip)
    assert chip.cross is not None
    assert chip.cross.accessibleName() == "Remove Bars 25–41"
    with qtbot.waitSignal(chip.removed):
        chip.cross.click()


def test_a_dock_title_names_what_it_shows(kit: Kit, qtbot: QtBot) -> None:
    title = DockTitle("Chat", "Night Ferry", (IconButton("dots-three", "More about the chat"),))
    qtbot.addWidget(title)
    title.set_sub("Day Ferry")
    assert title.accessibleName() == "Chat Day Ferry"
    assert title.height() == TITLE_HEIGHT


def test_a_number_keeps_its_width_while_it_counts(kit: Kit, qtbot: QtBot) -> None:
    cell = NumberCell(kit, "Tempo, BPM", "888.88")
    qtbot.addWidget(cell)
    widths = set()
    for value in ("112.00", "9.5", "188.88"):
        cell.show_value(value)
        widths.add(cell.sizeHint().width())
    assert len(widths) == 1
    cell.show_value("112.00", "84")
    assert cell.sizeHint().width() > widths.pop()
    assert cell.accessibleName() == "Tempo, BPM 112.00, proposed 84"


def test_a_key_is_written_as_the_system_writes_it(kit: Kit, qtbot: QtBot) -> None:
    hint = KeyHint(kit, "Ctrl+K")
    qtbot.addWidget(hint)
    assert hint.accessibleName() in {"Ctrl+K", "⌘K"}


def test_a_level_rises_at_once_falls_slowly_and_holds_its_peak() -> None:
    loud = MeterReading().after(-6.0, 0.0, now=10.0)
    assert (loud.level, loud.peak) == (-6.0, -6.0)
    later = loud.after(FLOOR_DB, 0.5, now=10.5)
    assert later.level == pytest.approx(-6 - FALL_DB_PER_S * 0.5)
    assert later.peak == -6.0
    gone = later.after(FLOOR_DB, HOLD_S, now=10.5 + HOLD_S)
    assert gone.peak < -6.0
    assert gone.after(FLOOR_DB, 10, now=30).at_rest


def test_clipping_is_shown_until_it_is_clicked(kit: Kit, qtbot: QtBot) -> None:
    meter = LevelMeter(kit, "Master level", scale=True)
    qtbot.addWidget(meter)
    meter.show_levels((0.5, -20.0))
    qtbot.waitUntil(lambda: meter.readings[0].clipped)
    assert not meter.readings[1].clipped
    qtbot.mouseClick(meter, Qt.MouseButton.LeftButton)
    assert not meter.readings[0].clipped
    meter.clear()


@given(st.floats(allow_nan=True, allow_infinity=True), st.floats(0, 100), st.floats(0, 1e6))
def test_no_level_leaves_the_meter(db: float, passed: float, now: float) -> None:
    reading = MeterReading(-10.0, -5.0, 1.0).after(db, passed, now)
    assert 0.0 <= share(reading.level) <= 1.0
    assert 0.0 <= share(reading.peak) <= 1.0
    assert reading.level >= FLOOR_DB


def test_a_strip_shows_all_words_over_some_lines_and_of_endless_ones_the_rest_in_its_tooltip(qtbot: QtBot) -> None:
    reached = NoticeStrip(Trouble("window", "the song could not be exported", "the disk is full " * 10, "make room"))
    qtbot.addWidget(reached)
    [all_of_it] = reached.findChildren(WrappedLabel)
    assert all_of_it.text().endswith("Make room.")
    assert not all_of_it.toolTip()
    endless = NoticeStrip(Trouble("window", "something", "it goes on " * 200))
    qtbot.addWidget(endless)
    [cut] = endless.findChildren(WrappedLabel)
    assert cut.text().endswith("…")
    assert cut.toolTip().count("it goes on") > cut.text().count("it goes on")
    assert endless.accessibleName().count("it goes on") > 100
