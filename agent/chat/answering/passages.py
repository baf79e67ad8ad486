"""The notes of the parts and places that a question names, in any version of the song."""

from __future__ import annotations

from collections.abc import Mapping

from agent.chat.answering.wording import listed, places
from agent.chat.messages import About
from agent.song.ids import TrackId
from agent.song.song import Song

PlacedNote = tuple[int, int, int]
"""Pitch, start from the beginning of the passage, and length, in ticks."""
Passage = Mapping[TrackId, frozenset[PlacedNote]]


def passage(song: Song, about: About, now: Song) -> Passage:
    """The notes of the named parts (none: of all) in the named places, counted from each place's beginning, so that a
    section that only moved keeps its notes. `about` names places of the song `now`; a section is found in `song` by its
    id, else by its name, and has no notes where `song` lacks it."""
    spans = _spans(song, about, now)
    found: dict[TrackId, set[PlacedNote]] = {}
    tracks = frozenset(about.tracks) if about.tracks else frozenset(track.id for track in song.tracks)
    for note in _all_notes(song, tracks):
        track, pitch, at, length = note
        for start, end in spans:
            if start <= at < end:
                found.setdefault(track, set()).add((pitch, at - start, length))
    return {track: frozenset(notes) for track, notes in found.items()}


def named(about: About, song: Song) -> str:
    """What a question names, in words: "Brass in Climax (bars 21–28)"; "the song" where it names nothing."""
    tracks = listed(track.name for track in song.tracks if track.id in about.tracks)
    where = listed(name for name, _, _ in places(about, song))
    if tracks and where:
        return f"{tracks} in {where}"
    return tracks or where or "the song"


def _all_notes(song: Song, tracks: frozenset[TrackId]) -> list[tuple[TrackId, int, int, int]]:
    """The notes of tracks, muted or not."""
    return [
        (track.id, note.pitch, clip.start + note.start, int(note.duration))
        for track, clip in song.clips() if track.id in tracks for note in clip.notes
    ]


def _spans(song: Song, about: About, now: Song) -> list[tuple[int, int]]:
    if about.bars is not None:
        start, end = song.bar_map.span(*about.bars)
        return [(int(start), int(end))]
    if not about.sections:
        return [(0, int(song.end) + 1)]
    spans = []
    for wanted in about.sections:
        name = now.section(wanted).name.casefold()
        one = next((one for one in song.sections if one.id == wanted), None)
        one = one or next((one for one in song.sections if one.name.casefold() == name), None)
        if one is not None:
            spans.append((int(one.start), int(one.end)))
    return spans
