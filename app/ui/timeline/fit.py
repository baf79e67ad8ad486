"""Which part of the song is to be in sight, as values that the view carries out."""

from __future__ import annotations

from PySide6.QtCore import QRect

from app.ui.timeline.commands import Reveal
from app.ui.timeline.measures import CLIP_BOTTOM, CLIP_TOP
from app.ui.timeline.stage import TimelineContext
from app.viewmodels.timeline.layout import TAIL_BARS, end_of


def song_end(stage: TimelineContext) -> int:
    """End of the last bar with content in ticks, at least that of the shortest song that is shown."""
    song = stage.song
    bars = song.bar_map
    return bars.start_of(max(TAIL_BARS, bars.count(end_of(song, stage.scene.ghosts))) + 1)


def step_out_of_sight(stage: TimelineContext, step: str | None, area: QRect) -> Reveal | None:
    """The command that scrolls to the first ghost of a plan's step; None if one of them is visible in `area` or there
    is none."""
    scene, axis = stage.scene, stage.axis
    made = [
        (lane, ghost.clip) for lane, row in enumerate(scene.lanes) for ghost in row.ghosts if step in ghost.cause.steps
    ]
    for lane, clip in made:
        place = QRect(
            round(axis.x(clip.start)), axis.row_top(lane) + CLIP_TOP,
            max(2, round(axis.x(clip.end) - axis.x(clip.start))), axis.row_height - CLIP_TOP - CLIP_BOTTOM,
        )
        if place.intersects(area):
            return None
    return Reveal(made[0][1].start, made[0][1].end, made[0][0]) if made else None
