"""What every drag of notes has in common."""

from __future__ import annotations

from agent.song.ids import NoteId
from app.ui.canvas.tool import Drag
from app.ui.pianoroll.look import RollLook
from app.ui.pianoroll.scene import Make, RollScene


class NoteDrag(Drag[RollLook]):
    """A drag of notes. Its edit is made on release from the clip as it is then, after all edits requested before."""

    settles = True
    lifted: frozenset[NoteId] = frozenset()
    """Ids of notes to be painted dimmed during the drag."""

    def __init__(self, scene: RollScene) -> None:
        self._scene = scene

    def commit(self, make: Make) -> None:
        """Commit an edit to the song."""
        self._scene.change(make, self._settled)

    def _settled(self) -> None:
        self.done = True
