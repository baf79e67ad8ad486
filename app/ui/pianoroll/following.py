"""The playhead over the notes, as long as something plays, and the view that turns its page with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.desktop.listen.playback import Playing
from app.ui.kit.canvas.playhead import PlayheadFrames, out_of_page

if TYPE_CHECKING:
    from app.ui.pianoroll.area import RollArea


class Following(PlayheadFrames):
    """A timer that only runs while something plays and the notes can be seen."""

    def __init__(self, view: RollArea) -> None:
        super().__init__(view)
        self._view = view
        self._x = 0
        self._playing = False

    def playing(self, state: Playing) -> None:
        """The transport has changed."""
        if state.playing == self._playing:
            return
        self._playing = state.playing
        if state.playing:
            self.start()
        else:
            self.stop()
            self._view.repaint_all()

    def tick(self) -> None:
        """One frame: the strip of the playhead."""
        view = self._view
        clip = view.stage.clip
        if clip is None or not view.isVisible():
            return
        at = view.stage.opened.playback.position() - clip.start
        x = round(view.stage.axis.x(at))
        if x != self._x:
            view.update_playhead(self._x, x)
            self._x = x
        within = 0 <= at < clip.duration and not view.dragging and view.stage.opened.focus.follow.value
        if within and out_of_page(x, view.viewport().width()):
            view.sight.turn_page(at)
            self._x = round(view.stage.axis.x(at))
