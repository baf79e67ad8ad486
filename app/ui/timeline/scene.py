"""What the timeline shows at one moment: lanes with their clips and ghosts, and what lies where."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate

from PySide6.QtGui import QPixmap

from agent.song.clip import Clip
from agent.song.ids import ClipId, TrackId
from agent.song.locks import Lock
from agent.song.song import Song
from agent.song.time import PPQ, Ticks
from agent.song.track import Track
from app.viewmodels.edits.curve_edits import CurveTarget
from app.viewmodels.edits.locking import is_locked, locked_clips
from app.viewmodels.plan.ghosts import GhostAutomation, GhostClip, Ghosts
from app.viewmodels.texts.track_names import accessible_names
from app.viewmodels.timeline.layout import Lane, lanes_of, length_of


class ClipShape:
    """A clip as it is painted; its picture is cached until content, colour, size or theme changes."""

    __slots__ = ("clip", "end", "locked", "muted", "picture", "picture_of", "start", "track")

    def __init__(self, track: Track, clip: Clip, locked: bool) -> None:
        self.track = track
        self.clip = clip
        self.locked = locked
        self.muted = track.mute
        self.start = clip.start / PPQ
        self.end = clip.end / PPQ
        self.picture: QPixmap | None = None
        self.picture_of: tuple[int, int, int] = (0, 0, 0)
        """Width, height and look that the picture was made for."""

    def same_look(self, track: Track, clip: Clip, locked: bool) -> bool:
        """Whether a later state of the clip looks the same, so that the cached picture can be used."""
        mine = self.track
        return (
            self.clip.notes is clip.notes and self.clip.duration == clip.duration and self.clip.name == clip.name
            and mine.color == track.color and self.muted == track.mute and self.locked == locked
        )


@dataclass(frozen=True)
class SceneItem:
    """A clip of the song, or a ghost, in its lane."""

    lane: int
    track: Track
    clip: Clip
    ghost: GhostClip | None = None

    @property
    def key(self) -> tuple[ClipId, bool]:
        """Identifies the item in later scenes: the clip's id, and whether it is a ghost."""
        return self.clip.id, self.ghost is not None


@dataclass(frozen=True)
class CurveRow:
    """A row of the timeline with one automation curve of a track."""

    lane: int
    track: Track
    target: CurveTarget


@dataclass(frozen=True)
class TimelineScene:
    """An immutable snapshot of song, ghosts and locks as the timeline shows them."""

    song: Song
    ghosts: Ghosts
    locks: tuple[Lock, ...]
    lanes: tuple[Lane, ...]
    shapes: tuple[tuple[ClipShape, ...], ...]
    length: Ticks
    locked_tracks: frozenset[TrackId]
    done: frozenset[ClipId] = frozenset()
    curves: Mapping[TrackId, tuple[GhostAutomation, ...]] = field(default_factory=dict)
    """Proposed automation by track, in the order of the rows."""
    names: Mapping[TrackId, str] = field(default_factory=dict)
    """Names of the song's tracks for screen readers."""
    _known: dict[int, tuple[list[int], list[int]]] = field(default_factory=dict)

    def items(self, lane: int, overlay: bool) -> tuple[SceneItem, ...]:
        """Clips of a lane, and with `overlay` its ghosts in place of the clips they cover, from left to right."""
        row = self.lanes[lane]
        ghosts = row.ghosts if overlay else ()
        covered = {ghost.clip.id for ghost in ghosts}
        found = [SceneItem(lane, row.track, clip) for clip in row.clips if clip.id not in covered]
        found += [SceneItem(lane, row.track, ghost.clip, ghost) for ghost in ghosts]
        return tuple(sorted(found, key=lambda item: (item.clip.start, item.clip.id)))

    def item_at(self, lane: int, at: float, overlay: bool) -> SceneItem | None:
        """The topmost clip, or with `overlay` ghost, at a tick of a lane; None for none."""
        if not 0 <= lane < len(self.lanes):
            return None
        row = self.lanes[lane]
        if overlay:
            for ghost in reversed(row.ghosts):
                if ghost.clip.start <= at < ghost.clip.end:
                    return SceneItem(lane, row.track, ghost.clip, ghost)
        starts, ends = self._reaches(lane)
        # Clips may overlap: whatever begins later lies uppermost, and none before a place where all have ended.
        for number in range(bisect_right(starts, at) - 1, -1, -1):
            if ends[number] <= at:
                return None
            if row.clips[number].end > at:
                return SceneItem(lane, row.track, row.clips[number])
        return None

    def _reaches(self, lane: int) -> tuple[list[int], list[int]]:
        """Of a lane's clips the starts, and how far all up to each one reach; made once."""
        found = self._known.get(lane)
        if found is None:
            clips = self.lanes[lane].clips
            ends = list(accumulate((int(clip.end) for clip in clips), max))
            found = self._known[lane] = [int(clip.start) for clip in clips], ends
        return found

    def within(self, start: float, end: float, first: int, last: int, overlay: bool) -> Iterator[SceneItem]:
        """All clips, and with `overlay` ghosts, that overlap the ticks from `start` to `end` in the lanes from `first`
        to `last`."""
        for lane in range(max(0, first), min(len(self.lanes), last + 1)):
            yield from (item for item in self.items(lane, overlay) if item.clip.start < end and item.clip.end > start)

    def find(self, key: tuple[ClipId, bool] | None, overlay: bool) -> SceneItem | None:
        """The clip, or with `overlay` ghost, with this key; None if it does not exist (any more)."""
        if key is None:
            return None
        for lane, row in enumerate(self.lanes):
            if key[1]:
                for ghost in row.ghosts if overlay else ():
                    if ghost.clip.id == key[0]:
                        return SceneItem(lane, row.track, ghost.clip, ghost)
            else:
                for clip in row.clips:
                    if clip.id == key[0]:
                        return SceneItem(lane, row.track, clip)
        return None

    def lane_of(self, track_id: TrackId | None) -> int | None:
        """The index of a track's lane; None if it has none."""
        return next((n for n, lane in enumerate(self.lanes) if lane.track.id == track_id), None)


def build_scene(
    song: Song, ghosts: Ghosts, locks: tuple[Lock, ...], done: frozenset[ClipId], before: TimelineScene | None,
    unfolded: Mapping[TrackId, tuple[str, ...]] | None = None,
) -> TimelineScene:
    """Build the scene; shapes of clips that look as in `before` are reused with their pictures. `done` are clips that
    the run has already made; `unfolded` are, by track, the automation targets shown in rows below it."""
    known: Mapping[ClipId, ClipShape] = {
        shape.clip.id: shape for row in (before.shapes if before is not None else ()) for shape in row
    }
    lanes = lanes_of(song, ghosts, unfolded)
    held = locked_clips(locks, song)
    shapes = tuple(tuple(_shape(lane.track, clip, clip.id in held, known) for clip in lane.clips) for lane in lanes)
    locked = frozenset(track.id for track in song.tracks if is_locked(locks, track.id))
    curves: dict[TrackId, tuple[GhostAutomation, ...]] = {}
    for one in ghosts.automation:
        curves[one.track] = (*curves.get(one.track, ()), one)
    length, names = length_of(song, ghosts), accessible_names(song.tracks)
    return TimelineScene(song, ghosts, locks, lanes, shapes, length, locked, done, curves, names)


def _shape(track: Track, clip: Clip, locked: bool, known: Mapping[ClipId, ClipShape]) -> ClipShape:
    was = known.get(clip.id)
    if was is not None and was.clip is clip and was.track is track and was.locked == locked:
        return was
    shape = ClipShape(track, clip, locked)
    if was is not None and was.same_look(track, clip, locked):
        shape.picture, shape.picture_of = was.picture, was.picture_of
    return shape
