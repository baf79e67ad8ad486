"""What a hand does on the strips becomes one version of the song and is heard before; Esc leaves it as it was."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage, QKeyEvent, QPainter, QRegion
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from agent.song.ids import MASTER, TrackId
from agent.song.locks import TrackLock
from agent.song.song import Song
from agent.song.track import Track
from app.ui.mixer.choice_popup import ChoiceModel, ChoicePopup
from app.ui.mixer.shortcuts import ValueEntry
from app.ui.mixer.strips_view import made_menu
from app.viewmodels.edits.choices import effect_choices, instrument_choices
from tests.app.ui.mixer.conftest import HOSTILE, Mixing

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
SHIFT, ALT = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier
Key = Qt.Key
Run = Callable[..., None]


def take(one: Mixing, start: QPoint, dx: int, dy: int) -> None:
    view = one.panel.strips.viewport()
    QTest.mousePress(view, LEFT, NONE, start)
    for share in (0.4, 1.0):
        QTest.mouseMove(view, start + QPoint(round(dx * share), round(dy * share)))


async def drop(one: Mixing) -> None:
    view = one.panel.strips.viewport()
    QTest.mouseRelease(view, LEFT, NONE, view.mapFromGlobal(view.cursor().pos()))
    await one.room.still()


def tip(one: Mixing, at: QPoint) -> str:
    """What is told of a place under the pointer."""
    view = one.panel.strips.viewport()
    QTest.mouseMove(view, at)
    assert view.toolTip()
    return view.toolTip()


def press(one: Mixing, key: Qt.Key, keys: Qt.KeyboardModifier = NONE) -> None:
    QTest.keyClick(one.panel.strips, key, keys)


def test_a_fader_is_heard_while_it_is_dragged_and_becomes_one_version(mixing: Run) -> None:
    async def story(one: Mixing) -> None:
        start = one.place("ta", "fader")
        take(one, start, 0, -40)
        volume = one.previews[TrackId("ta")][0]
        assert volume is not None
        assert volume > -6.0
        assert one.song.tracks[0].volume_db == -6.0
        await drop(one)
        assert one.song.tracks[0].volume_db == volume
        assert one.previews == {}
        assert one.room.opened.focus.track.value == "ta"
        assert one.labels == ["Volume of Pad"]

    mixing(story)


def test_a_drag_that_is_given_up_and_a_click_change_nothing(mixing: Run) -> None:
    async def story(one: Mixing) -> None:
        take(one, one.place("ta", "fader"), 0, -40)
        press(one, Key.Key_Escape)
        assert one.previews == {}
        await drop(one)
        QTest.mouseClick(one.panel.strips.viewport(), LEFT, NONE, one.place("ta", "fader"))
        await one.room.still()
        assert one.song.tracks[0].volume_db == -6.0
        assert one.labels == []

    mixing(story)


def test_pan_mute_solo_and_double_clicks(mixing: Run) -> None:
    async def story(one: Mixing) -> None:
        view = one.panel.strips.viewport()
        take(one, one.place("tc", "pan"), 9, 0)
        await drop(one)
        assert 0.4 < one.song.tracks[2].pan < 0.8
        QTest.mouseDClick(view, LEFT, NONE, one.place("tc", "pan"))
        QTest.mouseDClick(view, LEFT, NONE, one.place("ta", "fader"))
        await one.room.still()
        assert one.song.tracks[2].pan == 0
        assert one.song.tracks[0].volume_db == 0
        QTest.mouseClick(view, LEFT, NONE, one.place("ta", "mute"))
        QTest.mouseClick(view, LEFT, NONE, one.place("tc", "solo"))
        await one.room.still()
        assert one.song.tracks[0].mute
        assert one.room.opened.playback.solo.value == {"tc"}
        assert one.panel.strips.scene.strips[0].mute

    mixing(story)


def test_keys_walk_and_move_and_rest_in_one_version(mixing: Run) -> None:
    async def story(one: Mixing) -> None:
        focus = one.room.opened.focus.track
        one.panel.take_keyboard()
        press(one, Key.Key_Home)
        assert focus.value == "ta"
        press(one, Key.Key_Up)
        press(one, Key.Key_Up, SHIFT)
        press(one, Key.Key_Right, ALT)
        assert one.previews[TrackId("ta")] == (-5.4, 0.05)
        assert one.song.tracks[0].volume_db == -6.0
        assert "volume −5.4 dB" in one.panel.strips.accessibleDescription()
        await one.room.until(lambda: one.song.tracks[0].volume_db == -5.4)
        await one.room.still()
        assert one.song.tracks[0].pan == 0.05
        assert one.previews == {}
        assert one.labels == ["Volume of Pad"]
        press(one, Key.Key_Down)
        press(one, Key.Key_Escape)
        press(one, Key.Key_End)
        assert focus.value == "tc"
        press(one, Key.Key_Left)
        await one.room.still()
        assert focus.value == "tb"
        assert one.song.tracks[0].volume_db == -5.4

    mixing(story)


def test_its_keys_come_before_the_shortcuts_of_the_window(mixing: Run) -> None:
    async def story(one: Mixing) -> None:
        def taken(key: Qt.Key, keys: Qt.KeyboardModifier = NONE, text: str = "") -> bool:
            event = QKeyEvent(QKeyEvent.Type.ShortcutOverride, key, keys, text)
            event.ignore()
            QApplication.sendEvent(one.panel.strips, event)
            return event.isAccepted()

        assert not taken(Key.Key_Escape)
        take(one, one.place("ta", "fader"), 0, -40)
        assert taken(Key.Key_Escape)
        press(one, Key.Key_Escape)
        press(one, Key.Key_Up)
        assert taken(Key.Key_Escape)
        press(one, Key.Key_Escape)
        assert one.previews == {}
        assert taken(Key.Key_Left)
        assert taken(Key.Key_Right, ALT)
        assert taken(Key.Key_Home)
        assert taken(Key.Key_6, text="6")
        assert not taken(Key.Key_Space, text=" ")
        assert not taken(Key.Key_M, text="m")
        assert not taken(Key.Key_D, Qt.KeyboardModifier.ControlModifier)

    mixing(story)


def test_a_level_is_typed(mixing: Run) -> None:
    async def story(one: Mixing) -> None:
        one.panel.take_keyboard()
        press(one, Key.Key_Home)
        QTest.keyClicks(one.panel.strips, "-")
        line = one.panel.strips.viewport().findChild(ValueEntry)
        assert isinstance(line, ValueEntry)
        escape = QKeyEvent(QKeyEvent.Type.ShortcutOverride, Key.Key_Escape, NONE)
        escape.ignore()
        QApplication.sendEvent(line, escape)
        assert escape.isAccepted()
        assert line.accessibleName() == "Volume of Pad in dB"
        QTest.keyClicks(line, "12,5")
        QTest.keyClick(line, Key.Key_Return)
        await one.room.still()
        assert one.song.tracks[0].volume_db == -12.5
        QTest.mouseClick(one.panel.strips.viewport(), LEFT, NONE, one.place("tc", "value"))
        other = one.panel.strips.viewport().findChild(ValueEntry)
        assert isinstance(other, ValueEntry)
        QTest.keyClicks(other, "loud")
        QTest.keyClick(other, Key.Key_Return)
        assert other.property("wrong")
        QTest.keyClick(other, Key.Key_Escape)
        await one.room.still()
        assert one.song.tracks[2].volume_db == 0
        assert one.panel.strips.viewport().findChild(QLineEdit) is None

    mixing(story)


def test_the_focus_leads_to_the_strip_and_the_master_has_its_own(mixing: Run) -> None:
    async def story(one: Mixing) -> None:
        subject = one.panel.board.subject
        one.room.opened.focus.track.set(TrackId("tc"))
        await one.room.still()
        assert subject.value == "tc"
        assert "Keys" in one.panel.strips.accessibleDescription()
        QTest.mouseClick(one.panel.master.effects, LEFT)
        assert subject.value == MASTER
        QTest.mouseClick(one.panel.strips.viewport(), LEFT, NONE, one.place("tc", "meter"))
        assert subject.value == "tc"

    mixing(story)


def test_an_instrument_is_found_by_its_words(mixing: Run) -> None:
    async def story(one: Mixing) -> None:
        popup = one.panel.made_choices(TrackId("tc"))
        QTest.keyClicks(popup.search, "celesta")
        QTest.keyClick(popup.search, Key.Key_Return)
        await one.room.still()
        assert one.song.tracks[2].instrument == "keys_celesta"
        assert one.panel.strips.scene.strips[2].instrument == "Celesta"

    mixing(story)


def test_a_list_of_choices_is_a_sound_model(qapp: QApplication, theme: object) -> None:
    from stages import palette

    model = ChoiceModel(instrument_choices(palette()))
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    for text in ("piano", "zzz", ""):
        model.search(text)
    popup = ChoicePopup("Instruments", instrument_choices(palette()), "keys_celesta", QApplication.activeWindow())  # type: ignore[arg-type]
    current = popup.model.choice(popup.view.currentIndex().row())
    assert current is not None
    assert current.key == "keys_celesta"
    QTest.keyClick(popup.search, Key.Key_Down)
    QTest.keyClick(popup.search, Key.Key_Up)
    assert popup.model.choice(popup.view.currentIndex().row()) == current
    QTest.keyClicks(popup.search, "nothing like it")
    assert not popup.nothing.isHidden()
    popup.deleteLater()


def test_a_list_of_choices_opens_with_the_name_of_its_first_group_in_sight(qapp: QApplication, theme: object) -> None:
    from stages import palette

    choices = effect_choices(palette())
    popup = ChoicePopup("Effects", choices, "", QApplication.activeWindow())  # type: ignore[arg-type]
    popup.open_at(QPoint(0, 0))
    QApplication.processEvents()
    top, bar = popup.view.viewport().rect().topLeft(), popup.view.verticalScrollBar()
    assert bar.maximum() > 0
    assert popup.view.indexAt(top).row() == 0
    for _ in choices:
        QTest.keyClick(popup.search, Key.Key_Down)
    assert bar.value() > 0
    for _ in choices:
        QTest.keyClick(popup.search, Key.Key_Up)
    assert popup.view.indexAt(top).row() == 0
    popup.close()


def test_the_loudness_target_is_typed(mixing: Run) -> None:
    async def story(one: Mixing) -> None:
        field = one.panel.master.target
        assert field.text() == "−14.0"
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, "9.5 LUFS")
        QTest.keyClick(field, Key.Key_Return)
        await one.room.still()
        assert one.song.loudness_target == -9.5
        assert field.text() == "−9.5"
        QTest.keyClicks(field, "what")
        QTest.keyClick(field, Key.Key_Return)
        await one.room.still()
        assert field.text() == "−9.5"
        assert one.labels == ["Loudness target"]

    mixing(story)


def test_levels_paint_their_meter_and_nothing_else(mixing: Run) -> None:
    async def story(one: Mixing) -> None:
        strips = one.panel.strips
        painted: list[QRegion] = []
        paint = strips.paintEvent
        strips.paintEvent = lambda event: (painted.append(event.region()), paint(event))  # type: ignore[assignment]
        one.room.opened.playback.track_levels = lambda: {TrackId("ta"): (-6.0, 3.0)}  # type: ignore[method-assign]
        await one.room.until(lambda: strips.scene.levels.clipped(TrackId("ta")))
        await asyncio.sleep(0.1)
        rect = strips.scene.places.meter.translated(strips.scene.rect_of(0).topLeft())
        assert painted
        assert all(region.subtracted(QRegion(rect)).isEmpty() for region in painted)
        assert [bar.level > -10 for bar in strips.scene.levels.of(TrackId("ta"))] == [True, True]
        one.room.opened.playback.track_levels = dict  # type: ignore[method-assign, assignment]
        await one.room.until(lambda: not strips.scene.levels.moving)
        assert strips.scene.levels.clipped(TrackId("ta"))
        QTest.mouseClick(strips.viewport(), LEFT, NONE, one.place("ta", "meter"))
        assert not strips.scene.levels.clipped(TrackId("ta"))
        one.panel.hide()
        assert not strips.metering.timer.isActive()

    mixing(story)


def test_a_lock_is_shown_and_set(mixing: Run) -> None:
    async def story(one: Mixing) -> None:
        menu = made_menu(one.panel.board, one.panel.strips.scene.strips[0], one.panel.strips.carry_out, one.panel)
        menu.actions()[0].trigger()
        menu.close()
        await one.room.still()
        assert one.room.opened.locks.value == (TrackLock(TrackId("ta")),)
        assert one.panel.strips.scene.strips[0].locked
        assert "Locked" in tip(one, one.place("ta", "lock"))

    mixing(story)


def test_hostile_names_are_plain_and_256_tracks_scroll(mixing: Run) -> None:
    async def story(one: Mixing) -> None:
        strips = one.panel.strips
        assert len(strips.scene.strips) == 256
        assert "<img" not in tip(one, strips.scene.rect_of(1).topLeft() + QPoint(20, 12))
        one.panel.take_keyboard()
        press(one, Key.Key_End)
        assert strips.scene.rect_of(255).right() <= strips.viewport().width()
        assert strips.scene.index_of(one.room.opened.focus.track.value) == 255
        made_menu(one.panel.board, strips.scene.strips[1], strips.carry_out, strips).close()
        picture = QImage(strips.viewport().size(), QImage.Format.Format_RGB32)
        painter = QPainter(picture)
        strips.viewport().render(painter, QPoint())
        painter.end()
        await one.room.still()

    tracks = tuple(Track(TrackId(f"t{n}"), HOSTILE if n % 2 else f"Track {n}", "nonsense") for n in range(256))
    mixing(story, Song("Many", tracks=tracks))


def test_a_song_without_tracks_says_so(mixing: Run) -> None:
    async def story(one: Mixing) -> None:
        assert not one.panel.strips.isVisible()
        one.panel.take_keyboard()
        assert one.panel.master.isVisible()
        song = Song(tracks=(Track(TrackId("t1"), "New", "organ_drawbar"),))
        await one.room.opened.workspace.replace(song, "edit", "begin")
        await one.room.still()
        assert one.panel.strips.isVisible()

    mixing(story, Song())
