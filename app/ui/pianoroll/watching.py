"""What a piano roll listens to, and when it looks again at what it shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.tasks import Coalesced

if TYPE_CHECKING:
    from app.ui.pianoroll.area import RollArea


class Watching:
    """While the view cannot be `seen` it does not follow; `catch_up` makes that good. `close` ends it."""

    def __init__(self, view: RollArea, seen: Callable[[], bool]) -> None:
        self._stage = view.stage
        self._seen = seen
        self._missed = False
        self._again = Coalesced(0, self._look, view, view.stage.kit.turns)
        self._subscriptions = Subscriptions()
        opened, again = view.stage.opened, self._again.ask
        for silence in (
            opened.workspace.changed.listen(lambda _: again()),
            opened.reviewing.proposal.changed.listen(lambda _: again()),
            opened.running.live.changed.listen(lambda _: again()),
            opened.locks.changed.listen(lambda _: again()),
            opened.focus.clip.changed.listen(lambda _: again()),
            opened.focus.overlay.changed.listen(lambda _: again()),
            view.stage.settings.changed.listen(lambda _: view.work_otherwise()),
            view.stage.selected.changed.listen(lambda _: view.repaint_across()),
            opened.playback.state.watch(view.following.playing),
            opened.playback.sought.listen(lambda _: view.repaint_all()),
        ):
            self._subscriptions.add(silence)

    def catch_up(self) -> None:
        """Follow what has changed while nobody could see it."""
        if self._missed:
            self._missed = False
            self._stage.renew()

    def close(self) -> None:
        """Follow nothing more."""
        self._subscriptions.close()
        self._again.drop()

    def _look(self) -> None:
        # A run tells of many changes, and what a plan would make of the song takes long to find.
        self._missed = not self._seen()
        if not self._missed:
            self._stage.renew()
