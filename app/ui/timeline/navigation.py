"""Going from clip to clip with the arrow keys."""

from __future__ import annotations

from typing import Literal

from app.ui.timeline.scene import SceneItem, TimelineScene

Way = Literal["left", "right", "up", "down"]


def next_item(scene: TimelineScene, now: SceneItem | None, way: Way, overlay: bool) -> SceneItem | None:
    """The clip or ghost next to `now` in direction `way`, None if there is none; if `now` is None the first of the
    timeline. `overlay`: ghosts are included."""
    if now is None:
        return next((item for lane in range(len(scene.lanes)) for item in scene.items(lane, overlay)), None)
    if way in ("left", "right"):
        row = scene.items(now.lane, overlay)
        keys = [item.key for item in row]
        at = keys.index(now.key) + (1 if way == "right" else -1) if now.key in keys else -1
        return row[at] if 0 <= at < len(row) else now
    middle = (now.clip.start + now.clip.end) / 2
    step = 1 if way == "down" else -1
    lane = now.lane + step
    while 0 <= lane < len(scene.lanes):
        row = scene.items(lane, overlay)
        if row:
            return min(row, key=lambda item: _distance(item, middle))
        lane += step
    return now


def _distance(item: SceneItem, at: float) -> float:
    if item.clip.start <= at < item.clip.end:
        return 0.0
    return min(abs(item.clip.start - at), abs(item.clip.end - at))
