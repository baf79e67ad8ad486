"""Automation on a timeline that is opened, closed or copied: outside the seams every value stays."""

from __future__ import annotations

import bisect

from msgspec import structs

from agent.song.time import Ticks
from agent.song.track import Automation, Point

_AT_REST = {"pedal": 0.0, "bend": 0.0}
"""Lanes that go back to nothing while time is put in: a pedal is not held through bars it does not belong to."""


def value_at(lane: Automation, at: int) -> float:
    """The value of an automation lane at a tick; before the first point that point's value."""
    index = bisect.bisect_right([point.at for point in lane.points], at) - 1
    if index < 0:
        return lane.points[0].value
    here = lane.points[index]
    if lane.curve == "hold" or index + 1 == len(lane.points):
        return here.value
    following = lane.points[index + 1]
    return here.value + (following.value - here.value) * (at - here.at) / (following.at - here.at)


def lane_opened(lane: Automation, at: int, length: int) -> Automation:
    """The automation lane with `length` ticks inserted before `at`; its value there is held through the new time."""
    before = [point for point in lane.points if point.at < at]
    after = [structs.replace(point, at=Ticks(point.at + length)) for point in lane.points if point.at >= at]
    if not before or not after:
        return structs.replace(lane, points=(*before, *after))
    value = value_at(lane, at - 1) if lane.curve == "hold" else value_at(lane, at)
    rest = _AT_REST.get(lane.target, value)
    if rest != value or lane.curve == "linear":
        before.append(Point(Ticks(at), rest))
    if after[0].at > at + length and (rest != value or lane.curve == "linear"):
        after.insert(0, Point(Ticks(at + length), value))
    return structs.replace(lane, points=_plain(lane, [*before, *after]))


def lane_closed(lane: Automation, start: int, end: int) -> Automation:
    """The automation lane with the time from `start` to `end` removed; values before and behind it stay."""
    before = [point for point in lane.points if point.at < start]
    after = [structs.replace(p, at=Ticks(p.at - (end - start))) for p in lane.points if p.at >= end]
    inside = len(before) + len(after) < len(lane.points)
    if before and after and after[0].at > start and (inside or lane.curve == "linear"):
        after.insert(0, Point(Ticks(start), value_at(lane, end)))
    elif inside and not after:
        after = [Point(Ticks(start), value_at(lane, start))] if before else []
    elif inside and not before and after[0].at > start:
        after.insert(0, Point(Ticks(start), value_at(lane, end)))
    if lane.curve == "linear" and before and after and before[-1].at < start - 1:
        before.append(Point(Ticks(start - 1), value_at(lane, start - 1)))
    return structs.replace(lane, points=_plain(lane, [*before, *after]))


def lane_copied(lane: Automation, start: int, end: int, to: int) -> Automation:
    """The automation lane with its values between `start` and `end` repeated from `to` on; before and behind the copy
    its values stay."""
    inside = [point for point in lane.points if start <= point.at < end]
    stop = to + end - start
    if not inside and value_at(lane, start) == value_at(lane, to):
        return lane
    kept = [point for point in lane.points if not to <= point.at < stop]
    back = value_at(lane, stop)
    copied = [structs.replace(point, at=Ticks(point.at - start + to)) for point in inside]
    if not copied or copied[0].at > to:
        copied.insert(0, Point(Ticks(to), value_at(lane, start)))
    if any(point.at > stop for point in kept) or copied[-1].value != back:
        copied += [] if any(point.at == stop for point in kept) else [Point(Ticks(stop), back)]
    points = sorted([*kept, *copied], key=lambda point: point.at)
    return structs.replace(lane, points=_plain(lane, points))


def _plain(lane: Automation, points: list[Point]) -> tuple[Point, ...]:
    """Points without those that lie on the line between their neighbours."""
    kept: list[Point] = []
    for number, point in enumerate(points):
        following = points[number + 1] if number + 1 < len(points) else None
        if kept and following is not None and kept[-1].value == point.value == following.value:
            continue
        kept.append(point)
    return tuple(kept) if points != list(lane.points) else lane.points
