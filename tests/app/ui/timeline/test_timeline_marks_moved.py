"""Sections, tempos and time signatures moved along the ruler, by pointer and by keyboard."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import structs
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog, QMenu
from timeline_hands import BAR, BARS_ROW, CONTROL, LEFT, NONE, SONG, drag, place

from agent.song.time import MeterChange, TempoChange, Ticks
from app.ui.shell.status_line import StatusLine
from app.viewmodels.timeline.marks import Marker, marks_of

Run = Callable[..., None]
MARKED = structs.replace(
    SONG,
    tempos=(TempoChange(Ticks(0), 120.0), TempoChange(Ticks(4 * BAR), 90.0), TempoChange(Ticks(10 * BAR), 140.0)),
    meters=(MeterChange(Ticks(0)), MeterChange(Ticks(12 * BAR), 3, 4)),
)
TEMPO, METER = Marker("tempo", Ticks(4 * BAR)), Marker("meter", Ticks(12 * BAR))


def on(one, mark: Marker) -> QPoint:
    one.view.grab()
    return one.view.ruler.layout_now().place_of(mark).center()


def across(one, bars: float) -> QPoint:
    axis = one.view.stage.axis
    return QPoint(round(axis.x(bars * BAR) - axis.x(0)), 0)


def tempos(one) -> list[tuple[float, float]]:
    return [(change.at / BAR + 1, change.bpm) for change in one.song.tempos]


async def versions(one) -> int:
    await one.settle()
    await one.opened.versions.refresh()
    return len(one.opened.versions.iterations.value)


def test_a_dragged_tempo_is_one_version_and_one_undo(told: Run) -> None:
    async def story(one) -> None:
        before = await versions(one)
        start = on(one, TEMPO)
        drag(one.view.ruler, start, start + across(one, 2))
        await one.settle(lambda: tempos(one)[1][0] == 7)
        assert tempos(one) == [(1, 120.0), (7, 90.0), (11, 140.0)]
        assert await versions(one) == before + 1
        await one.opened.versions.undo()
        assert tempos(one) == [(1, 120.0), (5, 90.0), (11, 140.0)]

    told(story, song=MARKED)


def test_a_dragged_meter_keeps_to_bars_and_a_section_keeps_its_length(told: Run) -> None:
    async def story(one) -> None:
        start = on(one, METER)
        drag(one.view.ruler, start, start - across(one, 1.3), CONTROL)
        await one.settle(lambda: one.song.meters[1].at == 11 * BAR)
        assert one.song.meters[1].at == 11 * BAR
        middle = QPoint(round(one.view.stage.axis.x(4 * BAR)) - 20, 8)
        drag(one.view.ruler, middle, middle + across(one, 2.2))
        await one.settle(lambda: one.song.sections[0].start > 0)
        section = one.song.sections[0]
        assert (section.start, section.duration) == (2 * BAR, 8 * BAR)

    told(story, song=MARKED)


def test_a_click_on_a_section_chooses_its_bars_and_moves_nothing(told: Run) -> None:
    async def story(one) -> None:
        one.view.grab()
        QTest.mouseClick(one.view.ruler, LEFT, NONE, QPoint(round(one.view.stage.axis.x(4 * BAR)) - 20, 8))
        await one.settle()
        assert (one.opened.focus.bars.value, one.song.sections[0].start) == ((1, 8), 0)

    told(story, song=MARKED)


def test_esc_leaves_a_dragged_tempo_where_it_was(told: Run) -> None:
    async def story(one) -> None:
        before, start = one.song, on(one, TEMPO)
        drag(one.view.ruler, start, start + across(one, 2), drop=False)
        flag = next(flag for flag in one.view.ruler.layout_now().flags if flag.mark == TEMPO)
        assert flag.at == 6 * BAR
        assert flag.text == "90 BPM · 7.1.1"
        QTest.keyClick(one.view.ruler, Qt.Key.Key_Escape)
        QTest.mouseRelease(one.view.ruler, LEFT, NONE, start + across(one, 2))
        await one.settle()
        assert one.song is before
        assert not one.view.dragging

    told(story, song=MARKED)


def test_where_a_tempo_may_not_go_nothing_happens_and_the_reason_is_said(told: Run) -> None:
    async def story(one) -> None:
        before, start, said = one.song, on(one, TEMPO), one.opened.focus.refused
        drag(one.view.ruler, start, start - across(one, 5), drop=False)
        assert said.value == "The song's first tempo stays at bar 1"
        assert said.value in [flag.text for flag in one.view.ruler.layout_now().flags]
        drag(one.view.ruler, start, start + across(one, 8))
        assert said.value == "A tempo change is in the way, at bar 11"
        await one.settle()
        assert one.song is before
        QTest.mouseClick(one.view.ruler, LEFT, NONE, QPoint(start.x(), BARS_ROW))
        assert said.value == ""

    told(story, song=MARKED)


def test_the_status_line_says_why_a_gesture_is_refused_until_it_is_over(told: Run) -> None:
    async def story(one) -> None:
        line = StatusLine()
        line.follow(one.opened, one.kit)
        try:
            before, start = line.doing.text(), place(one, "cone")
            below = QPoint(start.x(), one.view.stage.axis.row_top(3) + 20)
            drag(one.view.viewport(), start, below, drop=False)
            assert line.doing.text() == "There is no track here"
            assert line.doing.property("tone") == "warn"
            one.view._refusals.rest()
            assert line.doing.text() == "There is no track here"
            QTest.mouseRelease(one.view.viewport(), LEFT, NONE, below)
            one.view._refusals.rest()
            assert line.doing.text() == before
            drag(one.view.viewport(), start, below, drop=False)
            QTest.keyClick(one.view, Qt.Key.Key_Escape)
            assert line.doing.text() == before
        finally:
            line.close_view()
            line.deleteLater()

    told(story, song=SONG)


def test_keys_go_from_mark_to_mark_and_move_change_and_delete_them(told: Run) -> None:
    async def story(one) -> None:
        ruler, marks = one.view.ruler, one.view.song_actions.marks
        ruler.setFocus(Qt.FocusReason.TabFocusReason)
        assert marks.now == marks_of(one.song)[0]
        QTest.keyClick(ruler, Qt.Key.Key_Right)
        assert marks.now == TEMPO
        assert "Tempo 90 BPM from bar 5" in marks.words()
        await one.settle()
        assert ruler.accessibleDescription() == marks.words()
        QTest.keyClick(ruler, Qt.Key.Key_Right, CONTROL)
        await one.settle(lambda: tempos(one)[1][0] > 5)
        assert tempos(one)[1] == (5.25, 90.0)
        assert marks.now is not None
        QTest.keyClick(ruler, Qt.Key.Key_Return)
        dialog = one.view.findChild(QInputDialog)
        dialog.setDoubleValue(96)
        dialog.accept()
        await one.settle(lambda: tempos(one)[1][1] == 96)
        QTest.keyClick(ruler, Qt.Key.Key_Delete)
        await one.settle(lambda: len(one.song.tempos) == 2)
        assert tempos(one) == [(1, 120.0), (11, 140.0)]
        QTest.keyClick(ruler, Qt.Key.Key_End)
        assert marks.now == METER
        QTest.keyClick(ruler, Qt.Key.Key_Return)
        menu = next(menu for menu in one.view.findChildren(QMenu) if menu.isVisible())
        next(act for act in menu.actions() if act.text() == "7/8").trigger()
        menu.close()
        await one.settle(lambda: one.song.meters[1].beats == 7)
        assert (one.song.meters[1].beats, one.song.meters[1].unit) == (7, 8)
        QTest.keyClick(ruler, Qt.Key.Key_Escape)
        assert marks.now is None

    told(story, song=MARKED)


def test_the_first_bar_refuses_a_mark_by_keyboard_too(told: Run) -> None:
    async def story(one) -> None:
        one.view.song_actions.marks.take(Marker("tempo", Ticks(960)))
        QTest.keyClick(one.view.ruler, Qt.Key.Key_Left, CONTROL)
        assert one.opened.focus.refused.value == "The song's first tempo stays at bar 1"
        await one.settle()
        assert tempos(one)[1] == (1.25, 90.0)

    told(story, song=structs.replace(SONG, tempos=(TempoChange(Ticks(0), 120.0), TempoChange(Ticks(960), 90.0))))
