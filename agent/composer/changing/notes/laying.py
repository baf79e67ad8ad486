"""Laying: notes into a stretch of a track, in place of those that are there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agent.composer.changing.stage import Span, Stage
from agent.composer.tones import Tone, tidy
from agent.song.ids import TrackId


def lay(
    stage: Stage, track: TrackId, span: Span, tones: Sequence[Tone], name: str, why: str,
    replaced: Callable[[Tone], bool] = lambda _: True,
) -> None:
    """Put notes into the stretch `span` (ticks) of a track: into the clips there, and into new clips called `name`
    where there are none. `why` is the reason shown.

    Of the notes that begin in the stretch those are removed for which `replaced` is true.
    """
    start, end = span
    free = [(start, end)]
    for clip in stage.song.track(track).clips:
        if clip.start >= end or clip.end <= start:
            continue
        low, high = max(start, int(clip.start)), min(end, int(clip.end))
        new = tidy([tone for tone in tones if low <= tone.start < high], low, int(clip.end))
        kept = [t for t in stage.sketch.tones(clip) if not low <= t.start < high or not replaced(t)]
        stage.sketch.rewrite(clip.id, [*(_until(tone, new, low) for tone in kept), *new], why, "")
        free = [part for gap in free for part in ((gap[0], min(gap[1], low)), (max(gap[0], high), gap[1]))]
    for low, high in free:
        if low < high:
            stage.sketch.add_clip(track, name, low, high, [t for t in tones if low <= t.start < high], why)


def _until(tone: Tone, new: Sequence[Tone], low: int) -> Tone:
    """A note from before, ended where one of its pitch begins."""
    begins = [other.start for other in new if other.pitch == tone.pitch and tone.start < other.start < tone.end]
    if not begins or tone.start >= low:
        return tone
    return Tone(tone.start, tone.pitch, min(begins) - tone.start, tone.velocity)
