"""Somebody locks clips and bars in the window, plans and runs, and sees that both were kept."""

from __future__ import annotations

from pathlib import Path

from people import Person, at_window
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListWidget
from qt_fixtures import Loop, garbage, qloop, theme
from studio_parts import CHORDS, PAD, a_song

from agent.song.locks import BarsLock, ClipLock, TrackLock, digest
from app.ui.kit.theme import Theme
from app.ui.shell.locks_dialog import LocksDialog
from app.ui.timeline.ruler import Ruler

__all__ = ["garbage", "qloop", "theme"]


def locks_dialog(person: Person) -> LocksDialog:
    """The list of locks that is open."""
    return next(one for one in person.window.findChildren(LocksDialog) if one.isVisible())


def test_what_is_locked_is_kept_and_the_answer_proves_it(theme: Theme, tmp_path: Path, qloop: Loop) -> None:
    async def story(person: Person) -> None:
        room, opened = person.room, person.room.opened
        await opened.workspace.replace(a_song(), "edit", "begin")
        await room.still()
        opened.focus.clips.set(frozenset({CHORDS}))
        person.action("track.lock_clips")
        opened.focus.bars.set((1, 2))
        await room.still()
        person.window._refresh()
        assert person.window.actions_["track.lock_bars"].text() == "Lock bars 1–2"
        assert person.window.actions_["track.lock_clips"].isChecked()
        ruler = person.window.findChild(Ruler)
        assert isinstance(ruler, Ruler)
        unlocked = ruler.grab().toImage()
        person.action("track.lock_bars")
        await room.still()
        assert ruler.grab().toImage() != unlocked
        held = (ClipLock(CHORDS), BarsLock(1, 2))
        assert opened.locks.value == held

        before = [digest(lock, opened.workspace.song) for lock in held]
        await person.ask("more energetic and faster")
        proposal = opened.reviewing.proposal.value
        assert proposal is not None
        assert proposal.judged.plan.locks == held
        reach = person.plan.footer.proposed._reach
        await room.until(reach.text)
        assert reach.text().endswith("2 locks kept: Clip Chords of Pad, Bars 1–2.")
        person.approve()
        await room.until(lambda: opened.running.live.value and not opened.running.busy)
        await room.still()
        after = [digest(lock, opened.workspace.song) for lock in held]
        assert after == before
        told = opened.conversation.entries[-1]
        assert "2 locked parts are unchanged." in told.text
        said = told.details
        assert f"Clip Chords of Pad is locked and unchanged ({before[0][:8]} before and after)" in said
        assert f"Bars 1–2 are locked and unchanged ({before[1][:8]} before and after)" in said

    qloop.run(at_window(theme, tmp_path / "home", story))


def test_locks_are_let_go_in_their_list_and_stay_so(theme: Theme, tmp_path: Path, qloop: Loop) -> None:
    names: list[str] = []

    async def lets_go(person: Person) -> None:
        room, opened = person.room, person.room.opened
        await opened.workspace.replace(a_song(), "edit", "begin")
        await opened.lock((BarsLock(5, 8), ClipLock(CHORDS), TrackLock(PAD)))
        person.action("track.locks")
        dialog = locks_dialog(person)
        shown: QListWidget = dialog.list
        assert [shown.item(row).text() for row in range(3)] == ["Track Pad", "Clip Chords of Pad", "Bars 5–8"]
        shown.setFocus()
        QTest.keyClick(shown, Qt.Key.Key_Down)
        QTest.keyClick(shown, Qt.Key.Key_Delete)
        await room.still()
        assert opened.locks.value == (BarsLock(5, 8), TrackLock(PAD))
        QTest.mouseClick(dialog.let_go, Qt.MouseButton.LeftButton)
        await room.still()
        assert opened.locks.value == (TrackLock(PAD),)
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        names.append(opened.workspace.name)
        await room.still()

    async def comes_back(person: Person) -> None:
        await person.room.desktop.open(names[0])
        await person.room.still()
        assert person.room.opened.locks.value == (TrackLock(PAD),)
        person.action("track.locks")
        dialog = locks_dialog(person)
        QTest.mouseClick(dialog.let_all_go, Qt.MouseButton.LeftButton)
        await person.room.still()
        assert person.room.opened.locks.value == ()
        assert dialog.none.isVisible()
        dialog.accept()

    qloop.run(at_window(theme, tmp_path / "home", lets_go))
    qloop.run(at_window(theme, tmp_path / "home", comes_back))


def test_a_lock_on_a_clip_that_was_deleted_by_hand_bars_no_plan(theme: Theme, tmp_path: Path, qloop: Loop) -> None:
    async def story(person: Person) -> None:
        room, opened = person.room, person.room.opened
        await opened.workspace.replace(a_song(), "edit", "begin")
        await opened.lock((ClipLock(CHORDS),))
        opened.focus.clips.set(frozenset({CHORDS}))
        person.action("edit.delete")
        await room.still()
        await person.ask("faster")
        proposal = opened.reviewing.proposal.value
        assert proposal is not None
        assert not proposal.judged.errors
        assert proposal.judged.plan.locks == ()
        assert opened.locks.value == (ClipLock(CHORDS),)

    qloop.run(at_window(theme, tmp_path / "home", story))
