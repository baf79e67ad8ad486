"""Tracks of a MIDI file that nobody hears: set up, but without a note."""

from __future__ import annotations

from app.exchange.smf import RawTrack, read_smf
from app.exchange.texts import from_meta

_NAME = 0x03
_NOTE_ON, _PROGRAM = 0x9, 0xC


def empty_tracks(data: bytes, name: str) -> tuple[str, ...]:
    """Names of the tracks that take part in the music and play no note.

    Such a track sends channel messages and has a name, or picks a program on a channel that no other track plays.
    Tracks of pedals, tempo or texts are none. A file of type 0 has one track, whose channels programs set up
    without need, so that nothing is told of them. `ExchangeError` as for an import.
    """
    smf = read_smf(data, name)
    if smf.kind == 0:
        return ()
    played = frozenset[int]().union(*(_channels(track, _NOTE_ON) for track in smf.tracks))
    return tuple(
        _name(track) or f"track {number}"
        for number, track in enumerate(smf.tracks, 1)
        if track.messages and not _channels(track, _NOTE_ON)
        and (_name(track) or _channels(track, _PROGRAM) - played)
    )


def _channels(track: RawTrack, kind: int) -> frozenset[int]:
    """Channels on which a track sends messages of a kind; a note at velocity 0 is none."""
    return frozenset(
        status & 0x0F for _, status, _, second in track.messages
        if status >> 4 == kind and (second or kind != _NOTE_ON)
    )


def _name(track: RawTrack) -> str:
    return next((from_meta(body).strip() for _, kind, body in track.metas if kind == _NAME), "")
