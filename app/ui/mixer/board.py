"""What the parts of one mixer share: the open project, whose effects are shown, and the way to the song."""

from __future__ import annotations

from agent.song.ids import MASTER, TrackId
from app.ui.kit.by_hand import ByHand
from app.ui.kit.context import Kit
from app.viewmodels.edits.effect_presets import PresetBook
from app.viewmodels.open_project import OpenProject
from app.viewmodels.watched import Watched


class Board(ByHand):
    """State that the parts of one mixer share. `subject` is the track, or the master, whose effects are shown; it
    follows the window's current track."""

    def __init__(self, opened: OpenProject, kit: Kit) -> None:
        super().__init__(opened, kit)
        self.palette = opened.studio.palette
        self.presets = PresetBook(opened.studio.store)
        self.subject: Watched[TrackId | None] = Watched(None)
        self._silence = opened.focus.track.watch(self._focused)

    def choose(self, owner: TrackId) -> None:
        """Show the effects of a track, which becomes the window's current one, or of the master."""
        if owner == MASTER:
            self.subject.set(MASTER)
        elif self.opened.focus.track.value == owner:
            self.subject.set(owner)
        else:
            self.opened.focus.track.set(owner)

    def close(self) -> None:
        """End the subscription."""
        self._silence()

    def _focused(self, track: TrackId | None) -> None:
        if track is not None:
            self.subject.set(track)
