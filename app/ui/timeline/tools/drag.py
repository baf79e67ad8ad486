"""What every drag on the timeline can do."""

from __future__ import annotations

from app.ui.canvas.tool import Drag
from app.ui.timeline.tones import Look


class TimelineDrag(Drag[Look]):
    """One drag, from the press to the release. `reason` tells why letting go would do nothing."""

    reason = ""
