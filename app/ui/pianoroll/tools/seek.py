"""Moving the playhead in the ruler."""

from __future__ import annotations

from PySide6.QtCore import Qt

from agent.song.time import Ticks
from app.ui.canvas.tool import Drag, PointerSpot, Tool
from app.ui.pianoroll.look import RollLook
from app.ui.pianoroll.scene import RollScene


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
