"""Tracks of a MIDI file that nobody hears: set up, but without a note."""

from __future__ import annotations

from app.exchange.smf import RawTrack, read_smf
from app.exchange.texts import from_meta

_NAME = 0x03
_NOTE_ON = 0x9


def silent_tracks(data: bytes, name: str) -> tuple[str, ...]:
    """Names of the tracks that send channel messages (a program, a volume) and no note.

    Tracks of texts and tempos alone are no tracks of music. A file of type 0 has one track, whose channels
    programs set up without need, so that nothing is told of them. `ExchangeError` as for an import.
    """
    smf = read_smf(data, name)
    if smf.kind == 0:
        return ()
    return tuple(
        _name(track, number)
        for number, track in enumerate(smf.tracks, 1)
        if track.messages and not any(status >> 4 == _NOTE_ON and loud for _, status, _, loud in track.messages)
    )


def _name(track: RawTrack, number: int) -> str:
    given = next((from_meta(body).strip() for _, kind, body in track.metas if kind == _NAME), "")
    return given or f"track {number}"
