"""What every drag of notes has in common."""

from __future__ import annotations

from agent.song.ids import NoteId
from app.ui.canvas.tool import Drag
from app.ui.pianoroll.look import RollLook
from app.ui.pianoroll.scene import Make, RollScene


class NoteDrag(Drag[RollLook]):
    """Its edit is made from the clip as it is when the drag is let go, after all edits before it."""

    settles = True
    lifted: frozenset[NoteId] = frozenset()
    """Notes that are dimmed meanwhile."""

    def __init__(self, scene: RollScene) -> None:
        self._scene = scene

    def commit(self, make: Make) -> None:
        """Put it into the song."""
        self._scene.change(make, self._settled)

    def _settled(self) -> None:
        self.done = True
