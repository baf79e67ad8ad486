"""The tool over the notes: which drag a press begins, and what lies under the pointer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter

from agent.song.clip import Note
from agent.song.ids import NoteId
from agent.song.time import Ticks
from app.ui.canvas.rubber_band import RubberBand
from app.ui.canvas.tool import Drag, Hover, PointerSpot, Tool
from app.ui.pianoroll.look import RollLook
from app.ui.pianoroll.measures import EDGE_GRIP, LEAST_FOR_EDGES
from app.ui.pianoroll.scene import RollScene
from app.ui.pianoroll.tools.drag import NoteDrag
from app.ui.pianoroll.tools.draw import DrawNote, EraseNotes, ToggleHit
from app.ui.pianoroll.tools.move import MoveNotes, ResizeNotes
from app.viewmodels.pianoroll.roll_words import note_in_words


class SeekInClip(Drag[RollLook]):
    """Moves the playhead to the pointer, on the grid unless Ctrl is held."""

    def __init__(self, scene: RollScene) -> None:
        self._scene = scene
        self._before = scene.opened.playback.position()

    def move(self, spot: PointerSpot) -> None:
        """Move the playhead; playback goes on from there at once."""
        scene = self._scene
        if scene.clip is not None:
            place = scene.snap(scene.axis.at(spot.x), spot.free)
            scene.opened.playback.seek(Ticks(scene.clip.start + place))
            scene.repaint()

    def release(self, spot: PointerSpot) -> None:
        """Leave the playhead at the pointer."""
        self.move(spot)

    def cancel(self) -> None:
        """Restore the playhead's position."""
        self._scene.opened.playback.seek(self._before)


class SeekTool(Tool[SeekInClip]):
    """A press or a drag moves the playhead."""

    def __init__(self, scene: RollScene) -> None:
        self._scene = scene

    def press(self, spot: PointerSpot, button: Qt.MouseButton) -> SeekInClip | None:
        """Move the playhead to the press and begin a drag."""
        if button != Qt.MouseButton.LeftButton or self._scene.clip is None:
            return None
        seek = SeekInClip(self._scene)
        seek.move(spot)
        return seek


class SelectNotes(NoteDrag):
    """Selects notes with a rubber band; Ctrl or Shift adds to the selection. A click deselects."""

    settles = False

    def __init__(self, scene: RollScene, spot: PointerSpot) -> None:
        super().__init__(scene)
        self._band = RubberBand(scene.axis, spot.x, spot.y)
        self._before = scene.selected.value
        self._kept = self._before if spot.extend else frozenset[NoteId]()
        scene.cell = Ticks(scene.floor(scene.axis.at(spot.x), spot.free)), scene.axis.pitch(spot.y)

    def move(self, spot: PointerSpot) -> None:
        """Select what the rubber band touches now."""
        scene, band = self._scene, self._band
        band.move(spot.x, spot.y)
        if band.begun:
            first, last = band.rows
            pitches = [scene.axis.pitch_of(row) for row in range(first, last + 1)]
            found = scene.index.within(*band.span, min(pitches), max(pitches))
            scene.selected.set(self._kept | {note.id for note in found})
            scene.repaint()

    def release(self, spot: PointerSpot) -> None:
        """Keep the selection; a click without a drag moves the keyboard's cell there."""
        self.move(spot)
        if not self._band.begun:
            self._scene.selected.set(self._kept)
            self._scene.focus, self._scene.on_cell = None, True
        self._scene.repaint()

    def cancel(self) -> None:
        """Restore the selection from before."""
        self._scene.selected.set(self._before)

    def paint(self, painter: QPainter, look: RollLook) -> None:
        """Paint the rubber band."""
        self._band.paint(painter, look.you)


Part = Literal["left", "right", "middle"]
_LEFT, _RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton


class PointerTool(Tool[NoteDrag]):
    """The tool chosen in the toolbar: select, draw or erase. In step input `put` is called with the pressed pitch."""

    def __init__(self, scene: RollScene, put: Callable[[int], None]) -> None:
        self._scene = scene
        self._put = put

    def press(self, spot: PointerSpot, button: Qt.MouseButton) -> NoteDrag | None:
        """Begin the tool's drag at this place; with the draw tool the right button erases."""
        scene, tool = self._scene, self._scene.settings.value.tool
        if scene.shown is None or button not in (_LEFT, _RIGHT):
            return None
        note, right = scene.note_at(spot.x, spot.y), button == _RIGHT
        if not scene.editable:
            return None if right else self._select(note, spot, edit=False)
        if right:
            return EraseNotes(scene, spot) if tool == "draw" else None
        if scene.settings.value.stepping and note is None and not spot.extend:
            self._put_there(spot)
            return None
        if tool == "erase":
            return EraseNotes(scene, spot)
        if tool == "draw" and (scene.drums or note is None):
            return ToggleHit(scene, spot, note) if scene.drums else DrawNote(scene, spot)
        return self._select(note, spot, edit=True)

    def double_press(self, spot: PointerSpot, button: Qt.MouseButton) -> NoteDrag | None:
        """With any tool a double click adds a note at an empty place, and erases a note."""
        scene = self._scene
        if button != _LEFT or scene.settings.value.tool != "select":
            return self.press(spot, button)
        if not scene.editable:
            return None
        if scene.note_at(spot.x, spot.y) is not None:
            return EraseNotes(scene, spot)
        return ToggleHit(scene, spot, None) if scene.drums else DrawNote(scene, spot)

    def hover(self, spot: PointerSpot) -> Hover:
        """The note under the pointer as tooltip, and the cursor for what a press would do."""
        scene, clip = self._scene, self._scene.clip
        note = scene.note_at(spot.x, spot.y)
        tip = "" if note is None or clip is None else note_in_words(note, clip, scene.bars, scene.key, kit=scene.drums)
        return Hover(self._cursor(note, spot), tip)

    def _put_there(self, spot: PointerSpot) -> None:
        """The note comes to the step cursor; with Alt the cursor comes to the click first."""
        scene = self._scene
        pitch = scene.axis.pitch(spot.y)
        if spot.copy:
            scene.cell = Ticks(scene.floor(scene.axis.at(spot.x), spot.free)), pitch
        self._put(pitch)

    def _select(self, note: Note | None, spot: PointerSpot, *, edit: bool) -> NoteDrag | None:
        scene = self._scene
        if note is None:
            return SelectNotes(scene, spot)
        if spot.extend:
            scene.choose(note, extend=True)
        elif note.id not in scene.selected.value:
            scene.choose(note)
        else:
            scene.focus, scene.on_cell, scene.cell = note.id, False, (note.start, note.pitch)
        scene.audition(note.pitch, note.velocity)
        # The next note that is drawn is as loud as the one that was touched last.
        scene.set(velocity=note.velocity)
        if not edit or note.id not in scene.selected.value:
            return None
        part = self._part(note, spot)
        return MoveNotes(scene, note, spot) if part == "middle" else ResizeNotes(scene, note, part, spot)

    def _part(self, note: Note, spot: PointerSpot) -> Part:
        axis = self._scene.axis
        left, right = axis.x(note.start), axis.x(note.end)
        if self._scene.drums or right - left < LEAST_FOR_EDGES:
            return "middle"
        if right - spot.x <= EDGE_GRIP:
            return "right"
        return "left" if spot.x - left <= EDGE_GRIP else "middle"

    def _cursor(self, note: Note | None, spot: PointerSpot) -> Qt.CursorShape:
        tool = self._scene.settings.value.tool
        if not self._scene.editable:
            return Qt.CursorShape.ArrowCursor
        if note is not None and tool != "erase" and self._part(note, spot) != "middle":
            return Qt.CursorShape.SizeHorCursor
        return Qt.CursorShape.ArrowCursor if tool == "select" else Qt.CursorShape.CrossCursor
