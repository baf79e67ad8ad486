"""Where things stand on a timeline: lanes, bar lines and the grid, in ticks and pixels but without a window."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

from agent.song.clip import Clip
from agent.song.ids import TrackId
from agent.song.song import Song
from agent.song.time import PPQ, BarMap, MeterChange, Ticks
from agent.song.track import Track
from app.viewmodels.plan.ghosts import GhostClip, Ghosts, GhostTrack

Weight = Literal["beat", "bar", "strong"]
"""The weight of a grid line; lines of `strong` ones carry the bar's number."""

NARROWEST = 0.02
WIDEST = 400.0
"""Largest zoom in pixels per quarter note."""
LEAST_LINE_GAP = 12.0
LEAST_LABEL_GAP = 44.0
TAIL_BARS = 4
"""Empty bars shown after the last clip."""
LEAST_BARS = 16


class Lane(Struct, frozen=True):
    """One row of the timeline. `clips` are the song's, `ghosts` the plan's, both in order of their start. `proposed` is
    the ghost of a track that the plan adds or removes. A row with a `curve` is below its track's own and shows the
    automation of that target instead of clips."""

    track: Track
    clips: tuple[Clip, ...] = ()
    ghosts: tuple[GhostClip, ...] = ()
    proposed: GhostTrack | None = None
    curve: str = ""

    @property
    def in_song(self) -> bool:
        """Whether the track exists already."""
        return self.proposed is None or self.proposed.kind == "removed"


class TimelineGridLine(Struct, frozen=True):
    """A grid line at a tick; `bar` is the number written at it, None for none."""

    at: Ticks
    weight: Weight
    bar: int | None = None


def lanes_of(
    song: Song, ghosts: Ghosts, curves: Mapping[TrackId, tuple[str, ...]] | None = None
) -> tuple[Lane, ...]:
    """The rows of the timeline: the song's tracks with proposed ones where the plan would put them, and below a track
    its automation rows (`curves`)."""
    by_track: dict[TrackId, list[GhostClip]] = {}
    for ghost in ghosts.clips:
        by_track.setdefault(ghost.track, []).append(ghost)
    removed = {one.track.id: one for one in ghosts.tracks if one.kind == "removed"}
    lanes = [_lane(track, by_track, removed.get(track.id)) for track in song.tracks]
    for one in ghosts.tracks:
        if one.kind == "added":
            names = [lane.track.id for lane in lanes]
            at = names.index(one.after) + 1 if one.after in names else (0 if one.after is None else len(lanes))
            lanes.insert(at, _lane(one.track, by_track, one))
    if curves:
        lanes = [row for lane in lanes for row in (lane, *_curve_rows(lane, curves))]
    return tuple(lanes)


def _curve_rows(lane: Lane, curves: Mapping[TrackId, tuple[str, ...]]) -> Iterator[Lane]:
    if lane.in_song:
        yield from (Lane(lane.track, curve=target) for target in curves.get(lane.track.id, ()))


def _lane(track: Track, ghosts: dict[TrackId, list[GhostClip]], proposed: GhostTrack | None) -> Lane:
    # A removed clip lies under what takes its place.
    mine = sorted(ghosts.get(track.id, ()), key=lambda ghost: (ghost.kind != "removed", ghost.clip.start))
    clips = () if proposed is not None and proposed.kind == "added" else track.clips
    return Lane(track, clips, tuple(mine), proposed)


def length_of(song: Song, ghosts: Ghosts) -> Ticks:
    """Ticks that the timeline shows: everything in the song and some empty bars."""
    bars = song.bar_map
    return bars.start_of(max(LEAST_BARS, bars.count(end_of(song, ghosts)) + TAIL_BARS) + 1)


def end_of(song: Song, ghosts: Ghosts) -> Ticks:
    """The last tick of any clip, ghost, section, tempo or meter."""
    return Ticks(max([
        song.end, *(section.end for section in song.sections),
        *(ghost.clip.end for ghost in ghosts.clips), *(tempo.at for tempo in song.tempos),
        *(meter.at for meter in song.meters),
    ]))


def lines_between(bars: BarMap, start: int, end: int, per_beat: float) -> Iterator[TimelineGridLine]:
    """Grid lines between two ticks at a zoom of `per_beat` pixels per quarter note. Bars are thinned by powers of two
    if they would be too close to read."""
    at = max(0, start)
    bar = bars.bar_at(at)
    while (here := bars.start_of(bar)) <= end:
        meter = bars.meter_at(here)
        width = meter.bar_length / PPQ * per_beat
        labelled = _every(LEAST_LABEL_GAP, width)
        drawn = _every(LEAST_LINE_GAP, width)
        if (bar - 1) % drawn == 0:
            strong = (bar - 1) % labelled == 0
            yield TimelineGridLine(here, "strong" if strong else "bar", bar if strong else None)
        yield from _beats(meter, here, bars.start_of(bar + 1), end, per_beat)
        bar += drawn - (bar - 1) % drawn


def _beats(meter: MeterChange, start: Ticks, stop: Ticks, end: int, per_beat: float) -> Iterator[TimelineGridLine]:
    unit = PPQ * 4 // meter.unit
    if unit / PPQ * per_beat >= LEAST_LINE_GAP:
        for at in range(start + unit, min(stop, end + 1), unit):
            yield TimelineGridLine(Ticks(at), "beat")


def _every(least: float, width: float) -> int:
    """The least power of two of bars that are at least so many pixels apart."""
    count = 1
    while width * count < least and count < 1 << 24:
        count *= 2
    return count


def grid_at(bars: BarMap, at: int, per_beat: float) -> Ticks:
    """The grid for drags near a tick, in ticks: a sixteenth, a beat or bars, depending on the zoom (`per_beat`, pixels
    per quarter note)."""
    meter = bars.meter_at(max(0, at))
    unit = PPQ * 4 // meter.unit
    for step in (unit // 4, unit):
        if step > 0 and step / PPQ * per_beat >= LEAST_LINE_GAP:
            return Ticks(step)
    return Ticks(meter.bar_length * _every(LEAST_LINE_GAP, meter.bar_length / PPQ * per_beat))


def snapped(bars: BarMap, at: float, per_beat: float, *, beats: bool = False) -> Ticks:
    """The nearest grid position in ticks, at least 0, at a zoom of `per_beat` pixels per quarter note; with `beats` on
    whole beats."""
    here = max(0, round(at))
    meter = bars.meter_at(here)
    step = max(grid_at(bars, here, per_beat), PPQ * 4 // meter.unit if beats else 0)
    inside = here - meter.at
    near = meter.at + (inside + step // 2) // step * step
    following = bars.start_of(bars.bar_at(here) + 1)
    # The last bar before a change of meter may be short.
    return Ticks(following if near > following and step <= meter.bar_length else near)


def moved_by(bars: BarMap, at: int, steps: int, per_beat: float) -> Ticks:
    """The tick `steps` grid steps after tick `at` (negative: before), at least 0; `per_beat` is the zoom, pixels per
    quarter note."""
    step = grid_at(bars, at if steps > 0 else at - 1, per_beat)
    return Ticks(max(0, at + steps * step))
