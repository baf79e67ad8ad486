"""Exchanging: two neighbouring stretches of a song change places, with everything that lies on them."""

from __future__ import annotations

import itertools

from msgspec import Struct, structs

from agent.composer.changing.time.timeline import NewId, piece_of, split_sections
from agent.song.clip import Clip
from agent.song.ids import ClipId
from agent.song.song import Song
from agent.song.time import MeterChange, TempoChange, Ticks, distinct_meters, distinct_tempos
from agent.song.track import Automation, Point, Track
from agent.theory.excerpts import lane_value

_RESTING = {"pedal": 0.0, "bend": 0.0, "expression": 127.0, "modulation": 0.0}


class Exchanged(Struct, frozen=True):
    """Two neighbouring stretches, `start` to `middle` and `middle` to `end` (ticks), that change places."""

    start: int
    middle: int
    end: int

    def placed(self, at: int, *, closing: bool = False) -> int:
        """Where the tick `at` of the song before lies afterwards. A tick on a boundary counts as the start of what
        follows, with `closing` as the end of what precedes."""
        low = at - 1 if closing else at
        if self.start <= low < self.middle:
            return at + self.end - self.middle
        return at - (self.middle - self.start) if self.middle <= low < self.end else at


def exchange_time(song: Song, move: Exchanged, new_id: NewId) -> Song:
    """The song with the two stretches of whole bars in reverse order; `new_id` makes ids for new clips and sections.

    Clips and sections that cross a boundary are split, notes that cross one end there. Tempo, meter and automation move
    with their bars.
    """
    start, middle, end = move.start, move.middle, move.end
    if not start < middle < end:
        return song
    for seam in (start, middle, end):
        song = split_sections(song, seam, new_id)
    sections = [structs.replace(section, start=Ticks(move.placed(section.start))) for section in song.sections]
    tempos = {int(c.at): c.bpm for c in song.tempos} | {at: song.tempo_map.bpm(at) for at in (start, middle, end)}
    meters = {int(c.at): c for c in song.meters} | {at: song.bar_map.meter_at(at) for at in (start, middle, end)}
    return structs.replace(
        song,
        tempos=distinct_tempos([TempoChange(Ticks(move.placed(at)), bpm) for at, bpm in tempos.items()]),
        meters=distinct_meters([
            MeterChange(Ticks(move.placed(at)), meter.beats, meter.unit) for at, meter in meters.items()
        ]),
        sections=tuple(sorted(sections, key=lambda section: (section.start, section.id))),
        tracks=tuple(_exchanged(track, move, new_id) for track in song.tracks),
    )


def _exchanged(track: Track, move: Exchanged, new_id: NewId) -> Track:
    clips = [moved for clip in track.clips for moved in _parted(clip, move, new_id)]
    lanes = tuple(_lane(lane, _resting(track, lane.target), move) for lane in track.automation)
    return structs.replace(
        track, clips=tuple(sorted(clips, key=lambda clip: (clip.start, clip.id))), automation=lanes
    )


def _parted(clip: Clip, move: Exchanged, new_id: NewId) -> list[Clip]:
    """The clip where its bars now lie, in as many pieces as it takes; the first one keeps its id."""
    seams = [seam for seam in (move.start, move.middle, move.end) if clip.start < seam < clip.end]
    if not seams:
        return [structs.replace(clip, start=Ticks(move.placed(clip.start)))]
    edges = [int(clip.start), *seams, int(clip.end)]
    pieces = [piece_of(clip, low, high) for low, high in itertools.pairwise(edges)]
    found: list[Clip] = []
    for piece in pieces:
        if piece is not None:
            own = clip.id if not found else ClipId(new_id("c"))
            found.append(structs.replace(piece, id=own, start=Ticks(move.placed(piece.start))))
    return found or [structs.replace(clip, start=Ticks(move.placed(clip.start)))]


def _resting(track: Track, target: str) -> float | None:
    """What holds before the first point of a lane; None where that is the value of its first point."""
    if target == "volume_db":
        return track.volume_db
    return track.pan if target == "pan" else _RESTING.get(target)


def _lane(lane: Automation, resting: float | None, move: Exchanged) -> Automation:
    rest = lane.points[0].value if resting is None else resting
    stretches = ((move.start, move.middle), (move.middle, move.end))
    inside = [point for point in lane.points if move.start <= point.at < move.end]
    if not inside and lane_value(lane, rest, move.start) == lane_value(lane, rest, move.end):
        return lane
    points = {int(point.at): point.value for point in lane.points if not move.start <= point.at < move.end}
    if lane.curve == "linear" and move.start:
        points.setdefault(move.start - 1, lane_value(lane, rest, move.start - 1))
    points.setdefault(move.end, lane_value(lane, rest, move.end))
    for low, high in stretches:
        own = {low: lane_value(lane, rest, low)} | {int(p.at): p.value for p in inside if low <= p.at < high}
        if lane.curve == "linear":
            own.setdefault(high - 1, lane_value(lane, rest, high - 1))
        points |= {move.placed(at): value for at, value in own.items()}
    return structs.replace(lane, points=tuple(_needed(points, lane.curve)))


def _needed(points: dict[int, float], curve: str) -> list[Point]:
    """The points in order, without those that change nothing between their neighbours."""
    kept: list[Point] = []
    ordered = sorted(points.items())
    for number, (at, value) in enumerate(ordered):
        following = ordered[number + 1][1] if number + 1 < len(ordered) else None
        same = bool(kept) and kept[-1].value == value
        if same and (curve == "hold" or following == value or following is None):
            continue
        kept.append(Point(Ticks(at), round(value, 4)))
    return kept
