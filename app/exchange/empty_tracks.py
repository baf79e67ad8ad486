"""Tracks of a MIDI file that nobody hears: set up, but without a note."""

from __future__ import annotations

from app.exchange.smf import RawTrack, read_smf
from app.exchange.texts import from_meta

_NAME = 0x03
_NOTE_ON, _PROGRAM = 0x9, 0xC


def empty_tracks(data: bytes, name: str) -> tuple[str, ...]:
    """Names of the tracks in a MIDI file that are set up to play and have no notes: a track with channel messages and a
    name, or one that selects a program on a channel that no other track plays.

    Tracks with only pedals, tempo or texts do not count, nor do files of type 0, whose one track sets up channels
    without need. Raises `ExchangeError`, as the import does.
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
