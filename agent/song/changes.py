"""What differs between two songs, as a type that a view, a diff and a player can read."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from agent.song.chart import ChordSymbol
from agent.song.clip import Clip, Note
from agent.song.ids import ClipId, TrackId
from agent.song.song import Section, Song
from agent.song.time import MeterChange, TempoChange, to_beats
from agent.song.track import Automation, Effect, Track

Change = Literal["added", "removed", "changed"]


class FieldChange(Struct, frozen=True):
    """A plain value that differs: the name of the field, and its values `before` and `after` in words."""

    field: str
    before: str
    after: str


class ClipChanges(Struct, frozen=True, gc=False):
    """How one clip differs. `notes_moved` are (before, after) pairs: such a note kept its id but not its pitch, time,
    length or velocity. `fields` are changes of name, place and length."""

    clip_id: ClipId
    name: str
    change: Change
    notes_added: tuple[Note, ...] = ()
    notes_removed: tuple[Note, ...] = ()
    notes_moved: tuple[tuple[Note, Note], ...] = ()
    fields: tuple[FieldChange, ...] = ()


class TrackChanges(Struct, frozen=True):
    """How one track differs; `fields` tells of name, instrument, mix, effects and automation."""

    track_id: TrackId
    name: str
    change: Change
    clips: tuple[ClipChanges, ...] = ()
    fields: tuple[FieldChange, ...] = ()

    @property
    def notes_added(self) -> int:
        """Notes that the track gained."""
        return sum(len(clip.notes_added) for clip in self.clips)

    @property
    def notes_removed(self) -> int:
        """Notes that the track lost."""
        return sum(len(clip.notes_removed) for clip in self.clips)

    @property
    def notes_moved(self) -> int:
        """Notes that stayed but changed."""
        return sum(len(clip.notes_moved) for clip in self.clips)


class Changes(Struct, frozen=True):
    """All differences between two songs; `song` holds those outside the tracks."""

    song: tuple[FieldChange, ...] = ()
    tracks: tuple[TrackChanges, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether the songs are equal."""
        return not self.song and not self.tracks


def compare(before: Song, after: Song) -> Changes:
    """Differences that lead from one song to the other; empty exactly when they are equal."""
    if before == after:
        return Changes()
    old = {track.id: track for track in before.tracks}
    new = {track.id: track for track in after.tracks}
    tracks = [_removed(track) for track in before.tracks if track.id not in new]
    for track in after.tracks:
        was = old.get(track.id)
        if was is None:
            tracks.append(_added(track))
        elif was != track:
            tracks.append(_changed(was, track))
    song = list(_fields(before, after, skip=("tracks",)))
    order_before = [track.id for track in before.tracks if track.id in new]
    order_after = [track.id for track in after.tracks if track.id in old]
    if order_before != order_after:
        was_order = ", ".join(old[track_id].name for track_id in order_before)
        song.append(FieldChange("track order", was_order, ", ".join(new[i].name for i in order_after)))
    return Changes(tuple(song), tuple(tracks))


def _added(track: Track) -> TrackChanges:
    clips = tuple(_added_clip(clip) for clip in track.clips)
    return TrackChanges(track.id, track.name, "added", clips)


def _removed(track: Track) -> TrackChanges:
    clips = tuple(_removed_clip(clip) for clip in track.clips)
    return TrackChanges(track.id, track.name, "removed", clips)


def _changed(before: Track, after: Track) -> TrackChanges:
    old = {clip.id: clip for clip in before.clips}
    new = {clip.id: clip for clip in after.clips}
    clips = [_removed_clip(clip) for clip in before.clips if clip.id not in new]
    for clip in after.clips:
        was = old.get(clip.id)
        if was is None:
            clips.append(_added_clip(clip))
        elif was != clip:
            clips.append(_changed_clip(was, clip))
    fields = tuple(_fields(before, after, skip=("clips",)))
    return TrackChanges(after.id, after.name, "changed", tuple(clips), fields)


def _added_clip(clip: Clip) -> ClipChanges:
    return ClipChanges(clip.id, clip.name, "added", notes_added=clip.notes)


def _removed_clip(clip: Clip) -> ClipChanges:
    return ClipChanges(clip.id, clip.name, "removed", notes_removed=clip.notes)


def _changed_clip(before: Clip, after: Clip) -> ClipChanges:
    old = {note.id: note for note in before.notes}
    new = {note.id: note for note in after.notes}
    return ClipChanges(
        after.id,
        after.name,
        "changed",
        notes_added=tuple(note for note in after.notes if note.id not in old),
        notes_removed=tuple(note for note in before.notes if note.id not in new),
        notes_moved=tuple(
            (old[note.id], note) for note in after.notes if note.id in old and old[note.id] != note
        ),
        fields=tuple(_fields(before, after, skip=("notes",))),
    )


def _fields(before: Struct, after: Struct, skip: tuple[str, ...]) -> list[FieldChange]:
    changes = []
    for name in before.__struct_fields__:
        if name in skip:
            continue
        was, now = getattr(before, name), getattr(after, name)
        if was != now:
            changes.append(FieldChange(name, in_words(was), in_words(now)))
    return changes


def in_words(value: object) -> str:
    """A value of a song, short enough for one cell of a table."""
    match value:
        case tuple():
            return ", ".join(in_words(item) for item in value) or "none"
        case float():
            return f"{value:g}"
        case TempoChange(at=at, bpm=bpm):
            return f"{bpm:g} BPM at beat {to_beats(at):g}"
        case MeterChange(at=at, beats=beats, unit=unit):
            return f"{beats}/{unit} at beat {to_beats(at):g}"
        case ChordSymbol(start=start, symbol=symbol):
            return f"{symbol} at beat {to_beats(start):g}"
        case Section(name=name, start=start):
            return f"{name} at beat {to_beats(start):g}"
        case Automation(target=target, points=points):
            return f"{target} ({len(points)} points)"
        case Effect(name=name, params=params, enabled=enabled):
            settings = ", ".join(f"{param} {setting:g}" for param, setting in params)
            return f"{name}{f' ({settings})' if settings else ''}{'' if enabled else ' off'}"
    return str(value)
