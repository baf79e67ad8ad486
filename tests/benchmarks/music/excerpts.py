"""Parts of songs: some of the bars alone, and what sounds in a stretch of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from msgspec.structs import replace

from agent.song.clip import Clip, Note
from agent.song.ids import ClipId
from agent.song.song import Song
from agent.song.time import Ticks
from agent.song.track import Track

Span: TypeAlias = tuple[int, int]
"""First and last bar, both included."""


def excerpt(song: Song, spans: Sequence[Span]) -> Song:
    """Only the notes that begin in these bars, one stretch after the other; tempo and key are those of the start."""
    moves, at = [], 0
    for first, last in spans:
        start, end = song.bar_map.span(first, last)
        moves.append((start, end, at - start))
        at += end - start
    meter = replace(song.bar_map.meter_at(moves[0][0]), at=Ticks(0)) if moves else song.meters[0]
    tracks = tuple(_cut(track, moves, at) for track in song.tracks)
    return replace(song, tracks=tracks, sections=(), meters=(meter,), tempos=song.tempos[:1])


def rest_of(bars: int, spans: Iterable[Span]) -> tuple[Span, ...]:
    """The stretches of a song of so many bars that none of the spans touches."""
    rest: list[Span] = []
    free = 1
    for first, last in sorted(spans):
        if free < first:
            rest.append((free, first - 1))
        free = max(free, last + 1)
    return (*rest, (free, bars)) if free <= bars else tuple(rest)


def strokes(song: Song, spans: Sequence[Span]) -> dict[str, list[tuple[int, int, int, int]]]:
    """By track id the notes of these bars as (start, pitch, duration, velocity), laid in a row."""
    return {
        track.id: sorted((note.start, note.pitch, note.duration, note.velocity) for note in _notes(track))
        for track in excerpt(song, spans).tracks
        if track.note_count
    }


def _notes(track: Track) -> list[Note]:
    return [note for clip in track.clips for note in clip.notes]


def _cut(track: Track, moves: Sequence[tuple[int, int, int]], length: int) -> Track:
    notes = []
    for clip in track.clips:
        for note in clip.notes:
            at = clip.start + note.start
            notes += [replace(note, start=Ticks(at + by)) for start, end, by in moves if start <= at < end]
    kept = tuple(sorted(notes, key=lambda note: (note.start, note.pitch, note.id)))
    clip_ = Clip(ClipId("excerpt"), track.name, Ticks(0), Ticks(max(1, length)), kept)
    return replace(track, clips=(clip_,), automation=())
