"""Names of the chords that sound over a stretch of the song, for above the piano roll."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct
from msgspec.structs import replace

from agent.song.ids import TrackId
from agent.song.song import Song
from agent.theory.harmony import heard_chords


class ChordName(Struct, frozen=True):
    """A chord over ticks of the song."""

    start: int
    end: int
    name: str


def chords_between(song: Song, kits: Collection[TrackId], start: int, end: int) -> tuple[ChordName, ...]:
    """Chords of what all pitched tracks play in a stretch, by bars and half bars; neighbours that are the same are
    one."""
    within = replace(song, tracks=tuple(
        replace(track, clips=tuple(
            replace(clip, notes=tuple(
                note for note in clip.notes if clip.start + note.start < end and clip.start + note.end > start
            ))
            for clip in track.clips if clip.start < end and clip.end > start
        ))
        for track in song.tracks if not track.mute
    ))
    found: list[ChordName] = []
    for one in heard_chords(within, kits):
        if one.end <= start or one.start >= end:
            continue
        name = one.chord.symbol(song.key)
        if found and found[-1].end == one.start and found[-1].name == name:
            found[-1] = ChordName(found[-1].start, one.end, name)
        else:
            found.append(ChordName(one.start, one.end, name))
    return tuple(found)
