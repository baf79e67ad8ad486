"""Names of the chords that sound over a stretch of the song, for above the piano roll."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from agent.song.ids import TrackId
from agent.song.song import Song
from agent.song.time import PPQ
from agent.theory.chords import chord_symbol
from agent.theory.harmony import HeardChord, heard_chords, sure_chord
from agent.theory.sounding import Sounding, pitched

_STRUCK = 3
"""Number of pitch classes that begin together from which they count as a new chord."""
_TOGETHER = PPQ // 8
"""Ticks around a beat within which notes count as beginning together."""
_GRID = PPQ // 2
"""Ticks of a grid on which the beats of all meters begin."""


class ChordName(Struct, frozen=True):
    """The name of a chord over a range of ticks of the song."""

    start: int
    end: int
    name: str


def chords_between(song: Song, kits: Collection[TrackId], start: int, end: int) -> tuple[ChordName, ...]:
    """Chords that the pitched tracks play between two ticks of the song, by bars and half bars, and by beats on which
    another chord begins; equal neighbours are merged. `kits` are ids of tracks to ignore."""
    within = replace(song, tracks=tuple(
        replace(track, clips=tuple(
            replace(clip, notes=tuple(
                note for note in clip.notes if clip.start + note.start < end and clip.start + note.end > start
            ))
            for clip in track.clips if clip.start < end and clip.end > start
        ))
        for track in song.tracks if not track.mute
    ))
    notes = pitched(within, kits)
    struck = _struck(notes)
    found: list[ChordName] = []
    for heard in heard_chords(within, kits):
        for one in _by_beats(song, heard, notes, struck):
            if one.end <= start or one.start >= end:
                continue
            name = chord_symbol(one.chord, song.key)
            if found and found[-1].end == one.start and found[-1].name == name:
                found[-1] = ChordName(found[-1].start, one.end, name)
            else:
                found.append(ChordName(one.start, one.end, name))
    return tuple(found)


def _struck(notes: Sequence[Sounding]) -> dict[int, list[Sounding]]:
    """Notes of one track that begin together, where they are a chord, by the tick of the beat."""
    begun: dict[tuple[int, TrackId], list[Sounding]] = defaultdict(list)
    for note in notes:
        beat = round(note.start / _GRID) * _GRID
        if abs(note.start - beat) <= _TOGETHER:
            begun[beat, note.track].append(note)
    found: dict[int, list[Sounding]] = defaultdict(list)
    for (beat, _), together in begun.items():
        if len({note.pitch % 12 for note in together}) >= _STRUCK:
            found[beat] += together
    return found


def _by_beats(
    song: Song, heard: HeardChord, notes: Sequence[Sounding], struck: dict[int, list[Sounding]]
) -> Iterator[HeardChord]:
    """A chord, or those that are struck one after the other while it was thought to sound."""
    meter = song.bar_map.meter_at(heard.start)
    beat = meter.bar_length // meter.beats
    cuts = [at for at in range(heard.start + beat, heard.end, beat) if at in struck]
    if not cuts:
        yield heard
        return
    near = [note for note in notes if note.start < heard.end and note.end > heard.start]
    chord = heard.chord
    for at, until in pairwise([heard.start, *cuts, heard.end]):
        # What is struck tells more than a melody or a bass that goes on over it.
        chord = sure_chord(struck.get(at, near), at, until) or sure_chord(near, at, until) or chord
        yield HeardChord(at, until, chord)
