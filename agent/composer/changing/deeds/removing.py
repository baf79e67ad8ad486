"""Removing: a part goes, or rests where the task works."""

from __future__ import annotations

from agent.composer.changing.stage import Stage
from agent.composer.understanding.tasks import Remove


def remove(stage: Stage, deed: Remove) -> None:
    """Delete the tracks that are meant; within a scope they only rest there."""
    for track in stage.free(deed.wish):
        if stage.whole:
            stage.sketch.remove_track(track.id, f"no {deed.wish.label}, as you asked")
        else:
            stage.sketch.each_clip(
                track, stage.spans, lambda _tones, _clip: (), "resting", f"no {deed.wish.label} here, as you asked"
            )
