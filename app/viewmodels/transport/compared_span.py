"""What is repeated while a plan is compared with the song: chosen bars, else what steps change."""

from __future__ import annotations

from collections.abc import Collection

from agent.song.song import Song
from agent.song.time import Ticks
from app.viewmodels.plan.proposal import Proposal

Span = tuple[Ticks, Ticks]
"""First tick, and the tick after the last."""


def span_to_compare(
    song: Song, proposal: Proposal | None, steps: Collection[str], bars: tuple[int, int] | None
) -> Span | None:
    """The ticks to loop while listening to A and B: the chosen `bars` (inclusive, from 1), else the whole bars of the
    clips that the rows `steps` change, else of those that any row changes, else the whole song; None for an empty
    song."""
    if bars is not None:
        first, last = max(1, bars[0]), max(1, *bars)
        return song.bar_map.start_of(first), song.bar_map.start_of(last + 1)
    ghost = None if proposal is None else proposal.ghost
    reach = None
    if proposal is not None and ghost is not None:
        reach = _reach(song, ghost, proposal, steps) or _reach(song, ghost, proposal, proposal.approved)
    whole = song if ghost is None else ghost
    start, end = reach or (0, max(song.end, whole.end))
    if end <= start:
        return None
    marks = whole.bar_map
    return marks.start_of(marks.bar_at(start)), marks.start_of(marks.bar_at(end - 1) + 1)


def _reach(song: Song, ghost: Song, proposal: Proposal, steps: Collection[str]) -> tuple[int, int] | None:
    preview, wanted = proposal.judged.preview, set(steps)
    if preview is None or not wanted:
        return None
    touched = {
        clip for clip, made in proposal.trace.of(preview).clips.items() if not wanted.isdisjoint(made)
    }
    clips = [clip for one in (song, ghost) for _, clip in one.clips() if clip.id in touched]
    return (min(clip.start for clip in clips), max(clip.end for clip in clips)) if clips else None
