"""Hearing pitches at their keys."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt

from agent.theory.pitch import pitch_name
from app.ui.canvas.tool import Drag, Hover, PointerSpot, Tool
from app.ui.pianoroll.look import RollLook
from app.ui.pianoroll.scene import RollScene
from app.viewmodels.pianoroll.drums import piece_name


class HearPitches(Drag[RollLook]):
    """Plays each pitch that the pointer reaches, except in step input; `pitch` is the pressed key."""

    def __init__(self, scene: RollScene, pitch: int) -> None:
        self._scene = scene
        self.pitch = pitch

    def move(self, spot: PointerSpot) -> None:
        """Play the pitch under the pointer if it is another one."""
        pitch = self._scene.axis.pitch(spot.y)
        if pitch != self.pitch:
            self.pitch = pitch
            if not self._scene.settings.value.stepping:
                self._scene.audition(pitch)

    def release(self, spot: PointerSpot) -> None:
        """Does nothing: notes end by themselves."""


class KeysTool(Tool[HearPitches]):
    """A press plays the pitch; with Shift it selects all notes of the pitch; in step input it calls `put` with the
    pitch."""

    def __init__(self, scene: RollScene, put: Callable[[int], None]) -> None:
        self._scene = scene
        self._put = put

    def press(self, spot: PointerSpot, button: Qt.MouseButton) -> HearPitches | None:
        """Play the pitch, select its notes or add one."""
        scene = self._scene
        if button != Qt.MouseButton.LeftButton:
            return None
        pitch = scene.axis.pitch(spot.y)
        if spot.shift:
            scene.selected.set(frozenset(note.id for note in scene.index.notes if note.pitch == pitch))
            scene.repaint()
        elif scene.settings.value.stepping and scene.editable:
            self._put(pitch)
        else:
            scene.audition(pitch)
        return HearPitches(scene, pitch)

    def hover(self, spot: PointerSpot) -> Hover:
        """The name of the pitch or drum as tooltip."""
        scene = self._scene
        pitch = scene.axis.pitch(spot.y)
        return Hover(tip=piece_name(pitch) if scene.axis.lanes else pitch_name(pitch, scene.key))
