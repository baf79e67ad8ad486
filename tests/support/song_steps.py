"""Songs read as a player reads them: which steps of which bars a part plays, and which pitches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from style_parts import track_of

from agent.composer.writing.kit import PITCHES
from agent.song.song import Song

STEP, BEAT = 240, 960
EARLIEST = 60
"""Ticks that a player may be ahead of the step that is meant."""
Bars = dict[int, set[int]]
"""Steps of a bar at which something begins, by the bar's number from 0."""


def bar_of(song: Song) -> int:
    """Ticks of a bar."""
    return song.meters[0].beats * BEAT * 4 // song.meters[0].unit


def notes(song: Song, name: str) -> list[tuple[int, int, int]]:
    """(start, length, pitch) of a track's notes in order, without those of the song's last bar."""
    track, end = track_of(song, name), song.sections[-1].end - bar_of(song) - EARLIEST
    return sorted(
        (clip.start + note.start, note.duration, note.pitch)
        for clip in (track.clips if track else ()) for note in clip.notes if clip.start + note.start < end
    )


def bars(song: Song, name: str, *drums: str) -> Bars:
    """Where a track, or some drums of it, begins notes; the last bar of a section, which may lead over, is left out."""
    bar, wanted = bar_of(song), {PITCHES[drum] for drum in drums}  # type: ignore[index]
    last = {section.end // bar - 1 for section in song.sections}
    found: Bars = defaultdict(set)
    for start, _, pitch in notes(song, name):
        number, tick = divmod(start + EARLIEST, bar)
        if number not in last and (not wanted or pitch in wanted):
            found[number].add(tick // STEP)
    return found


def share(found: Bars, fits: Callable[[set[int]], bool]) -> float:
    """Share of the bars that fit; 0 where nothing plays."""
    return sum(map(fits, found.values())) / len(found) if found else 0.0


def struck(song: Song, name: str) -> dict[int, set[int]]:
    """The pitches that a track strikes together, by the step of the song."""
    found: dict[int, set[int]] = defaultdict(set)
    for start, _, pitch in notes(song, name):
        found[(start + EARLIEST) // STEP].add(pitch)
    return found


def late(song: Song, name: str) -> float:
    """Mean place of the notes between two beats, as a share of the beat: a half is straight, two thirds a triplet."""
    places = [
        (start + EARLIEST) % BEAT - EARLIEST for start, _, _ in notes(song, name)
        if BEAT * 0.42 < (start + EARLIEST) % BEAT - EARLIEST < BEAT * 0.8
    ]
    return sum(places) / len(places) / BEAT if places else 0.0
