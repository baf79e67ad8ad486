"""What the parts of one mixer share: the open project, whose effects are shown, and the way to the song."""

from __future__ import annotations

from collections.abc import Callable

from agent.song.ids import MASTER, TrackId
from agent.song.song import Song
from app.desktop.edits.clip_edits import HandEdit, find_track, toggled_lock
from app.desktop.edits.effect_presets import PresetBook
from app.desktop.open_project import OpenProject
from app.desktop.watched import Watched
from app.ui.kit.context import Kit


class Board:
    """`subject` is the track, or the master, whose effects are shown; a track follows the window's focus."""

    def __init__(self, opened: OpenProject, kit: Kit) -> None:
        self.opened = opened
        self.kit = kit
        self.palette = opened.studio.palette
        self.presets = PresetBook(opened.studio.store)
        self.subject: Watched[TrackId | None] = Watched(None)
        self._silence = opened.focus.track.watch(self._focused)

    @property
    def song(self) -> Song:
        """The working song."""
        return self.opened.workspace.song

    def choose(self, owner: TrackId) -> None:
        """Show the effects of a track, which becomes the window's current one, or of the master."""
        if owner == MASTER:
            self.subject.set(MASTER)
        elif self.opened.focus.track.value == owner:
            self.subject.set(owner)
        else:
            self.opened.focus.track.set(owner)

    def commit(self, hand: HandEdit, settled: Callable[[], None] = lambda: None) -> None:
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

    def toggle_lock(self, track: TrackId) -> None:
        """Lock a track against steps, or unlock it."""
        self.kit.tasks.start(self.opened.lock(toggled_lock(self.opened.locks.value, track)), "timeline")

    def close(self) -> None:
        """Stop following."""
        self._silence()

    def _focused(self, track: TrackId | None) -> None:
        if track is not None:
            self.subject.set(track)

    async def _commit(self, hand: HandEdit, settled: Callable[[], None]) -> None:
        try:
            await self.opened.edit(hand.edits, hand.label)
        finally:
            settled()
