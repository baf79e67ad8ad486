"""How notes were made: played or written, and whether a pitched track plays drums."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from agent.song.clip import Note
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.track import Track
from agent.theory.sounding import kit_tracks, sounding

_GRID = 20
"""Ticks of a 1/48 of a quarter note: all usual notes, dots and triplets of a score begin on this grid."""
_SLACK = 1
_LOOSE = 0.1
_KICKS, _SNARES, _CYMBALS = frozenset({35, 36}), frozenset({37, 38, 39, 40}), frozenset({42, 44, 46, 51, 53, 59})
_REST = frozenset({41, 43, 45, 47, 48, 49, 50, 52, 54, 55, 56, 57})
_CORE = _KICKS | _SNARES | _CYMBALS
_DRUM_NAMES = ("drum", "percussion", "kit", "beat")
_ENOUGH = 16


def was_played(song: Song, palette: Palette) -> bool:
    """Whether a song was played or programmed with a groove rather than written as a score: it has a drum kit, or a
    tenth of its attacks lie off a score's grid.

    A score need not say how loud its notes are. Times are measured from one attack to the next, so that one bar that is
    too long does not shift all later ones.
    """
    starts = sorted({note.start for note in sounding(song)})
    off = [(after - before) % _GRID for before, after in pairwise(starts)]
    loose = sum(_SLACK < rest < _GRID - _SLACK for rest in off)
    return bool(kit_tracks(song, palette)) or loose > _LOOSE * len(starts)


def plays_drums(track: Track) -> bool:
    """Whether a track with a pitched instrument plays the part of a drum kit: by its name and pitches, or by its
    pitches alone.

    Pitches alone are enough if there are kick, snare and cymbals on their General MIDI keys, some of them struck
    together.
    """
    notes = [note for clip in track.clips for note in clip.notes]
    if len(notes) < _ENOUGH:
        return False
    core, whole = _share(notes, _CORE), _share(notes, _CORE | _REST)
    if core >= 0.6 and whole >= 0.9 and any(word in track.name.lower() for word in _DRUM_NAMES):
        return True
    parts = (_share(notes, _KICKS) >= 0.05, _share(notes, _SNARES) >= 0.05, _share(notes, _CYMBALS) >= 0.25)
    return all(parts) and core >= 0.75 and whole >= 0.9 and _together(track) >= 0.1


def _share(notes: Sequence[Note], pitches: frozenset[int]) -> float:
    return sum(note.pitch in pitches for note in notes) / len(notes)


def _together(track: Track) -> float:
    """Share of the notes that begin within a 1/64 of another."""
    starts = sorted(clip.start + note.start for clip in track.clips for note in clip.notes)
    close = sum(after - before < 60 for before, after in pairwise(starts))
    return close / len(starts)
