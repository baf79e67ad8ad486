"""The order of rows: frame and form, what only moves, what goes, then track by track, the master last."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from msgspec import UNSET, structs

from agent.song import edits as e
from agent.song.difference import edits_between
from agent.song.ids import TrackId
from agent.song.song import Song

_FRAME, _MOVING, _GOING, _TRACKS, _LATE = range(5)


def rows_in_order(before: Song, after: Song) -> list[e.Edit]:
    """The edits that turn the song `before` into `after`, in reading order and at most one for each object."""
    kept = {track.id for track in after.tracks}
    gone = {clip.id for track in before.tracks if track.id not in kept for clip in track.clips}
    edits: list[e.Edit] = [
        edit for edit in edits_between(before, after)
        if not (isinstance(edit, e.DeleteClip) and edit.clip_id in gone)
        and not isinstance(edit, e.CreateTrack | e.UpdateTrack)
    ]
    edits += _tracks(before, after)
    places = _Places(before, after)
    return sorted(edits, key=places.of)


def is_move(edit: e.Edit) -> bool:
    """Whether an edit only moves a clip in time."""
    if not isinstance(edit, e.ModifyClip) or edit.start_time is UNSET:
        return False
    return all(value is UNSET for value in (edit.notes, edit.name, edit.duration, edit.to_track_id))


class _Places:
    """Where in the order an edit stands."""

    def __init__(self, before: Song, after: Song) -> None:
        self._tracks = {track.id: number for number, track in enumerate(after.tracks)}
        self._owners: dict[str, int] = {}
        for song in (before, after):
            for track in song.tracks:
                place = self._tracks.get(track.id, len(after.tracks))
                self._owners |= dict.fromkeys([clip.id for clip in track.clips], place)
                self._owners |= dict.fromkeys([effect.id for effect in track.effects], place)
        self._left = _left(before, after)

    def of(self, edit: e.Edit) -> tuple[int, int, int]:
        """The block, the track within it, and the making of a track before what is on it."""
        last = len(self._tracks) + 1
        match edit:
            case e.DeleteTrack():
                return (_LATE if edit.track_id in self._left else _GOING), 0, 0
            case e.DeleteClip():
                return _GOING, 1, self._owners[edit.clip_id]
            case e.ModifyClip() if is_move(edit):
                return _MOVING, self._owners[edit.clip_id], 0
            case e.ModifyClip():
                return _TRACKS, self._owners[edit.clip_id], 1
            case e.AddEffect() | e.UpdateEffect() | e.RemoveEffect():
                return _TRACKS, self._owners.get(edit.effect_id, last), 2
            case e.CreateTrack() | e.UpdateTrack():
                return _TRACKS, self._tracks[edit.track_id], 0
            case e.CreateMidiClip():
                return _TRACKS, self._tracks[edit.track_id], 1
            case e.SetSoundFont(track_id=track) if track is not None:
                return _TRACKS, self._tracks[track], 1
            case e.SetAutomation():
                return _TRACKS, self._tracks[edit.track_id], 3
            case _:
                return _FRAME, 0, 0


def _left(before: Song, after: Song) -> set[TrackId]:
    """Tracks whose clips go to another one: if they are deleted, then when the clips are there."""
    kept = {track.id for track in after.tracks}
    staying = {clip.id for _, clip in after.clips()}
    return {
        track.id for track in before.tracks
        if track.id not in kept and any(clip.id in staying for clip in track.clips)
    }


def _tracks(before: Song, after: Song) -> Iterator[e.Edit]:
    """One edit for each track that is new, another or elsewhere in the order; as few as can be move."""
    old = {track.id: track for track in before.tracks}
    wanted = [track.id for track in after.tracks]
    present = {*wanted, *_left(before, after)}
    order = [track.id for track in before.tracks if track.id in present]
    staying = _longest_rising([wanted.index(track) for track in order if track in set(wanted)])
    still = {wanted[place] for place in staying}
    previous: TrackId | None = None
    for track in after.tracks:
        was = old.get(track.id)
        position: int | None = None
        if track.id not in still:
            order = [one for one in order if one != track.id]
            position = 0 if previous is None else order.index(previous) + 1
            order.insert(position, track.id)
        previous = track.id
        if was is None:
            yield e.CreateTrack(
                track_id=track.id, name=track.name, instrument=track.instrument, type=track.type,
                volume_db=track.volume_db, pan=track.pan, mute=track.mute, color=track.color,
                position=position if position is not None and position < len(order) - 1 else None,
            )
            continue
        names = ("name", "instrument", "volume_db", "pan", "mute", "color")
        changed = {name: getattr(track, name) for name in names if getattr(track, name) != getattr(was, name)}
        if changed or position is not None:
            edit = e.UpdateTrack(track_id=track.id, **changed)
            yield edit if position is None else structs.replace(edit, position=position)


def _longest_rising(numbers: Sequence[int]) -> list[int]:
    """The longest rising subsequence of different numbers."""
    tails: list[int] = []
    chains: list[list[int]] = []
    for number in numbers:
        place = bisect_left(tails, number)
        chain = [*(chains[place - 1] if place else []), number]
        tails[place:place + 1] = [number]
        chains[place:place + 1] = [chain]
    return chains[-1] if chains else []
