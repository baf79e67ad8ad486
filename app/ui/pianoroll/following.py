"""The playhead over the notes, as long as something plays, and the view that turns its page with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer

from app.desktop.listen.playback import Playing

if TYPE_CHECKING:
    from app.ui.pianoroll.area import RollArea

FRAME_MS = 20
TURN_AT = 0.92
"""Share of the width at which the view turns to the next page."""


class Following(QObject):
    """A timer that only runs while something plays and the notes can be seen."""

    def __init__(self, view: RollArea) -> None:
        super().__init__(view)
        self._view = view
        self._x = 0
        self._playing = False
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self.tick)

    def playing(self, state: Playing) -> None:
        """The transport has changed."""
        if state.playing == self._playing:
            return
        self._playing = state.playing
        if state.playing:
            self._timer.start()
        else:
            self._timer.stop()
            self._view.repaint_all()

    def stop(self) -> None:
        """No more frames."""
        self._timer.stop()

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
        if within and not 0 <= x <= view.viewport().width() * TURN_AT:
            view.sight.turn_page(at)
            self._x = round(view.stage.axis.x(at))
