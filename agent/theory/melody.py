"""Melody: the line on top, and how much of it a changed song keeps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise
from math import sqrt

from agent.song.ids import TrackId
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.track import Track
from agent.theory.sounding import TOGETHER, Sounding, family_tracks, percussive_tracks, sounding, strokes

_SECOND = re.compile(r" (?:[2-9]|II+|IV|V)$")
"""What the name of a second player of a kind ends in: the first of them has the tune."""
_SINGERS = ("melody", "lead", "vocal", "voice", "theme", "solo", "topline", "hook")


def melody_track(song: Song, palette: Palette) -> TrackId | None:
    """The track that most likely plays the melody, judged by its name, its family, whether it plays one note at a time,
    and its height; None without a candidate."""
    excluded = percussive_tracks(song, palette) | family_tracks(song, palette, "bass")
    leads = family_tracks(song, palette, "lead", "woodwind")
    backing = family_tracks(song, palette, "pad", "arp", "fx")
    best: tuple[float, TrackId] | None = None
    for track in song.tracks:
        if track.id in excluded or track.mute or not track.note_count:
            continue
        score = _singing(song, track) + 2.0 * (track.id in leads) - 2.0 * (track.id in backing)
        if best is None or score > best[0]:
            best = (score, track.id)
    return best[1] if best else None


def melody_line(
    song: Song, tracks: Collection[TrackId] | None = None, kits: Collection[TrackId] = ()
) -> tuple[Sounding, ...]:
    """The top voice of `tracks` (None: of all), without the drum tracks in `kits`, in order of time.

    At each onset the highest note counts, unless a higher one still sounds for more than half of the note's length.
    """
    notes = [note for note in sounding(song, tracks) if note.track not in kits]
    line: list[Sounding] = []
    for note in notes:
        if line and note.start - line[-1].start < TOGETHER:
            if note.pitch >= line[-1].pitch:
                line[-1] = note
        elif not (line and _covers(line[-1], note)):
            line.append(note)
    return tuple(line)


def _covers(above: Sounding, note: Sounding) -> bool:
    return above.pitch > note.pitch and 2 * (above.end - note.start) > note.end - note.start


def similarity(before: Sequence[Sounding], after: Sequence[Sounding], n: int = 3) -> float:
    """How alike two lines are, 0-1: cosine of their counts of `n`-note shapes.

    A shape is the row of intervals between successive notes, modulo the octave, so that neither transposing,
    octave shifts, stretching nor repeating the whole line lowers the figure. Two lines too short for one
    shape are alike (1) when both are empty of shapes, else 0.
    """
    a, b = _shapes(before, n), _shapes(after, n)
    if not a or not b:
        return float(a == b)
    dot = sum(count * b[shape] for shape, count in a.items())
    return dot / sqrt(sum(x * x for x in a.values()) * sum(x * x for x in b.values()))


def _shapes(line: Sequence[Sounding], n: int) -> Counter[tuple[int, ...]]:
    moves = [(b.pitch - a.pitch) % 12 for a, b in pairwise(line)]
    return Counter(tuple(moves[i : i + n - 1]) for i in range(len(moves) - n + 2))


def _singing(song: Song, track: Track) -> float:
    notes = sounding(song, (track.id,))
    alone = len(strokes(notes)) / len(notes)
    height = sum(note.pitch for note in notes) / len(notes) / 127
    named = any(word in track.name.lower() for word in _SINGERS)
    return 4.0 * named + 2.0 * alone + height - 0.5 * (_SECOND.search(track.name) is not None)


def mirrored(before: Sequence[Sounding], after: Sequence[Sounding]) -> float:
    """Share, 0 to 1, of the steps up or down in the line `before` that go the opposite way in `after`, at notes that
    begin at the same ticks; 0 without any."""
    then = {note.start: note.pitch for note in before}
    pairs = [(then[note.start], note.pitch) for note in after if note.start in then]
    moves = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(pairs) if a[0] != b[0]]
    return sum(was * now < 0 for was, now in moves) / len(moves) if moves else 0.0
