"""What the person looks at: selection, the highlighted step, what is listened to."""

from __future__ import annotations

from typing import Literal

from agent.song.ids import ClipId, TrackId
from app.studio.observable import Observable
from app.viewmodels.watched import Watched

Side = Literal["song", "plan"]
""""song" for the working song, "plan" for the other one: see `app.viewmodels.transport.listening`."""


class Focus:
    """What the person looks at in an open project, shared by its views; none of it belongs to the song."""

    def __init__(self) -> None:
        self.clips: Watched[frozenset[ClipId]] = Watched(frozenset())
        self.clip: Watched[ClipId | None] = Watched(None)
        """The clip whose notes are shown; it may be one that only the proposed plan makes."""
        self.track: Watched[TrackId | None] = Watched(None)
        self.bars: Watched[tuple[int, int] | None] = Watched(None)
        """First and last bar (inclusive, from 1) of the stretch that is chosen: to lock, to loop, to ask about."""
        self.step: Watched[str | None] = Watched(None)
        """Id of the plan's step that is lit in the plan, on its ghosts and in messages."""
        self.hovered: Watched[frozenset[str]] = Watched(frozenset())
        """Ids of the plan's steps under the pointer, as rows of the plan or as what they make on the timeline."""
        self.overlay = Watched(True)
        """Whether ghosts of the proposed plan are drawn."""
        self.follow = Watched(True)
        """Whether views turn their page with the playhead."""
        self.refused: Watched[str] = Watched("")
        """Why the present drag or edit is refused, for the status line; empty if it is not."""
        self.unsent = Watched(False)
        """Whether something is written in the chat that was not sent."""
        self.sought: Observable[tuple[int, int]] = Observable()
        """Bars to scroll to, because the person followed a link in a message."""
        self.to_approve = Watched(False)
        """Whether the person was just told that only the plan's own button approves it."""
        self.side: Watched[Side] = Watched("song")
