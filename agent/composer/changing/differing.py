"""Which objects of a song differ from those of another: the keys under which reasons are filed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import structs

from agent.song.song import Song
from agent.song.track import Track

NAME, KEY, TEMPO, METER, CHORDS, LOUDNESS = "name", "key", "tempo", "meter", "chords", "loudness"
"""The keys of the song's own fields."""


def font_key(track: str | None) -> str:
    """The key of a track's SoundFont setting; None means that of the song."""
    return f"soundfont:{track or ''}"


def differing(old: Song, new: Song) -> Iterator[str]:
    """Keys of the objects that differ between two songs, added and removed objects included."""
    frame = (
        (NAME, "name"), (KEY, "key"), (TEMPO, "tempos"), (METER, "meters"), (CHORDS, "chords"),
        (LOUDNESS, "loudness_target"),
    )
    yield from (key for key, field in frame if getattr(old, field) != getattr(new, field))
    if old.soundfont != new.soundfont:
        yield font_key(None)
    yield from _changed_ids(old.sections, new.sections)
    yield from _changed_ids(old.master_effects, new.master_effects)
    before = {track.id: track for track in old.tracks}
    for track in new.tracks:
        was = before.pop(track.id, None)
        if was is not track:
            yield from _track_differing(was, track)
    yield from before


def _track_differing(was: Track | None, track: Track) -> Iterator[str]:
    if was is None or _mix(was) != _mix(track):
        yield track.id
    if track.soundfont != (was.soundfont if was else ""):
        yield font_key(track.id)
    yield from _changed_ids(was.clips if was else (), track.clips)
    yield from _changed_ids(was.effects if was else (), track.effects)
    old = {lane.target: lane for lane in was.automation} if was else {}
    now = {lane.target: lane for lane in track.automation}
    yield from (f"{track.id}:{name}" for name in {**old, **now} if old.get(name) != now.get(name))


def _mix(track: Track) -> Track:
    return structs.replace(track, clips=(), effects=(), automation=(), soundfont="")


def _changed_ids(old: Sequence[Any], new: Sequence[Any]) -> Iterator[str]:
    before = {one.id: one for one in old}
    for one in new:
        was = before.pop(one.id, None)
        if was is not one and was != one:
            yield one.id
    yield from before
