"""A and B: the working song beside the one that it is compared with."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from agent.song.song import Song
from app.viewmodels.plan.reviewing import Reviewing
from app.viewmodels.plan.running import Running
from app.viewmodels.transport.focus import Focus
from app.viewmodels.watched import Watched


class Other(Struct, frozen=True):
    """The song beside the working one: the preview of the proposed plan or of pending edits ("plan"), the song before
    the run ("before"), or a compared version ("compared")."""

    song: Song
    kind: Literal["plan", "before", "compared"]


class ABComparison:
    """Keeps `other` up to date with plan and run. `focus.side` says which of the two songs is heard.

    The earlier song is always A: with a plan A is the working song, after a run it is the song before the run."""

    def __init__(self, reviewing: Reviewing, running: Running, focus: Focus) -> None:
        self._reviewing = reviewing
        self._running = running
        self._focus = focus
        self._compared: Song | None = None
        self.other: Watched[Other | None] = Watched(None)
        self._silencers = [
            reviewing.proposal.changed.listen(lambda _: self._look()),
            running.live.changed.listen(lambda _: self._look()),
        ]

    def toggle(self) -> None:
        """Switch to the other song; without another one, to the working song."""
        there = self.other.value is not None and self._focus.side.value == "song"
        self._focus.side.set("plan" if there else "song")

    def compare(self, song: Song | None) -> None:
        """Set the song beside the working one while versions are compared; None ends that."""
        self._compared = song
        self._look()

    def close(self) -> None:
        """End all subscriptions."""
        for silence in self._silencers:
            silence()

    def _look(self) -> None:
        before, now = self.other.value, self._found()
        if now is None or (before is not None and now.kind != before.kind):
            self._focus.side.set("song")
        self.other.set(now)

    def _found(self) -> Other | None:
        if self._compared is not None:
            return Other(self._compared, "compared")
        proposal, live = self._reviewing.proposal.value, self._running.live.value
        if proposal is not None:
            return None if proposal.ghost is None else Other(proposal.ghost, "plan")
        if live is not None and live.waiting is not None:
            return Other(live.waiting.ghost.song, "plan")
        if live is not None and live.proposal is not None:
            return Other(live.proposal.song, "before")
        return None
