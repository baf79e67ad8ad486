"""Lanes: something that moves within a stretch of the song and is back where it was after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agent.composer.guard import Guard
from agent.song.time import Ticks
from agent.song.track import Automation, Point
from agent.theory.excerpts import lane_value

Change = Callable[[float], float]
"""Maps the old value to the new one."""


def within(
    target: str, lane: Automation | None, resting: float, spans: Sequence[tuple[int, int]], change: Change,
    guard: Guard, end: int,
) -> Automation:
    """The automation lane of `target` with `change` applied to its values inside the spans, except where bars are
    locked (`guard`); all else stays as it was.

    Without a lane (None) the parameter stands at `resting`. `end` is the song's last tick, behind which no point
    restores the old value.
    """
    open_spans = [part for start, stop in spans for part in guard.open_spans(start, stop)]
    curve = lane.curve if lane is not None else "hold"
    points = [p for p in (lane.points if lane is not None else ()) if not _in(p.at, open_spans)]
    for start, stop in open_spans:
        points += _moved(lane, resting, start, stop, change)
        last = stop if not guard.closed(stop) else stop - 1
        if stop < end and not any(point.at == last for point in points):
            points.append(Point(Ticks(last), lane_value(lane, resting, last)))
        if curve == "linear" and start > 0 and not guard.closed(start - 1):
            points.append(Point(Ticks(start - 1), lane_value(lane, resting, start - 1)))
    kept = {int(point.at): point for point in points}
    return Automation(target, tuple(kept[at] for at in sorted(kept)), curve)


def everywhere(lane: Automation, change: Change) -> Automation:
    """The lane with `change` applied to the value of every point."""
    points = tuple(Point(point.at, round(change(point.value), 4)) for point in lane.points)
    return Automation(lane.target, points, lane.curve)


def _moved(lane: Automation | None, resting: float, start: int, stop: int, change: Change) -> list[Point]:
    """The points of a changed stretch: at its edges, and where the lane had some."""
    inner = [int(p.at) for p in (lane.points if lane is not None else ()) if start < p.at < stop]
    edge = [stop - 1] if lane is not None and lane.curve == "linear" else []
    return [
        Point(Ticks(at), round(change(lane_value(lane, resting, at)), 4))
        for at in dict.fromkeys((start, *inner, *edge))
    ]


def _in(at: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= at < stop for start, stop in spans)


def bent(
    target: str, lane: Automation | None, resting: float, gains: Sequence[tuple[int, float]], low: float, high: float
) -> Automation:
    """The automation lane of `target` with `gains` added: straight lines through (tick, amount to add), nothing before
    the first and after the last.

    Without a lane (None) the parameter stands at `resting`. Values are kept within `low` to `high`.
    """
    straight = _linear(lane)
    first, last = gains[0][0], gains[-1][0]
    curve = Automation(target, tuple(Point(Ticks(at), gain) for at, gain in gains))
    own = straight.points if straight is not None else ()
    at_points = {at for at, _ in gains} | {int(point.at) for point in own if first <= point.at <= last}
    changed = [
        Point(Ticks(at), round(max(low, min(high, lane_value(straight, resting, at) + lane_value(curve, 0.0, at))), 3))
        for at in at_points
    ]
    kept = [point for point in own if not first <= point.at <= last]
    if kept and kept[0].at > last and not any(point.at < first for point in own):
        # before its first point a lane rests, and does not slide towards it
        kept += [Point(Ticks(kept[0].at - 1), resting)] if kept[0].at - 1 > last else []
    if own and first > 0 and own[-1].at >= first and own[0].at < first:
        kept += [Point(Ticks(first - 1), round(lane_value(straight, resting, first - 1), 3))]
    points = {int(point.at): point for point in (*kept, *changed)}
    return Automation(target, tuple(points[at] for at in sorted(points)))


def _linear(lane: Automation | None) -> Automation | None:
    """The lane as one that goes in lines: what held a value holds it up to the next point."""
    if lane is None or lane.curve == "linear":
        return lane
    points: list[Point] = []
    for point in lane.points:
        if points and points[-1].at < point.at - 1:
            points.append(Point(Ticks(point.at - 1), points[-1].value))
        points.append(point)
    return Automation(lane.target, tuple(points))
