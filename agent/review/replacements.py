"""Replacements: what takes a part's place in a bar is music of its kind, and enough of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from agent.song.ids import TrackId
from agent.song.palette import Palette
from agent.song.song import Song
from agent.theory.sounding import Sounding, percussive_tracks, sounding

Cell = tuple[TrackId, int]
"""A track in a bar, counted from 1."""
_ENOUGH = 0.5
"""So large a share of what was played there is a replacement; less is a loss."""
_BASS = 52
"""Parts that lie below this MIDI pitch on average carry the bass."""
_NEAR = 12
"""Semitones between two parts that can do the same work, whichever side of `_BASS` they lie on."""


class Playing(Struct, frozen=True):
    """What a track does in one bar: `strokes` at different times, ticks in which it `sounds`, and its `pitches`;
    `percussive` for drums."""

    percussive: bool
    strokes: int
    sounds: int
    pitches: tuple[int, ...]

    def replaces(self, other: Playing) -> bool:
        """Whether a listener would hear this in the place of `other`; both are percussive, or neither is.

        Drums are replaced by at least half as many strokes on half as many drums; what has pitches by something in its
        register that is struck half as often or sounds half as long.
        """
        busy = self.strokes >= _ENOUGH * other.strokes
        if self.percussive:
            return busy and len(set(self.pitches)) >= _ENOUGH * len(set(other.pitches))
        return (busy or self.sounds >= _ENOUGH * other.sounds) and _same_register(self.pitches, other.pitches)


def playing(song: Song, cells: Collection[Cell], palette: Palette) -> Mapping[Cell, Playing]:
    """What is played in each of `cells` (track and bar); silent cells are left out."""
    wanted, percussive = frozenset(cells), percussive_tracks(song, palette)
    bars, notes = song.bar_map, defaultdict[Cell, list[Sounding]](list)
    for note in sounding(song, {track for track, _ in wanted}):
        for bar in range(bars.bar_at(note.start), bars.bar_at(max(note.start, note.end - 1)) + 1):
            if (note.track, bar) in wanted:
                notes[note.track, bar].append(note)
    return {cell: _playing(inside, percussive=cell[0] in percussive) for cell, inside in notes.items()}


def unreplaced(lost: Mapping[Cell, Playing], new: Mapping[Cell, Playing]) -> frozenset[Cell]:
    """The cells of `lost` for which nothing in `new` is left in their bar; each new cell replaces only one."""
    free: dict[tuple[int, bool], list[Playing]] = defaultdict(list)
    for (_, bar), one in new.items():
        free[bar, one.percussive].append(one)
    return frozenset(cell for cell, gone in lost.items() if not _take(gone, free[cell[1], gone.percussive]))


def _take(gone: Playing, free: list[Playing]) -> bool:
    """Use up the fewest of the parts that replace one together; none where all of them do not."""
    free.sort(key=lambda one: -one.strokes)
    for count in range(1, len(free) + 1):
        if _together(free[:count]).replaces(gone):
            del free[:count]
            return True
    return False


def _together(parts: Sequence[Playing]) -> Playing:
    if len(parts) == 1:
        return parts[0]
    return Playing(
        parts[0].percussive, sum(one.strokes for one in parts), max(one.sounds for one in parts),
        tuple(pitch for one in parts for pitch in one.pitches),
    )


def _playing(notes: Sequence[Sounding], *, percussive: bool) -> Playing:
    sounds = reach = 0
    for note in notes:
        sounds += max(0, note.end - max(reach, note.start))
        reach = max(reach, note.end)
    return Playing(percussive, len({note.start for note in notes}), sounds, tuple(note.pitch for note in notes))


def _same_register(some: Sequence[int], others: Sequence[int]) -> bool:
    one, other = (sum(pitches) / len(pitches) for pitches in (some, others))
    return (one < _BASS) == (other < _BASS) or abs(one - other) <= _NEAR
