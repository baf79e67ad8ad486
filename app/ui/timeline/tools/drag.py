"""What every drag on the timeline can do."""

from __future__ import annotations

from app.ui.canvas.tool import Drag
from app.ui.timeline.tones import Look


class TimelineDrag(Drag[Look]):
    """A drag in the timeline, from press to release. `reason` says why a release would do nothing; empty if it would do
    something."""

    reason = ""
