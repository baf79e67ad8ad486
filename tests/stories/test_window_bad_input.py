"""Bad input at the real window: nothing crashes, hangs, leaks, or is taken for markup."""

from __future__ import annotations

import hashlib
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hostile import NAMES, TAG, marked, no_hang, rendered, tips
from msgspec.structs import replace
from people import Person, at_window
from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QPlainTextEdit, QWidget
from qt_fixtures import Loop, garbage, qloop, theme
from studio_parts import a_song, step
from windows import WindowProcess

from agent.errors import BandleaderError
from agent.plan.document import Plan
from agent.plan.plan import Step
from agent.song.clip import Clip, Note, in_order
from agent.song.ids import ClipId, NoteId, SectionId, TrackId
from agent.song.song import Section, Song
from agent.song.time import Ticks
from agent.song.track import Track
from app.ui.kit.theme import Theme
from app.ui.pianoroll.view import RollView
from app.ui.shell.looks import Looks, to_text
from app.ui.shell.main_window import MainWindow
from app.ui.timeline.area import TimelineArea
from app.ui.timeline.headers import Headers
from app.viewmodels.plan_files import open_plan

__all__ = ["garbage", "qloop", "theme"]
AtWindow = Callable[..., None]


@pytest.fixture
def at_the_window(theme: Theme, tmp_path: Path, qloop: Loop) -> AtWindow:
    """Runs a story of a person at the real window, which must not hang in it."""

    def tell(story) -> None:  # type: ignore[no-untyped-def]
        async def watched(person: Person) -> None:
            async with no_hang():
                await story(person)

        qloop.run(at_window(theme, tmp_path / "home", watched))

    return tell


def hostile_song() -> Song:
    """Tracks, clips and sections with names that nobody should give."""
    tracks = tuple(
        Track(
            TrackId(f"t{at}"), name, "pad_warm" if at % 2 else name,
            clips=(Clip(ClipId(f"c{at}"), name, Ticks(at * 960), Ticks(7680), (
                Note(NoteId(f"n{at}"), 60 + at, Ticks(0), Ticks(960)),
            )),),
        )
        for at, name in enumerate(NAMES)
    )
    sections = tuple(
        Section(SectionId(f"s{at}"), name, Ticks(at * 3840), Ticks(3840)) for at, name in enumerate(NAMES)
    )
    return Song(TAG, sections=sections, tracks=tracks)


def hostile_rows() -> tuple[Step, ...]:
    """Rows whose every word is hostile."""
    return tuple(
        replace(
            step(f"s{at}", "create_track", {"name": name[-100:] or TAG, "instrument": "pad_warm"}),
            title=name[:500], group=name[:500], why=name,
        )
        for at, name in enumerate(NAMES)
    )


async def propose(person: Person, rows: tuple[Step, ...], request: str = "more") -> None:
    """Put these rows up for review."""
    opened = person.room.opened
    planning = opened.studio.planning
    if opened.workspace.draft:
        await opened.workspace.keep(opened.workspace.name)
    stage = await planning.stage(opened.workspace.record)
    plan = planning.adopt(Plan(rows, request=request), stage)
    await opened.reviewing.put_up(await planning.judge(plan, stage.song))
    await person.room.until(lambda: not opened.reviewing.pending.value)
    await person.room.still()


async def look_around(person: Person) -> None:
    """Every view is opened and drawn, and no name has become markup in it."""
    for part in ("plan", "pianoroll", "mixer", "events"):
        person.action(f"window.{part}")
        await person.room.still()
        assert not person.window.grab().isNull()
        assert rendered(person.window) == []
    assert person.window.minimumSizeHint().width() <= 1280


def test_no_name_is_markup_anywhere(at_the_window: AtWindow) -> None:
    async def story(person: Person) -> None:
        opened, room = person.room.opened, person.room
        await opened.workspace.replace(hostile_song(), "edit", TAG)
        await room.still()
        for number in (0, 1, 3):
            opened.focus.track.set(TrackId(f"t{number}"))
            opened.focus.clip.set(ClipId(f"c{number}"))
            opened.focus.clips.set(frozenset({ClipId(f"c{number}")}))
            await room.still()
        person.action("track.lock_clips")
        await room.still()
        await look_around(person)
        await opened.conversation.say("you", f"{TAG} {NAMES[3]}")
        await propose(person, hostile_rows(), TAG)
        await look_around(person)
        for kind in (TimelineArea, RollView, Headers):
            shown = tips(person.window.findChild(kind))
            assert shown
            assert [one for one in shown if marked(one)] == []
        assert opened.reviewing.proposal.value.judged.errors == ()
        person.approve()
        await room.until(lambda: opened.running.live.value and not opened.running.busy)
        room.kit.troubles.tell(BandleaderError(TAG, why=NAMES[1], fix=NAMES[3]), "window")
        await room.still()
        await look_around(person)
        person.action("track.locks")
        person.action("window.find")
        await room.still()
        assert rendered(person.window) == []
        close_dialogs(person.window)
        room.told.clear()

    at_the_window(story)


def test_a_clip_of_fifty_thousand_notes(at_the_window: AtWindow) -> None:
    async def story(person: Person) -> None:
        opened, room = person.room.opened, person.room
        notes = tuple(
            Note(NoteId(f"n{at}"), 24 + at * 7 % 80, Ticks(at * 60), Ticks(120), 1 + at % 127) for at in range(50_000)
        )
        clip = Clip(ClipId("cmany"), "Many", Ticks(0), Ticks(50_000 * 60 + 960), in_order(notes))
        song = Song(tracks=(Track(TrackId("tmany"), "Many", "pad_warm", clips=(clip,)),))
        await opened.workspace.replace(song, "edit", "many")
        await room.still()
        opened.focus.clip.set(clip.id)
        person.action("window.pianoroll")
        await room.still()
        area = person.window.findChild(RollView)
        assert not person.window.grab().isNull()
        QTest.keyClick(area, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClick(area, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
        await room.until(lambda: opened.workspace.song.tracks[0].clips[0].notes != clip.notes)
        await room.still()
        assert opened.workspace.song.note_count == 50_000
        person.action("edit.undo")
        await room.still()
        assert opened.workspace.song.tracks[0].clips[0].notes == clip.notes

    at_the_window(story)


def test_ten_megabytes_pasted_into_the_chat(at_the_window: AtWindow) -> None:
    async def story(person: Person) -> None:
        box = person.find(QPlainTextEdit, "Request")
        assert isinstance(box, QPlainTextEdit)
        QGuiApplication.clipboard().setText((TAG + " compose a waltz\n") * 220_000)
        box.setFocus()
        box.paste()
        await person.room.still()
        assert 0 < len(box.toPlainText()) < 1_000_000
        QTest.keyClick(box, Qt.Key.Key_Return)
        await person.room.until(lambda: not person.room.opened.asking.doing.value)
        await person.room.still()
        assert rendered(person.window) == []
        QGuiApplication.clipboard().clear()

    at_the_window(story)


def test_a_plan_of_five_hundred_rows_is_reviewed_and_run(at_the_window: AtWindow) -> None:
    async def story(person: Person) -> None:
        opened, room = person.room.opened, person.room
        await opened.workspace.replace(a_song(), "edit", "begin")
        rows = tuple(
            step(f"s{at}", "update_track", {"track_id": "tpad", "volume_db": -(at % 60) - 0.5}) for at in range(500)
        )
        await propose(person, rows)
        person.click_cell("s7", 1)
        await room.until(lambda: "s7" in opened.reviewing.proposal.value.rejections)
        await room.until(lambda: not opened.reviewing.pending.value)
        await room.still()
        person.approve()
        await room.until(lambda: opened.running.live.value and not opened.running.busy)
        await room.still()
        live = opened.running.live.value
        assert live is not None
        assert live.ledger.done == 499

    at_the_window(story)


@pytest.mark.parametrize("content", [
    b"", b"{", b"\xff\xfe\x00", b"[" * 3_000_000, b'{"steps": [], "version": 99}',
    b'{"steps": [{"id": "s1", "tool": "<img src=file:///etc/passwd>"}]}',
    b'{"steps": [{"id": "s1", "tool": "create_track", "inputs": {"name": "<img src=file:///etc/passwd>"}, '
    b'"title": "<img src=file:///etc/passwd>", "by": "model", "goal": "x", "max_edits": 1}]}',
])
def test_a_plan_file_that_is_none_changes_nothing(at_the_window: AtWindow, tmp_path: Path, content: bytes) -> None:
    async def story(person: Person) -> None:
        opened, room = person.room.opened, person.room
        await opened.workspace.replace(a_song(), "edit", "begin")
        before = opened.workspace.song
        path = tmp_path / f"{TAG.replace('/', '_')}.plan.json"
        path.write_bytes(content)
        room.kit.tasks.start(open_plan(opened, path), "plan")
        await room.still()
        assert opened.workspace.song == before
        proposal = opened.reviewing.proposal.value
        assert proposal is None or proposal.judged.errors
        assert proposal is not None or room.told
        assert not person.window.grab().isNull()
        assert rendered(person.window) == []

    at_the_window(story)


OPENING = (
    "file.open", "file.open_midi", "file.export", "file.settings", "track.locks", "window.find", "help.shortcuts",
    "help.about", "plan.discard", "plan.reject_reason", "plan.ask_again", "plan.save", "plan.open",
)


@pytest.mark.parametrize("action", OPENING)
def test_the_window_may_be_closed_while_a_dialog_is_open(at_the_window: AtWindow, action: str) -> None:
    async def story(person: Person) -> None:
        await person.room.opened.workspace.replace(a_song(), "edit", "begin")
        await propose(person, (step("s1", "set_tempo", {"bpm": 90}),))
        person.plan.view.setCurrentIndex(person.plan.view.model().row_index("s1"))
        person.action(action)
        await person.room.still()
        # What is open now is closed with the window, and leaves nothing behind.

    at_the_window(story)


def close_dialogs(window: QWidget) -> None:
    """Close what has opened over the window."""
    for dialog in window.findChildren(QDialog):
        dialog.close()
    for popup in QApplication.topLevelWidgets():
        if popup is not window and popup.isVisible():
            popup.close()


def test_a_project_of_a_newer_version_is_told_and_not_touched(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with WindowProcess(home) as window:
        window.until_open()
        window.send(signal.SIGTERM)
        assert window.ended() == 0
    with closing(sqlite3.connect(home / "bandleader.db")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    before = hashlib.sha256((home / "bandleader.db").read_bytes()).hexdigest()
    with WindowProcess(home) as window:
        window.until_said("error: ")
        assert "newer" in window.said
        window.send(signal.SIGTERM)
        assert window.ended() == 6
    assert hashlib.sha256((home / "bandleader.db").read_bytes()).hexdigest() == before


def test_a_window_whose_screen_is_gone_is_on_one_that_is_there(theme: Theme, qloop: Loop) -> None:
    far = QWidget()
    far.setGeometry(QRect(30_000, -20_000, 1200, 800))
    geometry = to_text(far.saveGeometry())
    far.deleteLater()
    window = MainWindow(theme, Looks("dark", geometry=geometry))
    window.show()
    qloop.app.processEvents()
    screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    assert any(screen.intersects(window.frameGeometry()) for screen in screens)
    window.hide()
    window.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def test_what_would_be_drawn_as_markup_is_found(qloop: Loop) -> None:
    """Else the tests above could not fail."""
    window = QWidget()
    QLabel(TAG, window)
    window.setToolTip(TAG)
    assert len([fault for fault in rendered(window) if "etc/passwd" in fault]) == 2
    window.deleteLater()
    qloop.app.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
