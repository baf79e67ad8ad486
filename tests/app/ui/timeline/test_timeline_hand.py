"""What a hand does on the timeline becomes one version of the song; Esc leaves it as it was."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtTest import QTest
from timeline_hands import ALT, BAR, BARS_ROW, CONTROL, LEFT, LOOP_ROW, NONE, SONG, bars, drag, mouse, place, right_edge

from agent.song.ids import ClipId, TrackId
from agent.song.locks import TrackLock
from app.ui.kit.widgets.level_meter import share
from app.ui.timeline.measures import METER_AT, SLIDER_Y
from app.ui.timeline.tools.volume import volume_at, x_of_volume

Run = Callable[..., None]


def test_a_clip_dragged_to_another_track_and_time_keeps_to_the_grid_and_makes_one_version(told: Run) -> None:
    async def story(one) -> None:
        versions = len(one.opened.versions.iterations.value)
        beat = one.view.stage.axis.per_beat
        start = place(one, "cone")
        drag(one.view.viewport(), start, start + QPoint(round(8 * beat) + 2, 80))
        await one.settle(lambda: bars(one, "cone")[1] != 1)
        assert bars(one, "cone") == ("tc", 3, 4)
        await one.settle()
        assert len(one.opened.versions.iterations.value) == versions + 1
        assert one.opened.versions.iterations.value[0].label == "Move one"

    told(story, song=SONG)


def test_a_drag_held_beyond_the_edge_scrolls_and_takes_the_clip_along(told: Run) -> None:
    async def story(one) -> None:
        view = one.view
        view.navigator.zoom(60, 0)
        bar, start = view.horizontalScrollBar(), place(one, "cone")
        beyond = QPoint(view.viewport().width() + 160, start.y())
        assert bar.value() == 0
        drag(view.viewport(), start, beyond, drop=False)
        for _ in range(800):
            await asyncio.sleep(0.01)
            if bar.value() > 300:
                break
        mouse(view.viewport(), QEvent.Type.MouseButtonRelease, beyond)
        await one.settle(lambda: bars(one, "cone")[1] != 1)
        assert bar.value() > 300
        # Farther than the pointer went over the screen.
        assert one.song.clip(ClipId("cone"))[1].start > view.stage.axis.ticks(beyond.x() - start.x())

    told(story, song=SONG)


def test_esc_ends_a_drag_without_its_effect(told: Run) -> None:
    async def story(one) -> None:
        start = place(one, "cone")
        one.view.setFocus()
        drag(one.view.viewport(), start, start + QPoint(200, 40), drop=False)
        assert one.view.pointer.drag is not None
        QTest.keyClick(one.view, Qt.Key.Key_Escape)
        assert one.view.pointer.drag is None
        mouse(one.view.viewport(), QEvent.Type.MouseButtonRelease, start + QPoint(200, 40))
        await one.settle()
        assert bars(one, "cone") == ("ta", 1, 4)

    told(story, song=SONG)


def test_alt_copies_and_control_leaves_the_grid(told: Run) -> None:
    async def story(one) -> None:
        start = place(one, "clow")
        drag(one.view.viewport(), start, start + QPoint(37, 0), ALT | CONTROL)
        await one.settle(lambda: len(one.song.tracks[1].clips) == 2)
        assert bars(one, "clow") == ("tb", 5, 2)
        made = next(clip for clip in one.song.tracks[1].clips if clip.id != "clow")
        assert made.start % 240 != 0
        assert [note.pitch for note in made.notes] == [60, 61, 62, 63]
        assert one.opened.focus.clips.value == {made.id}

    told(story, song=SONG)


def test_the_right_edge_resizes_and_cuts_notes(told: Run) -> None:
    async def story(one) -> None:
        edge = right_edge(one, "clow")
        beat = one.view.stage.axis.per_beat
        drag(one.view.viewport(), edge, edge - QPoint(round(7 * beat), 0))
        await one.settle(lambda: bars(one, "clow")[2] != 2)
        assert bars(one, "clow") == ("tb", 5, 0.25)
        assert len(one.song.clip(ClipId("clow"))[1].notes) == 2

    told(story, song=SONG)


def test_a_rubber_band_selects_what_it_touches_and_a_click_beside_everything_nothing(told: Run) -> None:
    async def story(one) -> None:
        axis = one.view.stage.axis
        far = QPoint(round(axis.x(6 * BAR)), axis.row_top(1) + 20)
        drag(one.view.viewport(), QPoint(round(axis.x(4.5 * BAR)), axis.row_top(2) + 20), QPoint(4, 4))
        assert one.opened.focus.clips.value == {"cone", "clow"}
        mouse(one.view.viewport(), QEvent.Type.MouseButtonPress, far + QPoint(100, 60))
        mouse(one.view.viewport(), QEvent.Type.MouseButtonRelease, far + QPoint(100, 60))
        assert one.opened.focus.clips.value == frozenset()

    told(story, song=SONG)


def test_control_click_adds_to_the_selection_and_takes_away(told: Run) -> None:
    async def story(one) -> None:
        area = one.view.viewport()
        QTest.mouseClick(area, LEFT, NONE, place(one, "cone"))
        QTest.mouseClick(area, LEFT, CONTROL, place(one, "ctwo"))
        assert one.opened.focus.clips.value == {"cone", "ctwo"}
        QTest.mouseClick(area, LEFT, CONTROL, place(one, "cone"))
        assert one.opened.focus.clips.value == {"ctwo"}

    told(story, song=SONG)


def test_delete_duplicate_and_nudge_by_keyboard(told: Run) -> None:
    async def story(one) -> None:
        view = one.view
        view.setFocus()
        QTest.keyClick(view, Qt.Key.Key_Right)
        assert one.opened.focus.clips.value == {"cone"}
        QTest.keyClick(view, Qt.Key.Key_D, CONTROL)
        await one.settle(lambda: len(one.song.tracks[0].clips) == 3)
        assert sorted(clip.start // BAR for clip in one.song.tracks[0].clips) == [0, 4, 8]
        await one.settle()
        made = next(iter(one.opened.focus.clips.value))
        QTest.keyClick(view, Qt.Key.Key_Right, CONTROL)
        await one.settle(lambda: one.song.clip(made)[1].start != 4 * BAR)
        moved = one.song.clip(made)[1].start
        assert moved > 4 * BAR
        QTest.keyClick(view, Qt.Key.Key_Delete)
        await one.settle(lambda: len(one.song.tracks[0].clips) == 2)
        assert {clip.id for clip in one.song.tracks[0].clips} == {"cone", "ctwo"}

    told(story, song=SONG)


def test_arrows_go_from_clip_to_clip_and_say_where_they_are(told: Run) -> None:
    async def story(one) -> None:
        view = one.view
        view.setFocus()
        for key, chosen in (
            (Qt.Key.Key_Right, "cone"), (Qt.Key.Key_Right, "ctwo"), (Qt.Key.Key_Down, "clow"), (Qt.Key.Key_Up, "cone"),
        ):
            QTest.keyClick(view, key)
            assert one.opened.focus.clips.value == {chosen}
        await one.settle()
        assert view.accessibleDescription() == "Clip, one, Pad, bars 1 to 4, 4 notes, selected"
        QTest.keyClick(view, Qt.Key.Key_Escape)
        assert one.opened.focus.clips.value == frozenset()

    told(story, song=SONG)


def test_a_clip_is_renamed_in_place(told: Run) -> None:
    async def story(one) -> None:
        view = one.view
        view.activateWindow()
        view.setFocus()
        QTest.keyClick(view, Qt.Key.Key_Right)
        line = view.renaming.selected()
        assert line is not None
        line.setText("A <b>new</b> name")
        QTest.keyClick(line, Qt.Key.Key_Return)
        await one.settle(lambda: one.song.clip(ClipId("cone"))[1].name != "one")
        assert one.song.clip(ClipId("cone"))[1].name == "A <b>new</b> name"
        again = view.renaming.selected()
        assert again is not None
        again.setText("gone")
        QTest.keyClick(again, Qt.Key.Key_Escape)
        await one.settle()
        assert one.song.clip(ClipId("cone"))[1].name == "A <b>new</b> name"

    told(story, song=SONG)


def test_esc_while_renaming_gives_the_old_name_back_and_is_nobody_elses(told: Run) -> None:
    async def story(one) -> None:
        view = one.view
        away = QShortcut(QKeySequence(Qt.Key.Key_Escape), view)
        # Stands for the window's way back to the timeline.
        away.activated.connect(view.setFocus)
        view.activateWindow()
        await one.settle(view.isActiveWindow)
        view.setFocus()
        QTest.keyClick(view, Qt.Key.Key_Right)
        for rename in (view.renaming.selected, lambda: view.renaming.track(TrackId("tb"))):
            # With something chosen Esc is the timeline's, and not the window's.
            one.opened.focus.clips.set(frozenset())
            line = rename()
            assert line is not None
            QTest.keyClicks(line, "Half of a na")
            QTest.keyClick(line, Qt.Key.Key_Escape)
            assert not line.isVisible()
            await one.settle()
        assert one.song.clip(ClipId("cone"))[1].name == "one"
        assert "Half of a na" not in [track.name for track in one.song.tracks]
        assert view.headers.hasFocus()
        left = view.renaming.selected()
        QTest.keyClicks(left, "Whole")
        view.corner.overlay.setFocus(Qt.FocusReason.TabFocusReason)
        await one.settle(lambda: "Whole" in [track.name for track in one.song.tracks])
        assert "Whole" in [track.name for track in one.song.tracks]
        assert view.corner.overlay.hasFocus()

    told(story, song=SONG)


def test_a_fader_is_heard_while_it_is_dragged_and_kept_once(told: Run) -> None:
    async def story(one) -> None:
        heard = []
        one.opened.playback.preview_mix = lambda track, volume, _: heard.append((track, volume))
        knob = QPoint(round(x_of_volume(0.0)), SLIDER_Y)
        drag(one.view.headers, knob, QPoint(90, SLIDER_Y))
        await one.settle(lambda: one.song.tracks[0].volume_db != 0)
        await one.settle()
        assert one.song.tracks[0].volume_db == round(volume_at(90), 1)
        assert len([volume for _, volume in heard if volume is not None]) >= 3
        assert heard[-1] == ("ta", None)
        assert one.opened.versions.iterations.value[0].label == "Volume of Pad"

    told(story, song=SONG)


def test_a_level_stands_as_high_on_a_header_as_on_a_strip(told: Run) -> None:
    async def story(one) -> None:
        headers = one.view.headers
        headers.state.levels.take({TrackId("ta"): (-30.0, float("-inf"))}, 0.0, 0.0)
        picture = headers.grab().toImage()
        tall = one.view.stage.axis.row_height - 5
        color = one.kit.theme.color("meter")
        lit = [y for y in range(2, 2 + tall) if picture.pixelColor(METER_AT[0], y) == color]
        assert abs(len(lit) - share(-30.0) * tall) <= 1
        assert all(picture.pixelColor(METER_AT[1], y) != color for y in lit)

    told(story, song=SONG)


def test_volume_by_keyboard_is_one_version_for_many_presses(told: Run) -> None:
    async def story(one) -> None:
        one.view.headers.setFocus()
        one.opened.focus.track.set(TrackId("tc"))
        before = len(one.opened.versions.iterations.value)
        for _ in range(6):
            QTest.keyClick(one.view.headers, Qt.Key.Key_Left)
        await one.settle(lambda: one.song.tracks[2].volume_db == -3.0, 4)
        assert one.song.tracks[2].volume_db == -3.0
        await one.settle()
        assert len(one.opened.versions.iterations.value) == before + 1

    told(story, song=SONG)


def test_mute_and_solo_of_the_current_track(told: Run) -> None:
    async def story(one) -> None:
        one.opened.focus.track.set(TrackId("tb"))
        one.view.do("mute")
        one.view.do("solo")
        await one.settle(lambda: one.song.tracks[1].mute)
        assert one.song.tracks[1].mute
        assert one.opened.playback.solo.value == {"tb"}

    told(story, song=SONG)


def test_a_track_is_locked_from_its_menu_and_can_still_be_edited_by_hand(told: Run) -> None:
    async def story(one) -> None:
        menu = one.view.headers.menu(TrackId("ta"))
        lock = next(action for action in menu.actions() if action.text() == "Lock track")
        assert "by hand" in lock.toolTip()
        lock.trigger()
        menu.close()
        await one.settle(lambda: bool(one.opened.locks.value))
        assert one.opened.locks.value == (TrackLock(TrackId("ta")),)
        assert one.view.stage.scene.locked_tracks == {"ta"}
        assert all(shape.locked for shape in one.view.stage.scene.shapes[0])
        one.opened.focus.clips.set(frozenset([ClipId("cone")]))
        one.view.do("delete")
        await one.settle(lambda: len(one.song.tracks[0].clips) == 1)
        assert [clip.id for clip in one.song.tracks[0].clips] == ["ctwo"]

    told(story, song=SONG)


def test_the_ruler_moves_the_playhead_and_spans_the_loop(told: Run) -> None:
    async def story(one) -> None:
        axis, ruler = one.view.stage.axis, one.view.ruler
        QTest.mouseClick(ruler, LEFT, NONE, QPoint(round(axis.x(4 * BAR)) + 1, BARS_ROW))
        assert one.opened.playback.position() == 4 * BAR
        drag(ruler, QPoint(round(axis.x(BAR)) + 1, LOOP_ROW), QPoint(round(axis.x(5 * BAR)) + 1, LOOP_ROW))
        state = one.opened.playback.state.value
        assert (state.loop, state.looping) == ((BAR, 5 * BAR), True)
        one.view.do("select all")
        one.view.do("loop")
        assert one.opened.playback.state.value.loop == (0, 12 * BAR)

    told(story, song=SONG)


def test_zoom_keeps_what_lies_under_the_pointer(told: Run) -> None:
    async def story(one) -> None:
        axis = one.view.stage.axis
        one.view.navigator.zoom(40, 300)
        at = axis.at(300)
        one.view.navigator.zoom(80, 300)
        assert abs(axis.at(300) - at) < 30
        one.view.zoom_song()
        assert axis.left == 0
        assert axis.x(12 * BAR) <= one.view.viewport().width()

    told(story, song=SONG)


def test_an_edit_while_a_run_holds_the_song_is_told_in_the_timeline(told: Run) -> None:
    async def story(one) -> None:
        async def refuse(*_: object, **__: object) -> None:
            from agent.session.run_state import RunError
            raise RunError("run r1 holds the song of this project")

        one.opened.workspace.commit = refuse
        one.opened.focus.clips.set(frozenset([ClipId("cone")]))
        one.view.do("delete")
        await one.settle(lambda: bool(one.troubles))
        assert [(trouble.place, trouble.what) for trouble in one.troubles] == [
            ("timeline", "run r1 holds the song of this project")
        ]
        assert bars(one, "cone") == ("ta", 1, 4)

    told(story, song=SONG)


def test_esc_gives_back_the_selection_the_loop_and_the_fader(told: Run) -> None:
    async def story(one) -> None:
        view, axis = one.view, one.view.stage.axis
        one.opened.focus.clips.set(frozenset([ClipId("ctwo")]))
        view.setFocus()
        drag(view.viewport(), QPoint(round(axis.x(4.5 * BAR)), axis.row_top(2) + 20), QPoint(4, 4), drop=False)
        assert one.opened.focus.clips.value == {"cone", "clow"}
        QTest.keyClick(view, Qt.Key.Key_Escape)
        assert one.opened.focus.clips.value == {"ctwo"}
        drag(view.ruler, QPoint(20, LOOP_ROW), QPoint(200, LOOP_ROW), drop=False)
        assert one.opened.playback.state.value.looping
        QTest.keyClick(view, Qt.Key.Key_Escape)
        assert one.opened.playback.state.value.loop is None
        drag(view.headers, QPoint(round(x_of_volume(0.0)), SLIDER_Y), QPoint(60, SLIDER_Y), drop=False)
        QTest.keyClick(view.headers, Qt.Key.Key_Escape)
        mouse(view.headers, QEvent.Type.MouseButtonRelease, QPoint(60, SLIDER_Y))
        await one.settle()
        assert one.song.tracks[0].volume_db == 0.0

    told(story, song=SONG)
