"""Edits by hand, locks and solo of views of the song."""

from __future__ import annotations

from collections.abc import Callable

from agent.song.ids import TrackId
from agent.song.locks import Lock, TrackLock
from agent.song.song import Song
from app.ui.kit.context import Kit
from app.viewmodels.edits.clip_edits import HandEdit, find_track
from app.viewmodels.edits.locking import toggled
from app.viewmodels.open_project import OpenProject


class ByHand:
    """Common base of views that edit the song by hand; their errors are reported at "timeline"."""

    def __init__(self, opened: OpenProject, kit: Kit) -> None:
        self.opened = opened
        self.kit = kit

    @property
    def song(self) -> Song:
        """The working song."""
        return self.opened.workspace.song

    def commit(self, hand: HandEdit, settled: Callable[[], object] = lambda: None) -> None:
        """Commit an edit made by hand to the song, in the background; `settled` is called when it is stored or
        refused."""
        if hand.edits:
            self.kit.tasks.start(self._commit(hand, settled), "timeline")
        else:
            settled()

    def toggle_solo(self, track: TrackId) -> None:
        """Solo a track, or end its solo."""
        if find_track(self.song, track) is not None:
            solo = self.opened.playback.solo
            solo.set(solo.value ^ {track})

    def toggle_locks(self, wanted: tuple[Lock, ...]) -> None:
        """Lock these parts of the song against steps of a plan, or unlock them if all are locked."""
        if wanted:
            self.kit.tasks.start(self.opened.lock(toggled(self.opened.locks.value, wanted)), "timeline")

    def toggle_lock(self, track: TrackId) -> None:
        """Lock a track against steps of a plan, or unlock it."""
        self.toggle_locks((TrackLock(track),))

    async def _commit(self, hand: HandEdit, settled: Callable[[], object]) -> None:
        try:
            await self.opened.edit(hand.edits, hand.label)
        finally:
            settled()
