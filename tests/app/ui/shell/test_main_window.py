"""The main window: its pages, places, messages and files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import mido
import pytest
from PySide6.QtCore import QMimeData, QPoint, QSize, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLineEdit, QPushButton

from agent.song.edits import SetTempo
from app.ui.shell.dock_names import CHAT, HISTORY, PLAN
from app.ui.shell.file_commands import ProjectDialog
from app.ui.shell.looks import Looks, to_bytes, to_text
from app.viewmodels.texts.troubles import Trouble

Show = Callable[..., None]


def midi(path: Path, notes: int = 4) -> Path:
    """A small MIDI file."""
    file, track = mido.MidiFile(), mido.MidiTrack()
    for number in range(notes):
        track.append(mido.Message("note_on", note=60 + number, velocity=80, time=0))
        track.append(mido.Message("note_off", note=60 + number, time=480))
    file.tracks.append(track)
    file.save(path)
    return path


def test_the_start_page_gives_way_to_an_empty_song_and_comes_back(shown: Show) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        window = one.window
        assert one.page() == "welcome"
        assert window.docks.docks[PLAN].isHidden()
        assert not window.actions_["edit.select_all"].isEnabled()
        one.run("file.new")
        assert one.page() == "timeline"
        assert not window.docks.docks[PLAN].isHidden()
        one.run("file.start_page")
        await one.room.until(lambda: one.page() == "welcome")

    shown(story)


def test_a_request_leaves_the_start_page(shown: Show) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        await one.room.plan("a calm lofi beat, 4 bars")
        assert one.page() == "timeline"
        assert one.window.actions_["plan.run"].isEnabled()
        assert one.window.windowTitle() == f"{one.room.opened.workspace.name} — Bandleader"
        assert one.window.actions_["plan.run"].text().startswith("Approve and run ")

    shown(story)


def test_an_empty_song_beside_its_plan_plays_on_in_silence(shown: Show) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        room = one.room
        await room.plan("a calm lofi beat, 4 bars")
        playback, focus = room.opened.playback, room.opened.focus
        room.opened.listening.toggle()
        one.run("transport.play")
        await room.until(lambda: playback.position() > 0)
        for side in ("song", "plan", "song"):
            room.opened.listening.toggle()
            assert focus.side.value == side
            at = playback.position()
            await room.until(lambda at=at: not playback.state.value.playing or playback.position() > at)
            assert playback.state.value.playing
            assert playback.position() > at
        await playback.stop()

    shown(story)


def test_a_plan_that_has_just_come_is_shown_and_then_left_behind_as_one_likes(shown: Show) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        tabs, parts = one.window.docks._tabs, one.window._attached.bench.parts()
        one.run("file.new")
        one.run("window.mixer")
        await one.room.plan("a calm lofi beat, 4 bars")
        assert tabs.currentWidget() is parts["plan"].widget
        one.run("window.mixer")
        step = one.room.opened.reviewing.proposal.value.plan.steps[-1].id
        await one.room.opened.reviewing.reject([step])
        await one.room.still()
        assert tabs.currentWidget() is parts["mixer"].widget

    shown(story)


def test_another_project_closes_the_views_of_the_one_before(shown: Show) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        await one.room.opened.edit((SetTempo(bpm=90),), "Tempo 90 BPM")
        assert one.log.count("timeline made") == 1
        await one.room.desktop.new()
        assert one.log.count("timeline made") == 2
        for part in ("chat", "plan", "timeline", "history", "welcome"):
            assert one.log.count(f"{part} closed") == 1
        assert one.window.centralWidget().count() == 2

    shown(story)


def test_every_view_is_closed_at_the_end(shown: Show) -> None:
    logs: list[list[str]] = []

    async def story(one) -> None:  # type: ignore[no-untyped-def]
        logs.append(one.log)

    shown(story)
    made, closed = ({word.split()[0] for word in logs[0] if word.endswith(end)} for end in ("made", "closed"))
    assert made == closed == {
            "chat", "plan", "events", "timeline", "pianoroll", "mixer", "history", "transport", "welcome",
        }


def test_places_are_kept_and_restored(shown: Show) -> None:
    kept: list[Looks] = []

    async def arrange(one) -> None:  # type: ignore[no-untyped-def]
        one.run("file.new")
        one.refresh()
        one.window.docks.toggle(HISTORY)
        one.window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, one.window.docks.docks[CHAT])
        kept.append(replace(one.window.looks(), geometry=""))

    async def again(one) -> None:  # type: ignore[no-untyped-def]
        assert one.window.docks.docks[PLAN].isHidden()
        one.run("file.new")
        one.refresh()
        docks = one.window.docks.docks
        assert docks[HISTORY].isHidden()
        assert one.window.dockWidgetArea(docks[CHAT]) is Qt.DockWidgetArea.RightDockWidgetArea
        one.run("window.reset")
        assert not docks[HISTORY].isHidden()
        assert one.window.dockWidgetArea(docks[CHAT]) is Qt.DockWidgetArea.LeftDockWidgetArea

    shown(arrange)
    shown(again, kept[0])


def test_the_view_that_was_before_the_others_is_so_again(shown: Show) -> None:
    kept: list[Looks] = []

    async def choose(one) -> None:  # type: ignore[no-untyped-def]
        one.run("file.new")
        one.run("window.mixer")
        await one.room.desktop.new()
        assert one.window.docks._tabs.currentWidget() is one.window._attached.bench.mixer.widget
        kept.append(replace(one.window.looks(), geometry=""))

    async def again(one) -> None:  # type: ignore[no-untyped-def]
        assert one.window.docks._tabs.currentWidget() is one.window._attached.bench.mixer.widget
        assert one.window.looks().tab == "mixer"

    async def gone(one) -> None:  # type: ignore[no-untyped-def]
        assert one.window.docks._tabs.currentIndex() == 0

    shown(choose)
    shown(again, kept[0])
    shown(gone, Looks(tab="no such view"))


@pytest.mark.parametrize("layout", ["", "AAAA", "not base64 ♥", "AAAA/wAAAAD9", to_text(to_bytes("c2F2ZWQ="))])
def test_places_that_are_damaged_are_ignored(shown: Show, layout: str) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        one.run("file.new")
        one.refresh()
        docks = one.window.docks
        assert docks.shown() == {CHAT, HISTORY, PLAN}
        assert one.window.dockWidgetArea(docks.docks[CHAT]) is Qt.DockWidgetArea.LeftDockWidgetArea

    shown(story, Looks("no theme", layout, layout))


def test_a_narrow_window_has_the_history_behind_the_chat_and_cuts_nothing(shown: Show) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        window, docks = one.window, one.window.docks.docks
        one.run("file.new")
        for size, narrow in ((QSize(1280, 720), True), (QSize(1024, 640), True), (QSize(1600, 1000), False)):
            window.resize(size)
            one.refresh()
            assert window.size() == size
            assert bool(window.tabifiedDockWidgets(docks[CHAT])) is narrow
            assert window.minimumSizeHint().width() <= size.width()
            assert window.minimumSizeHint().height() <= size.height()

    shown(story)


def test_troubles_of_the_window_are_told_under_the_transport_and_only_once(shown: Show) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        told = one.room.kit.troubles.told
        for place in ("window", "window", "timeline", "transport", "chat", "plan", "history"):
            told.emit(Trouble(place, f"{place} broke", "because", "mend it"))  # type: ignore[arg-type]
        assert one.strips == ["window broke", "timeline broke", "transport broke"]
        told.emit(Trouble("window", "again"))
        assert one.strips == ["timeline broke", "transport broke", "again"]

    shown(story)


@pytest.mark.parametrize("content", [b"", b"MThd", b"\x00" * 4000, b"not music at all"])
def test_a_broken_midi_file_is_told_and_opens_nothing(shown: Show, tmp_path: Path, content: bytes) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        broken = tmp_path / "night-ferry.mid"
        broken.write_bytes(content)
        before = one.room.opened
        one.window._attached.files.bring_in(broken)
        await one.room.still()
        assert one.room.opened is before
        assert one.page() == "welcome"
        assert len(one.strips) == 1
        assert not await one.room.desktop.studio.projects.all()

    shown(story)


def test_a_midi_file_that_is_dropped_is_opened(shown: Show, tmp_path: Path) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        window, data = one.window, QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(midi(tmp_path / "Night Ferry.MID")))])
        copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
        none = Qt.KeyboardModifier.NoModifier
        enter = QDragEnterEvent(QPoint(300, 300), copy, data, left, none)
        QApplication.sendEvent(window, enter)
        assert enter.isAccepted()
        assert window._attached.outline.isVisible()
        QApplication.sendEvent(window, QDropEvent(QPoint(300, 300), copy, data, left, none))
        assert not window._attached.outline.isVisible()
        await one.room.until(lambda: one.room.opened.workspace.song.note_count == 4)
        await one.room.still()
        assert one.page() == "timeline"
        assert one.window.windowTitle().startswith("Night Ferry")

    shown(story)


def test_other_things_cannot_be_dropped(shown: Show, tmp_path: Path) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        for urls in (["a.wav"], ["a.mid", "b.mid"], []):
            data = QMimeData()
            data.setUrls([QUrl.fromLocalFile(str(tmp_path / name)) for name in urls])
            enter = QDragEnterEvent(
                QPoint(9, 9), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
            )
            QApplication.sendEvent(one.window, enter)
            assert not one.window._attached.outline.isVisible()

    shown(story)


def test_undo_and_redo_walk_and_name_what_they_do(shown: Show) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        opened, actions = one.room.opened, one.window.actions_
        await opened.edit((SetTempo(bpm=90),), "Tempo 90 BPM")
        await one.room.still()
        one.refresh()
        assert actions["edit.undo"].text() == "Undo: Tempo 90 BPM"
        one.run("edit.undo")
        await one.room.until(lambda: opened.workspace.song.tempo_map.bpm(0) == 120)
        await one.room.still()
        one.refresh()
        assert not actions["edit.undo"].isEnabled() or "Tempo 90" not in actions["edit.undo"].text()
        assert actions["edit.redo"].text() == "Redo: Tempo 90 BPM"
        one.run("edit.redo")
        await one.room.until(lambda: opened.workspace.song.tempo_map.bpm(0) == 90)

    shown(story)


def test_quick_undo_and_redo_lose_no_key_and_the_end_of_the_way_is_no_error(shown: Show) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        opened, actions, troubles = one.room.opened, one.window.actions_, []
        one.room.kit.troubles.told.listen(troubles.append)
        for bpm in (90, 100):
            await opened.edit((SetTempo(bpm=bpm),), f"Tempo {bpm}")
        await one.room.still()
        one.refresh()
        for _ in range(6):
            actions["edit.undo"].trigger()
            actions["edit.redo"].trigger()
        await one.room.until(lambda: len(opened.versions.iterations.value) == 3 + 12)
        await one.room.still()
        assert opened.workspace.song.tempo_map.bpm(0) == 100
        for _ in range(3):
            actions["edit.undo"].trigger()
        await one.room.until(lambda: opened.focus.refused.value == "There is nothing to undo")
        assert opened.workspace.song.tempo_map.bpm(0) == 120
        assert troubles == []

    shown(story)


def test_export_writes_a_file_and_says_where(shown: Show, tmp_path: Path) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        await one.room.desktop.bring_in(midi(tmp_path / "Ferry.mid"))
        one.refresh()
        one.run("file.export")
        dialog = next(found for found in one.window.findChildren(QDialog) if found.windowTitle() == "Export")
        path = dialog.findChild(QLineEdit, "")
        assert path.text().endswith("Ferry.mid")
        path.setText(str(tmp_path / "new" / "out.mid"))
        dialog.export.click()
        await one.room.until(lambda: (tmp_path / "new" / "out.mid").exists())
        await one.room.still()
        assert (tmp_path / "new" / "out.mid").read_bytes()[:4] == b"MThd"
        words = one.window._attached.strips._result
        assert words.accessibleName() == "Exported out.mid"
        assert [button.text() for button in words.findChildren(QPushButton)] == ["Show folder"]
        assert one.window.actions_["file.export"].isEnabled()

    shown(story)


def test_what_is_to_be_done_with_a_file_is_written_into_the_chat_once_it_is_open(shown: Show, tmp_path: Path) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        one.window._attached._doors().open_midi("Add strings")
        [dialog] = one.window.findChildren(QFileDialog)
        broken = tmp_path / "broken.mid"
        broken.write_bytes(b"MThd and nothing")
        dialog.fileSelected.emit(str(broken))
        await one.room.still()
        assert "put Add strings" not in one.log
        one.window.docks.bring("history")
        dialog.fileSelected.emit(str(midi(tmp_path / "Ferry.mid")))
        await one.room.until(lambda: "put Add strings" in one.log)
        assert not one.window.docks.docks["chat"].visibleRegion().isEmpty()
        assert one.room.opened.workspace.name == "Ferry"
        assert one.log.index("put Add strings") > one.log.index("chat closed")
        dialog.reject()

    shown(story)


def test_an_export_that_fails_is_told(shown: Show, tmp_path: Path) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        await one.room.desktop.bring_in(midi(tmp_path / "Ferry.mid"))
        (tmp_path / "a file").write_text("in the way")
        one.window._attached.files.write("mid", tmp_path / "a file" / "out.mid")
        await one.room.still()
        assert len(one.strips) == 1
        one.refresh()
        assert one.window.actions_["file.export"].isEnabled()

    shown(story)


def test_the_theme_changes_the_palette_and_is_kept(shown: Show) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        dark = QApplication.palette().color(QPalette.ColorRole.Window)
        one.run("view.theme_light")
        await one.room.until(lambda: QApplication.palette().color(QPalette.ColorRole.Window).lightness() > 200)
        assert dark.lightness() < 200
        await one.room.still()
        assert one.room.desktop.preferences.value.theme == "light"
        one.refresh()
        assert one.window.actions_["view.theme_light"].isChecked()
        assert not one.window.actions_["view.theme_dark"].isChecked()
        one.run("view.theme_dark")
        await one.room.until(lambda: QApplication.palette().color(QPalette.ColorRole.Window) == dark)
        await one.room.until(lambda: one.window.updatesEnabled())

    shown(story)


def test_f6_walks_through_the_parts_that_can_be_seen(shown: Show) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        one.run("file.new")
        one.run("plan.request")
        seen = []
        for _ in range(4):
            one.run("window.next")
            seen.append(one.window.focusWidget().objectName())
        assert seen == ["timeline field", "history field", "plan field", "chat field"]
        one.run("window.previous")
        assert one.window.focusWidget().objectName() == "plan field"

    shown(story)


def test_tab_reaches_nothing_that_lies_behind_the_tab_of_another_dock(shown: Show) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        one.run("file.new")
        one.window.resize(1280, 720)
        one.run("plan.request")
        await one.room.still()
        reached = set()
        for key in (*[Qt.Key.Key_Tab] * 12, *[Qt.Key.Key_Backtab] * 12):
            QTest.keyClick(one.window.focusWidget(), key)
            reached.add(one.window.focusWidget().objectName())
            assert not one.window.focusWidget().visibleRegion().isEmpty()
        assert {"chat field", "timeline field"} <= reached
        assert "history field" not in reached

    shown(story)


def test_projects_are_found_by_their_names(shown: Show) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        projects = one.room.desktop.studio.projects
        for name in ("Night Ferry", "Paper Lanterns", "Ferry at noon"):
            await projects.create(name)
        one.run("file.open")
        await one.room.still()
        dialog = one.window.findChild(ProjectDialog)
        dialog.narrow("ferry night")
        assert dialog.list.currentItem().text() == "Night Ferry"
        dialog.narrow("no such song")
        assert not dialog.open_button.isEnabled()
        dialog.narrow("paper")
        dialog.open_button.click()
        await one.room.until(lambda: one.room.opened.workspace.name == "Paper Lanterns")

    shown(story)


def test_closing_tells_the_owner_and_hides_at_once(shown: Show) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        told: list[bool] = []
        one.window.closing.connect(lambda: told.append(one.window.isVisible()))
        one.run("file.quit")
        assert told == [False]

    shown(story)
