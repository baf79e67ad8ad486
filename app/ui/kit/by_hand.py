"""The way from a view's gestures to the song, to its locks, and to what is heard alone."""

from __future__ import annotations

from collections.abc import Callable

from agent.song.ids import TrackId
from agent.song.locks import Lock, TrackLock
from agent.song.song import Song
from app.desktop.edits.clip_edits import HandEdit, find_track
from app.desktop.edits.locking import toggled
from app.desktop.open_project import OpenProject
from app.ui.kit.context import Kit


class ByHand:
    """What views whose edits are told of at "timeline" have in common."""

    def __init__(self, opened: OpenProject, kit: Kit) -> None:
        self.opened = opened
        self.kit = kit

    @property
    def song(self) -> Song:
        """The working song."""
        return self.opened.workspace.song

    def commit(self, hand: HandEdit, settled: Callable[[], object] = lambda: None) -> None:
        """Put an edit by hand into the song, in the background; `settled` is called when it is there or refused."""
        if hand.edits:
            self.kit.tasks.start(self._commit(hand, settled), "timeline")
        else:
            settled()

    def toggle_solo(self, track: TrackId) -> None:
        """Hear a track alone, or no longer."""
        if find_track(self.song, track) is not None:
            solo = self.opened.playback.solo
            solo.set(solo.value ^ {track})

    def toggle_locks(self, wanted: tuple[Lock, ...]) -> None:
        """Lock these against steps, or let them go where all of them are locked."""
        if wanted:
            self.kit.tasks.start(self.opened.lock(toggled(self.opened.locks.value, wanted)), "timeline")

    def toggle_lock(self, track: TrackId) -> None:
        """Lock a track against steps, or unlock it."""
        self.toggle_locks((TrackLock(track),))

    async def _commit(self, hand: HandEdit, settled: Callable[[], object]) -> None:
        try:
            await self.opened.edit(hand.edits, hand.label)
        finally:
            settled()
