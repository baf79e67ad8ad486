"""Names of chords for the ruler, found in a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from PySide6.QtCore import QObject

from agent.song.song import Song
from app.ui.kit.tasks import Coalesced, Tasks
from app.ui.pianoroll.scene import RollScene
from app.viewmodels.pianoroll.chords import ChordName, chords_between

_WAIT_MS = 120


class Chords(QObject):
    """Detects chord names in a thread. `found` are those of the clip's bars, as last detected; `known` is called when
    they have changed."""

    def __init__(self, scene: RollScene, tasks: Tasks, known: Callable[[], None]) -> None:
        super().__init__()
        self._scene = scene
        self._tasks = tasks
        self._known = known
        self._of: tuple[Song, int, int] | None = None
        self._looking = False
        self._closed = False
        self.found: tuple[ChordName, ...] = ()
        self.soon = Coalesced(_WAIT_MS, self._look, self)

    def close(self) -> None:
        """Stop detecting; the result of a search under way is dropped."""
        self._closed = True
        self.soon.drop()

    def _look(self) -> None:
        scene, clip = self._scene, self._scene.clip
        if clip is None or not scene.settings.value.chords or self._looking:
            return
        bars = scene.bars
        start, end = bars.span(bars.bar_at(clip.start), bars.bar_at(max(clip.start, clip.end - 1)))
        wanted = (scene.song, start, end)
        if self._of is None or self._of[0] is not wanted[0] or self._of[1:] != wanted[1:]:
            self._looking = True
            self._tasks.start(self._find(wanted), "timeline")

    async def _find(self, wanted: tuple[Song, int, int]) -> None:
        try:
            found = await asyncio.to_thread(chords_between, wanted[0], self._scene.kits, wanted[1], wanted[2])
        finally:
            self._looking = False
        if self._closed:
            return
        self.found, self._of = found, wanted
        self._known()
        if wanted[0] is not self._scene.song:
            self.soon.ask()
