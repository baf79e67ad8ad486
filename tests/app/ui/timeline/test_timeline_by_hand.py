"""Bars, curves, sections, tempos, tracks and files on the timeline: by pointer, by keys and from menus."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import mido
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QLineEdit, QMainWindow, QMenu
from timeline_hands import ALT, BAR, BARS_ROW, CONTROL, LEFT, NONE, SONG, bars, drag, place

from agent.song.clip import Clip, Note
from agent.song.edits import SetTempo, SetTimeSignature
from agent.song.ids import ClipId, NoteId, TrackId
from agent.song.locks import BarsLock, ClipLock, TrackLock
from agent.song.song import Song
from agent.song.time import Ticks
from agent.song.track import Automation, Point, Track
from app.ui.timeline.measures import MUTE_AT, PAN_LEFT, PAN_RIGHT, SLIDER_Y, SOLO_AT
from app.ui.timeline.view import TimelineView
from app.viewmodels.timeline.lanes import LaneChoice

SHIFT = Qt.KeyboardModifier.ShiftModifier
Run = Callable[..., None]
CURVE = Automation("volume_db", (Point(Ticks(0), -20.0), Point(Ticks(4 * BAR), 0.0)))
CURVED = Song("Curved", tracks=(
    Track(TrackId("ta"), "Pad", "pad_warm", automation=(CURVE,)), Track(TrackId("tb"), "Keys", "piano_grand"),
))


def act(menu: QMenu, *words: str) -> None:
    """Choose an entry, through submenus."""
    for entry in menu.actions():
        if entry.text().split("\t")[0].startswith(words[0]):
            if len(words) == 1:
                entry.trigger()
            else:
                below = entry.menu()
                assert isinstance(below, QMenu)
                act(below, *words[1:])
            menu.close()
            return
    raise AssertionError([entry.text() for entry in menu.actions()])


def x_of(one, bar: float) -> int:
    return round(one.view.stage.axis.x((bar - 1) * BAR))


def curve(song: Song, track: str = "ta", target: str = "volume_db") -> list[tuple[float, float]]:
    found = [lane for lane in song.track(TrackId(track)).automation if lane.target == target]
    return [(point.at / BAR + 1, point.value) for lane in found for point in lane.points]


def test_a_drag_over_the_ruler_chooses_whole_bars_which_loop_and_escape_lets_go(told: Run) -> None:
    async def story(one) -> None:
        drag(one.view.ruler, QPoint(x_of(one, 3) + 8, BARS_ROW), QPoint(x_of(one, 6) + 8, BARS_ROW))
        assert one.opened.focus.bars.value == (3, 6)
        one.view.do("loop")
        assert one.opened.playback.state.value.loop == (2 * BAR, 6 * BAR)
        QTest.keyClick(one.view, Qt.Key.Key_Right, CONTROL | SHIFT)
        assert one.opened.focus.bars.value == (3, 7)
        drag(one.view.ruler, QPoint(x_of(one, 9) + 8, BARS_ROW), QPoint(x_of(one, 12) + 8, BARS_ROW), drop=False)
        one.view.cancel_drag()
        assert one.opened.focus.bars.value == (3, 7)
        QTest.keyClick(one.view, Qt.Key.Key_Escape)
        assert one.opened.focus.bars.value is None

    told(story, song=SONG)


def test_escape_and_delete_are_the_timelines_while_it_has_use_for_them(told: Run) -> None:
    async def story(one) -> None:
        window, fired = QMainWindow(), []
        for key in ("Esc", "Del"):
            action = QAction(key, window)
            action.setShortcut(key)
            action.triggered.connect(lambda _, key=key: fired.append(key))
            window.addAction(action)
        window.setCentralWidget(one.view)
        window.show()
        try:
            # Only an active window has shortcuts.
            await one.settle(window.isActiveWindow)
            one.view.setFocus()
            start = QPoint(x_of(one, 2), one.view.stage.axis.row_top(0) + 20)
            drag(one.view.viewport(), start, start + QPoint(60, 10), drop=False)
            QTest.keyClick(one.view, Qt.Key.Key_Escape)
            assert (one.view.pointer.drag, fired) == (None, [])
            one.view.stage.unfold(TrackId("ta"), "volume_db", on=True)
            one.view.stage.point = (TrackId("ta"), "volume_db", Ticks(0))
            QTest.keyClick(one.view, Qt.Key.Key_Delete)
            await one.settle(lambda: len(curve(one.song)) == 1)
            QTest.keyClick(one.view, Qt.Key.Key_Delete)
            QTest.keyClick(one.view, Qt.Key.Key_Escape)
            assert (curve(one.song), fired) == ([(5, 0.0)], ["Del", "Esc"])
        finally:
            window.takeCentralWidget()
            window.close()
            window.deleteLater()

    told(story, song=CURVED)


def test_enter_and_a_double_click_ask_for_the_notes_of_a_clip(told: Run) -> None:
    async def story(one) -> None:
        asked: list[str] = []
        one.view.notes_wanted.connect(asked.append)
        QTest.mouseClick(one.view.viewport(), LEFT, NONE, place(one, "ctwo"))
        assert one.opened.focus.clip.value == "ctwo"
        QTest.keyClick(one.view, Qt.Key.Key_Return)
        QTest.mouseDClick(one.view.viewport(), LEFT, NONE, place(one, "clow"))
        assert asked == ["ctwo", "clow"]

    told(story, song=SONG)


def test_a_double_click_on_an_empty_place_of_a_track_makes_a_clip_there(told: Run) -> None:
    async def story(one) -> None:
        lane = one.view.stage.axis.row_top(1) + 10
        QTest.mouseDClick(one.view.viewport(), LEFT, NONE, QPoint(x_of(one, 2.4), lane))
        await one.settle()
        assert [(clip.start, clip.duration) for clip in one.song.track(TrackId("tb")).clips] == [(BAR, 4 * BAR)]
        assert one.song.track(TrackId("ta")).clips == ()

    told(story, song=Song("Empty", tracks=tuple(Track(TrackId(one), one, "piano_grand") for one in ("ta", "tb"))))


def test_the_left_edge_cuts_a_clip_and_leaves_its_notes_where_they_sound(told: Run) -> None:
    async def story(one) -> None:
        one.view.navigator.zoom(60, 0)
        start = QPoint(x_of(one, 1) + 3, place(one, "cone").y())
        drag(one.view.viewport(), start, start + QPoint(61, 0))
        await one.settle(lambda: bars(one, "cone")[1] != 1)
        _, clip = one.song.clip(ClipId("cone"))
        assert (clip.start, clip.end) == (960, 4 * BAR)
        assert [clip.start + note.start for note in clip.notes] == [960, 1440]

    told(story, song=SONG)


def test_a_clip_is_split_at_the_playhead_and_where_alt_and_shift_click(told: Run) -> None:
    async def story(one) -> None:
        one.opened.focus.clips.set(frozenset([ClipId("cone")]))
        one.opened.playback.seek(Ticks(BAR))
        QTest.keyClick(one.view, Qt.Key.Key_T, CONTROL)
        await one.settle(lambda: len(one.song.tracks[0].clips) == 3)
        at = QPoint(x_of(one, 10), place(one, "ctwo").y())
        QTest.mouseClick(one.view.viewport(), LEFT, ALT | SHIFT, at)
        await one.settle(lambda: len(one.song.tracks[0].clips) == 4)
        assert [clip.start / BAR + 1 for clip in one.song.tracks[0].clips] == [1, 2, 9, 10]
        await one.opened.versions.undo()
        assert len(one.song.tracks[0].clips) == 3

    told(story, song=SONG)


def test_clips_are_not_let_go_below_all_tracks_and_the_reason_is_said(told: Run) -> None:
    async def story(one) -> None:
        start = place(one, "cone")
        drag(one.view.viewport(), start, QPoint(start.x() + 100, one.view.stage.axis.row_top(3) + 20), drop=False)
        assert one.view.pointer.drag.reason == "There is no track here"
        one.view.grab()
        drag(one.view.viewport(), start, QPoint(start.x() + 100, one.view.stage.axis.row_top(3) + 20))
        await one.settle()
        assert bars(one, "cone") == ("ta", 1, 4)

    told(story, song=SONG)


def test_points_of_a_curve_are_added_moved_and_deleted_by_pointer(told: Run) -> None:
    async def story(one) -> None:
        stage = one.view.stage
        stage.unfold(TrackId("ta"), "volume_db", on=True)
        assert [lane.curve for lane in stage.scene.lanes] == ["", "volume_db", ""]
        y = stage.axis.row_top(1)
        QTest.mouseClick(one.view.viewport(), LEFT, NONE, QPoint(x_of(one, 3), y + 34))
        await one.settle(lambda: len(curve(one.song)) == 3)
        assert curve(one.song)[1] == (3, -60.0)
        drag(one.view.viewport(), QPoint(x_of(one, 3), y + 34), QPoint(x_of(one, 4), y + 5))
        await one.settle(lambda: curve(one.song)[1] != (3, -60.0))
        assert curve(one.song) == [(1, -20.0), (4, 6.0), (5, 0.0)]
        drag(one.view.viewport(), QPoint(x_of(one, 4), y + 5), QPoint(x_of(one, 2), y + 20), drop=False)
        one.view.grab()
        one.view.cancel_drag()
        await one.settle()
        assert curve(one.song)[1] == (4, 6.0)
        QTest.mouseClick(one.view.viewport(), LEFT, NONE, QPoint(x_of(one, 4), y + 5))
        QTest.keyClick(one.view, Qt.Key.Key_Delete)
        await one.settle(lambda: len(curve(one.song)) == 2)
        assert one.song.tracks[0].automation == CURVED.tracks[0].automation

    told(story, song=CURVED)


def test_keys_go_from_point_to_point_and_move_them(told: Run) -> None:
    async def story(one) -> None:
        stage = one.view.stage
        stage.unfold(TrackId("ta"), "volume_db", on=True)
        stage.point = (TrackId("ta"), "volume_db", Ticks(0))
        QTest.keyClick(one.view, Qt.Key.Key_Right)
        assert stage.point[2] == 4 * BAR
        QTest.keyClick(one.view, Qt.Key.Key_Down)
        await one.settle(lambda: curve(one.song)[1][1] != 0.0)
        assert curve(one.song)[1] == (5, -3.3)
        one.view._settled()
        assert one.view.accessibleDescription() == "Point at 5.1.1, −3.3 dB, volume of Pad"
        QTest.keyClick(one.view, Qt.Key.Key_Right, CONTROL)
        await one.settle(lambda: curve(one.song)[1][0] != 5)
        assert curve(one.song)[1][0] > 5
        assert stage.point[2] == one.song.tracks[0].automation[0].points[1].at

    told(story, song=CURVED)


def test_a_curve_is_held_or_straight_and_its_row_is_hidden_without_a_change(told: Run) -> None:
    async def story(one) -> None:
        stage = one.view.stage
        act(one.view.menus.tracks.menu(TrackId("ta"), one.view), "Automation", "volume")
        y = stage.axis.row_top(1) + 20
        QTest.mouseClick(one.view.headers, LEFT, NONE, QPoint(MUTE_AT + 5, y))
        await one.settle(lambda: one.song.tracks[0].automation[0].curve == "hold")
        one.view.grab()
        QTest.mouseClick(one.view.headers, LEFT, NONE, QPoint(SOLO_AT + 8, y))
        assert len(stage.scene.lanes) == 2
        assert one.song.tracks[0].automation[0].curve == "hold"

    told(story, song=CURVED)


def test_sections_are_made_from_bars_renamed_resized_and_deleted(told: Run) -> None:
    async def story(one) -> None:
        one.opened.focus.bars.set((9, 12))
        act(one.view.menus.frames.at(8 * BAR, 9, in_sections=True), "New section, bars 9–12")
        await one.settle(lambda: len(one.song.sections) == 2)
        line = one.view.ruler.findChild(QLineEdit)
        line.setText("Chorus <b>")
        QTest.keyClick(line, Qt.Key.Key_Return)
        await one.settle(lambda: one.song.sections[1].name != "Section")
        drag(one.view.ruler, QPoint(x_of(one, 13) - 2, 8), QPoint(x_of(one, 15), 8))
        await one.settle(lambda: one.song.sections[1].end != 12 * BAR)
        made = one.song.sections[1]
        assert (made.name, made.start, made.end) == ("Chorus <b>", 8 * BAR, 14 * BAR)
        act(one.view.menus.frames.at(9 * BAR, 10, in_sections=True), "Delete section")
        await one.settle(lambda: len(one.song.sections) == 1)
        assert [section.name for section in one.song.sections] == ["Verse"]

    told(story, song=SONG)


def test_tempos_and_meters_are_set_changed_and_taken_out_at_a_bar(told: Run) -> None:
    async def story(one) -> None:
        frames = one.view.menus.frames
        dialog = frames.ask_tempo(Ticks(4 * BAR))
        dialog.setDoubleValue(90)
        dialog.accept()
        await one.settle(lambda: len(one.song.tempos) == 2)
        assert (one.song.tempos[1].at, one.song.tempos[1].bpm) == (4 * BAR, 90)
        act(frames.at(4 * BAR, 5, in_sections=False), "Take out tempo change")
        await one.settle(lambda: len(one.song.tempos) == 1)
        act(frames.at(8 * BAR, 9, in_sections=False), "Time signature", "3/4")
        await one.settle(lambda: len(one.song.meters) == 2)
        assert (one.song.meters[1].beats, one.song.meters[1].at) == (3, 8 * BAR)
        act(frames.at(8 * BAR, 9, in_sections=False), "Take out time signature")
        await one.settle(lambda: len(one.song.meters) == 1)

    told(story, song=SONG)


def test_the_header_pans_locks_and_takes_tracks_elsewhere(told: Run) -> None:
    async def story(one) -> None:
        headers, middle = one.view.headers, (PAN_LEFT + PAN_RIGHT) // 2
        drag(headers, QPoint(middle, SLIDER_Y), QPoint(middle + 6, SLIDER_Y))
        await one.settle(lambda: one.song.tracks[0].pan != 0)
        assert one.song.tracks[0].pan == pytest.approx(0.4)
        QTest.mouseClick(headers, LEFT, NONE, QPoint(18, SLIDER_Y))
        await one.settle(lambda: bool(one.opened.locks.value))
        assert one.opened.locks.value == (TrackLock(TrackId("ta")),)
        drag(headers, QPoint(60, 10), QPoint(60, 100))
        await one.settle(lambda: one.song.tracks[0].id != "ta")
        assert [track.id for track in one.song.tracks] == ["tb", "tc", "ta"] or [
            track.id for track in one.song.tracks
        ] == ["tb", "ta", "tc"]
        headers.setFocus()
        one.opened.focus.track.set(TrackId("tb"))
        QTest.keyClick(headers, Qt.Key.Key_Down, ALT)
        await one.settle(lambda: one.song.tracks[0].id != "tb")
        assert one.song.tracks[1].id == "tb"
        QTest.keyClick(headers, Qt.Key.Key_Left, SHIFT)
        await one.settle(lambda: one.song.tracks[1].pan != 0)
        assert one.song.tracks[1].pan == -0.05

    told(story, song=SONG)


def test_menus_add_colour_duplicate_and_delete_tracks_and_lock_clips_and_bars(told: Run) -> None:
    async def story(one) -> None:
        menus = one.view.menus
        act(menus.tracks.instruments(TrackId("ta")), "Piano", one.opened.studio.palette.instrument("piano_grand").label)
        await one.settle(lambda: len(one.song.tracks) == 4)
        made = one.song.tracks[1]
        assert made.instrument == "piano_grand"
        assert one.opened.focus.track.value == made.id
        act(menus.tracks.menu(made.id, one.view), "Colour of", "Coral")
        await one.settle(lambda: one.song.tracks[1].color == "#E8735C")
        act(menus.tracks.menu(made.id, one.view), "Duplicate track")
        await one.settle(lambda: len(one.song.tracks) == 5)
        one.view.do("delete track")
        await one.settle(lambda: len(one.song.tracks) == 4)
        item = one.view.stage.scene.find((ClipId("clow"), False), overlay=False)
        act(menus.clip(item, Ticks(0)), "Lock clip")
        await one.settle(lambda: bool(one.opened.locks.value))
        one.opened.focus.bars.set((2, 3))
        act(menus.ground(), "Lock bars 2–3")
        await one.settle(lambda: len(one.opened.locks.value) == 2)
        assert one.opened.locks.value == (ClipLock(ClipId("clow")), BarsLock(2, 3))
        item = one.view.stage.scene.find((ClipId("clow"), False), overlay=False)
        act(menus.clip(item, Ticks(0)), "Unlock clip")
        await one.settle(lambda: len(one.opened.locks.value) == 1)

    told(story, song=SONG)


def test_lanes_have_three_heights_and_small_ones_hide_the_sliders(told: Run) -> None:
    async def story(one) -> None:
        act(one.view.menus.ground(), "Lane height", "Small")
        one.view.grab()
        drag(one.view.headers, QPoint(80, 20), QPoint(110, 20))
        await one.settle()
        assert one.song.tracks[0].volume_db == 0
        act(one.view.menus.ground(), "Lane height", "Tall")
        assert one.view.stage.axis.row_height == 64

    told(story, song=SONG)


def test_the_height_of_lanes_is_kept_for_its_project_and_follows_the_window_until_one_is_chosen(told: Run) -> None:
    async def story(one) -> None:
        one.view.stage.lane_choice.size.set("auto")
        heights = []
        for size in ((1280, 720), (1600, 1000), (1920, 1080)):
            one.view.resize(*size)
            heights.append(one.view.stage.axis.row_height)
        assert heights == [32, 40, 48]
        act(one.view.menus.ground(), "Lane height", "Tall")
        await one.settle()
        again = TimelineView(one.opened, one.kit)
        again.show()
        try:
            await one.settle(lambda: again.stage.axis.row_height == 64)
            assert again.stage.axis.row_height == 64
            again.resize(1280, 720)
            assert again.stage.axis.row_height == 64
            other = LaneChoice(one.opened.studio.store, "another project")
            await other.load()
            assert other.size.value == "auto"
        finally:
            again.close_view()
            again.close()
            again.deleteLater()

    told(story, song=SONG)


def test_a_midi_file_let_go_over_a_bar_adds_its_tracks_there_as_one_version(told: Run, tmp_path: Path) -> None:
    path = tmp_path / "lead & <b>.mid"
    file = mido.MidiFile(ticks_per_beat=480)
    file.tracks.append(mido.MidiTrack([
        mido.MetaMessage("track_name", name="Lead"), mido.MetaMessage("set_tempo", tempo=400_000),
        mido.Message("note_on", note=64, velocity=90, time=0), mido.Message("note_off", note=64, time=480),
    ]))
    file.save(str(path))

    async def story(one) -> None:
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path))])
        at = QPoint(x_of(one, 5) + 10, 60)
        enter = QDragEnterEvent(at, Qt.DropAction.CopyAction, data, LEFT, NONE)
        one.view.dragEnterEvent(enter)
        assert enter.isAccepted()
        one.view.grab()
        one.view.dropEvent(QDropEvent(QPointF(at), Qt.DropAction.CopyAction, data, LEFT, NONE))
        await one.settle(lambda: len(one.song.tracks) == 4)
        made = one.song.tracks[3]
        assert made.name == "Lead"
        assert [clip.start + note.start for clip in made.clips for note in clip.notes] == [4 * BAR]
        assert one.song.tempos == SONG.tempos
        await one.opened.versions.undo()
        assert len(one.song.tracks) == 3

    told(story, song=SONG)


def test_a_file_that_is_no_midi_is_told_and_an_empty_song_leaves_files_to_the_window(told: Run, tmp_path: Path) -> None:
    path = tmp_path / "broken.mid"
    path.write_bytes(b"MThd nonsense")

    async def story(one) -> None:
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path))])
        enter = QDragEnterEvent(QPoint(9, 9), Qt.DropAction.CopyAction, data, LEFT, NONE)
        enter.ignore()
        one.view.dragEnterEvent(enter)
        assert not enter.isAccepted()
        one.view.stage.bring_in(path, Ticks(0))
        await one.settle(lambda: bool(one.troubles))
        assert "broken.mid" in one.troubles[0].what

    told(story)


def test_the_selection_is_zoomed_to_and_stands_inside_the_view(told: Run) -> None:
    async def story(one) -> None:
        one.opened.focus.clips.set(frozenset([ClipId("ctwo")]))
        one.view.zoom_selection()
        left, right = x_of(one, 9), x_of(one, 13)
        assert 0 <= left < right <= one.view.viewport().width()
        assert right - left > one.view.viewport().width() * 0.8

    told(story, song=SONG)


def test_the_outline_tells_tracks_and_clips_and_follows_the_keyboard(told: Run) -> None:
    async def story(one) -> None:
        listed = one.view._description.list
        tester = QAbstractItemModelTester(listed.outline, QAbstractItemModelTester.FailureReportingMode.Fatal)
        one.view.stage.unfold(TrackId("tb"), "pan", on=True)
        await one.settle()
        rows = [listed.outline.index(row, 0).data() for row in range(listed.outline.rowCount())]
        assert rows[:4] == [
            "Track Pad, 2 clips", "Clip, one, Pad, bars 1 to 4, 4 notes", "Clip, two, Pad, bars 9 to 12, 4 notes",
            "Track <img src=file:///etc/passwd>, 1 clip",
        ]
        assert rows[5] == "Curve, pan of <img src=file:///etc/passwd>, 0 points"
        one.view.setFocus()
        QTest.keyClick(one.view, Qt.Key.Key_Right)
        QTest.keyClick(one.view, Qt.Key.Key_Right)
        await one.settle()
        assert listed.currentIndex().data() == "Clip, two, Pad, bars 9 to 12, 4 notes, selected"
        assert one.view.accessibleDescription() == listed.currentIndex().data()
        assert listed.focusPolicy() == Qt.FocusPolicy.NoFocus
        tester.deleteLater()

    told(story, song=SONG)


def test_overlapping_clips_are_hit_as_they_are_painted(told: Run) -> None:
    def long(name: str, start: int, length: int) -> Clip:
        return Clip(ClipId(name), name, Ticks(start * BAR), Ticks(length * BAR), (
            Note(NoteId(f"n{name}"), 60, Ticks(0), Ticks(480)),
        ))

    song = Song("Over", tracks=(Track(TrackId("ta"), "Pad", "pad_warm", clips=(
        long("ca", 0, 12), long("cb", 1, 2), long("cc", 2, 3), long("cd", 20, 1),
    )),))

    async def story(one) -> None:
        def at(bar: float) -> str:
            item = one.view.stage.scene.item_at(0, bar * BAR, overlay=False)
            return "" if item is None else item.clip.id

        assert [at(0.5), at(1.5), at(2.5), at(4), at(6), at(13), at(20.5), at(30)] == [
            "ca", "cb", "cc", "cc", "ca", "", "cd", "",
        ]

    told(story, song=song, edits=(SetTempo(bpm=99), SetTimeSignature(beats=4, unit=4)))
