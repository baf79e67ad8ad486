"""Listening to A, to B or to what differs, while two versions are compared. The song does not change meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from agent.song.revision import ContentHash
from agent.song.song import Song
from app.studio.workspace import Workspace
from app.viewmodels.history.comparing import Comparison
from app.viewmodels.history.difference import Kind
from app.viewmodels.history.difference_sound import Heard, difference_song, version_heard
from app.viewmodels.transport.focus import Focus
from app.viewmodels.transport.listening import ABComparison
from app.viewmodels.watched import Watched


class ComparingSide:
    """Plays A, B or their difference. `heard` says which, `matched` whether A is brought to the loudness of B.

    A version that is the working song is played on the song's own side while the other stays prepared beside it, so
    that switching takes no time. `roots` are the revisions of A and B."""

    def __init__(
        self, comparison: Comparison, roots: tuple[ContentHash, ContentHash], workspace: Workspace,
        listening: ABComparison, focus: Focus,
    ) -> None:
        self._comparison = comparison
        self._roots = dict(zip(("a", "b"), roots, strict=True))
        self._workspace = workspace
        self._listening = listening
        self._focus = focus
        self.heard: Watched[Heard] = Watched("b")
        self.matched = Watched(True)
        self._kinds: frozenset[Kind] = frozenset(("added", "removed", "moved"))
        self._closed = False
        self._silence = workspace.changed.listen(lambda _: self._version())

    async def hear(self, heard: Heard) -> None:
        """Play another of the three from the same position on; the song of the differences is made in a thread."""
        self.heard.set(heard)
        if heard != "difference":
            self._version()
            return
        kinds = self._kinds
        song = await asyncio.to_thread(difference_song, self._comparison, kinds)
        if self.heard.value == "difference" and kinds == self._kinds and not self._closed:
            self._beside(song)

    async def match(self, matched: bool) -> None:
        """Bring A to the loudness of B if `matched`, else play it unchanged."""
        self.matched.set(matched)
        await self.hear(self.heard.value)

    async def take(self, kinds: Collection[Kind]) -> None:
        """Set which kinds of notes the difference contains."""
        self._kinds = frozenset(kinds)
        if self.heard.value == "difference":
            await self.hear("difference")

    def close(self) -> None:
        """Play the working song again."""
        self._closed = True
        self._silence()
        self._listening.compare(None)

    def _version(self) -> None:
        heard = self.heard.value
        if self._closed or heard == "difference":
            return
        if not self._is_working(heard):
            self._beside(self._song(heard))
            return
        other: Heard = "a" if heard == "b" else "b"
        self._listening.compare(self._song(other))
        self._focus.side.set("song")

    def _is_working(self, heard: Heard) -> bool:
        own = self._comparison.a if heard == "a" else self._comparison.b
        return self._roots[heard] == self._workspace.revision and self._song(heard) is own

    def _song(self, heard: Heard) -> Song:
        return version_heard(self._comparison, heard, matched=self.matched.value)

    def _beside(self, song: Song) -> None:
        self._listening.compare(song)
        self._focus.side.set("plan")
