"""SoundFonts of one's own by hand: what can be chosen for the song or a track, and the edit that sets it."""

from __future__ import annotations

from agent.song.edits import SetSoundFont
from agent.song.ids import TrackId
from agent.song.song import Song
from app.i18n import tr
from app.services.own_fonts import fonts_there
from app.viewmodels.edits.clip_edits import MAX_NAME, HandEdit, find_track

_MOST = 40
"""Number of files in a menu."""


def soundfont_of(song: Song, track: TrackId | None) -> str:
    """The SoundFont file of a track, or with None of the song; empty for the default bank."""
    if track is None:
        return song.soundfont
    found = find_track(song, track)
    return "" if found is None else found.soundfont


def with_soundfont(song: Song, track: TrackId | None, file: str) -> HandEdit:
    """The edit that sets the SoundFont file of a track, or with None of the song; empty for the default bank."""
    found = None if track is None else find_track(song, track)
    if (track is not None and found is None) or soundfont_of(song, track) == file:
        return HandEdit()
    label = tr("SoundFont of the song") if found is None else tr("SoundFont of {name}", name=found.name)
    return HandEdit((SetSoundFont(track_id=track, file=file),), label[:MAX_NAME])


def known_fonts(song: Song, track: TrackId | None) -> tuple[str, ...]:
    """The names of the imported SoundFont files, with the one that is set."""
    now = soundfont_of(song, track)
    return tuple(sorted({*fonts_there(), *([now] if now else [])}, key=str.casefold))[:_MOST]
