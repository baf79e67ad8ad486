"""The pointer over the notes: which gesture a press begins, and what lies under it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from agent.song.clip import Note
from app.desktop.roll.note_edits import Side
from app.desktop.roll.roll_words import note_in_words
from app.ui.kit.canvas.pointing import Spot, spot_of
from app.ui.kit.holding import Holding
from app.ui.kit.widgets.labels import plain_tip
from app.ui.pianoroll.gestures.band import RubberBand
from app.ui.pianoroll.gestures.draw import DrawNote
from app.ui.pianoroll.gestures.erase import EraseNotes
from app.ui.pianoroll.gestures.gesture import Gesture
from app.ui.pianoroll.gestures.hit import ToggleHit
from app.ui.pianoroll.gestures.move import MoveNotes
from app.ui.pianoroll.gestures.resize import ResizeNotes
from app.ui.pianoroll.measures import EDGE_GRIP, LEAST_FOR_EDGES
from app.ui.pianoroll.stage import Stage

Part = Literal["left", "right", "middle"]


class Hand:
    """Holds the gesture under way, and afterwards the one whose edit is not in the song yet. `put` puts a note in
    step input."""

    def __init__(self, stage: Stage, put: Callable[[int, Spot], None]) -> None:
        self._stage = stage
        self._put = put
        self._holding = Holding[Gesture]()

    @property
    def gesture(self) -> Gesture | None:
        """The gesture to paint."""
        return self._holding.shown

    @property
    def dragging(self) -> bool:
        """Whether a drag is under way."""
        return self._holding.held is not None

    def press(self, event: QMouseEvent) -> None:
        """Begin what the tool does at this place; the right button erases with the tool for drawing."""
        stage, button = self._stage, event.button()
        if stage.shown is None or button not in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):
            return
        spot = spot_of(event)
        note = stage.note_at(spot.x, spot.y)
        tool = stage.settings.value.tool
        right = button == Qt.MouseButton.RightButton
        if not stage.editable:
            self._holding.take(None if right else self._select(note, spot, edit=False))
        elif right:
            self._holding.take(EraseNotes(stage, spot) if tool == "draw" else None)
        elif stage.settings.value.stepping and note is None and not spot.extend:
            self._put(stage.axis.pitch(spot.y), spot)
        elif tool == "erase":
            self._holding.take(EraseNotes(stage, spot))
        elif tool == "draw" and stage.drums:
            self._holding.take(ToggleHit(stage, spot, note))
        elif tool == "draw" and note is None:
            self._holding.take(DrawNote(stage, spot))
        else:
            self._holding.take(self._select(note, spot, edit=True))

    def double(self, event: QMouseEvent) -> None:
        """A double click draws where nothing is, and erases a note, with any tool."""
        stage = self._stage
        if event.button() != Qt.MouseButton.LeftButton or stage.settings.value.tool != "select":
            self.press(event)
        elif stage.editable:
            spot = spot_of(event)
            note = stage.note_at(spot.x, spot.y)
            if note is not None:
                self._holding.take(EraseNotes(stage, spot))
            else:
                self._holding.take(ToggleHit(stage, spot, None) if stage.drums else DrawNote(stage, spot))
            stage.repaint()

    def hover_or_move(self, event: QMouseEvent, area: QWidget) -> None:
        """Go on with the drag, or tell what lies under the pointer."""
        spot = spot_of(event)
        if self._holding.held is not None:
            self._holding.held.move(spot)
            return
        stage = self._stage
        note = stage.note_at(spot.x, spot.y)
        area.setCursor(self._cursor(note, spot))
        clip = stage.clip
        tip = "" if note is None or clip is None else note_in_words(note, clip, stage.bars, stage.key, kit=stage.drums)
        if area.toolTip() != plain_tip(tip):
            area.setToolTip(plain_tip(tip))

    def release(self, event: QMouseEvent) -> None:
        """Do what the drag was for."""
        held = self._holding.let_go(shown=not isinstance(self._holding.held, RubberBand))
        if held is not None:
            held.release(spot_of(event))
            self._stage.repaint()

    def cancel(self) -> bool:
        """End the drag without its effect; whether there was one."""
        return self._holding.cancel()

    def forget(self) -> None:
        """Another clip is shown: nothing is dragged any more."""
        self._holding.forget()

    def _select(self, note: Note | None, spot: Spot, *, edit: bool) -> Gesture | None:
        stage = self._stage
        if note is None:
            return RubberBand(stage, spot)
        if spot.extend:
            stage.choose(note, extend=True)
        elif note.id not in stage.selected.value:
            stage.choose(note)
        else:
            stage.focus, stage.on_cell, stage.cell = note.id, False, (note.start, note.pitch)
        stage.audition(note.pitch, note.velocity)
        # The next note that is drawn is as loud as the one that was touched last.
        stage.set(velocity=note.velocity)
        if not edit or note.id not in stage.selected.value:
            return None
        part = self._part(note, spot)
        if part == "middle":
            return MoveNotes(stage, note, spot)
        side: Side = part
        return ResizeNotes(stage, note, side, spot)

    def _part(self, note: Note, spot: Spot) -> Part:
        axis = self._stage.axis
        left, right = axis.x(note.start), axis.x(note.end)
        if self._stage.drums or right - left < LEAST_FOR_EDGES:
            return "middle"
        if right - spot.x <= EDGE_GRIP:
            return "right"
        return "left" if spot.x - left <= EDGE_GRIP else "middle"

    def _cursor(self, note: Note | None, spot: Spot) -> Qt.CursorShape:
        stage = self._stage
        if not stage.editable:
            return Qt.CursorShape.ArrowCursor
        if note is not None and stage.settings.value.tool != "erase" and self._part(note, spot) != "middle":
            return Qt.CursorShape.SizeHorCursor
        return Qt.CursorShape.ArrowCursor if stage.settings.value.tool == "select" else Qt.CursorShape.CrossCursor
