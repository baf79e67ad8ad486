"""A piano roll over a real studio, on a qasync loop that lasts as long as the story."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from qt_fixtures import Loop
from rooms import Room, in_room

from agent.song.clip import Clip, Note
from agent.song.ids import ClipId, NoteId, TrackId
from agent.song.key import Key
from agent.song.song import Song
from agent.song.time import Ticks
from agent.song.track import Track
from app.ui.kit.theme import Theme
from app.ui.pianoroll.panel import PianoRollPanel

BAR = 3840
SIZE = (1100, 460)
NONE = Qt.KeyboardModifier.NoModifier
LEFT = Qt.MouseButton.LeftButton


def note(name: str, pitch: int, start: int, length: int = 960, velocity: int = 100) -> Note:
    return Note(NoteId(name), pitch, Ticks(start), Ticks(length), velocity)


SONG = Song(
    "Story", key=Key("C"),
    tracks=(
        Track(TrackId("ta"), "Keys", "piano_grand", clips=(
            Clip(ClipId("ca"), "Tune", Ticks(2 * BAR), Ticks(2 * BAR), (
                note("na", 60, 0), note("nb", 64, 960), note("nc", 67, 1920), note("nd", 72, 2880, 1920),
            )),
            Clip(ClipId("ce"), "Empty", Ticks(8 * BAR), Ticks(BAR)),
        )),
        Track(TrackId("td"), "<b>Drums</b>", "kit_standard", clips=(
            Clip(ClipId("cd"), "Beat", Ticks(2 * BAR), Ticks(BAR), (
                note("nk", 36, 0, 240), note("ns", 38, 960, 240),
            )),
        )),
    ),
)


class Roll:
    """A panel that shows a clip, and a hand over it."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.opened = room.opened
        self.heard: list[tuple[str, int, int]] = []
        # No device is opened; what would be heard is noted.
        room.opened.playback.audition = lambda *strike: self.heard.append(strike)  # type: ignore[method-assign]
        self.panel = PianoRollPanel(room.opened, room.kit)
        room.views.append(self.panel)
        # In the window it stands in the title of the dock.
        self.panel.bar.setParent(self.panel)
        self.panel.bar.hide()
        self.panel.resize(*SIZE)
        self.panel.show()
        self.view = self.panel.view
        self.scene = self.view.scene

    @property
    def song(self) -> Song:
        return self.opened.workspace.song

    def notes(self, clip: str = "ca") -> list[tuple[int, int, int, int]]:
        """Pitch, start, length and velocity of a clip's notes."""
        return [
            (one.pitch, one.start, one.duration, one.velocity) for one in self.song.clip(ClipId(clip))[1].notes
        ]

    def ids(self, clip: str = "ca") -> set[str]:
        return {one.id for one in self.song.clip(ClipId(clip))[1].notes}

    @property
    def label(self) -> str:
        """Words of the last version."""
        return self.opened.versions.iterations.value[0].label

    async def show(self, clip: str = "ca") -> None:
        self.opened.focus.clip.set(ClipId(clip))
        await self.room.until(lambda: self.scene.clip is not None and self.scene.clip.id == clip)
        await self.settle()
        self.view.setFocus()

    async def settle(self) -> None:
        """Let what was begun come to its end, and the view catch up."""
        await asyncio.sleep(0.02)
        await self.room.until(lambda: not self.room.kit.tasks.running)
        await self.opened.versions.refresh()
        await asyncio.sleep(0.04)

    def at(self, pitch: int, tick: float) -> QPoint:
        """The pixel in the middle of a pitch's row at a tick of the clip."""
        axis = self.scene.axis
        return QPoint(round(axis.x(tick)), axis.y(pitch) + axis.row_height // 2)

    def mouse(self, kind: QEvent.Type, at: QPoint, keys: Qt.KeyboardModifier = NONE, widget: QWidget | None = None,
              button: Qt.MouseButton = LEFT) -> None:
        target = widget or self.view.viewport()
        pressed = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else button
        held = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else button
        event = QMouseEvent(kind, QPointF(at), QPointF(target.mapToGlobal(at)), pressed, held, keys)
        QApplication.sendEvent(target, event)

    def drag(self, start: QPoint, end: QPoint, keys: Qt.KeyboardModifier = NONE, *, widget: QWidget | None = None,
             drop: bool = True) -> None:
        self.mouse(QEvent.Type.MouseButtonPress, start, NONE, widget)
        for share in (0.3, 0.7, 1.0):
            self.mouse(QEvent.Type.MouseMove, start + (end - start) * share, keys, widget)
        if drop:
            self.mouse(QEvent.Type.MouseButtonRelease, end, keys, widget)

    def click(self, at: QPoint, keys: Qt.KeyboardModifier = NONE) -> None:
        self.mouse(QEvent.Type.MouseButtonPress, at, keys)
        self.mouse(QEvent.Type.MouseButtonRelease, at, keys)

    def key(self, key: Qt.Key, keys: Qt.KeyboardModifier = NONE) -> None:
        QTest.keyClick(self.view, key, keys)

    def takes(self, key: Qt.Key, keys: Qt.KeyboardModifier = NONE) -> bool:
        """Whether a key is the view's before any shortcut of the window."""
        event = QKeyEvent(QEvent.Type.ShortcutOverride, key, keys)
        event.ignore()
        QApplication.sendEvent(self.view, event)
        return event.isAccepted()


Story = Callable[[Roll], Awaitable[None]]


@pytest.fixture
def rolled(tmp_path: Path, theme: Theme, qloop: Loop) -> Callable[..., None]:
    """Runs a story about a piano roll over a song."""

    def run(story: Story, song: Song = SONG) -> None:
        async def work(room: Room) -> None:
            await room.opened.workspace.replace(song, "edit", "begin")
            await story(Roll(room))

        qloop.run(in_room(theme, tmp_path, work))

    return run
