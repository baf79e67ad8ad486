"""A small song on the timeline, and a hand that drags over it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

from agent.song.clip import Clip, Note
from agent.song.ids import ClipId, NoteId, SectionId, TrackId
from agent.song.song import Section, Song
from agent.song.time import Ticks
from agent.song.track import Track
from app.ui.timeline.measures import BARS_TOP

BAR = 3840
BARS_ROW, LOOP_ROW = BARS_TOP + 16, BARS_TOP + 2
"""Where the bars of the ruler, and the loop above them, are pressed."""
NONE = Qt.KeyboardModifier.NoModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
LEFT = Qt.MouseButton.LeftButton


def clip(name: str, bar: int, bars: int) -> Clip:
    notes = tuple(Note(NoteId(f"n{name}{n}"), 60 + n, Ticks(n * 480), Ticks(480)) for n in range(4))
    return Clip(ClipId(f"c{name}"), name, Ticks((bar - 1) * BAR), Ticks(bars * BAR), notes)


SONG = Song(
    "Story",
    tracks=(
        Track(TrackId("ta"), "Pad", "pad_warm", clips=(clip("one", 1, 4), clip("two", 9, 4))),
        Track(TrackId("tb"), "<img src=file:///etc/passwd>", "bass_finger", clips=(clip("low", 5, 2),)),
        Track(TrackId("tc"), "Keys", "piano_grand"),
    ),
    sections=(Section(SectionId("sa"), "Verse", Ticks(0), Ticks(8 * BAR)),),
)


def place(told, clip_id: str, *, dx: int = 0) -> QPoint:
    item = told.view.stage.scene.find((ClipId(clip_id), False), overlay=False)
    axis = told.view.stage.axis
    middle = axis.x((item.clip.start + item.clip.end) / 2)
    return QPoint(round(middle) + dx, axis.row_top(item.lane) + 25)


def right_edge(told, clip_id: str) -> QPoint:
    item = told.view.stage.scene.find((ClipId(clip_id), False), overlay=False)
    axis = told.view.stage.axis
    return QPoint(round(axis.x(item.clip.end)) - 3, axis.row_top(item.lane) + 25)


def mouse(widget: QWidget, kind: QEvent.Type, at: QPoint, keys: Qt.KeyboardModifier = NONE) -> None:
    button = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else LEFT
    held = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else LEFT
    event = QMouseEvent(kind, QPointF(at), QPointF(widget.mapToGlobal(at)), button, held, keys)
    QApplication.sendEvent(widget, event)


def drag(widget: QWidget, start: QPoint, end: QPoint, keys: Qt.KeyboardModifier = NONE, *, drop: bool = True) -> None:
    mouse(widget, QEvent.Type.MouseButtonPress, start)
    for share in (0.3, 0.7, 1.0):
        mouse(widget, QEvent.Type.MouseMove, start + (end - start) * share, keys)
    if drop:
        mouse(widget, QEvent.Type.MouseButtonRelease, end, keys)


def bars(told, clip_id: str) -> tuple[str, float, float]:
    track, found = told.song.clip(ClipId(clip_id))
    return track.id, found.start / BAR + 1, found.duration / BAR
