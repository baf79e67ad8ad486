"""How far a ghost reaches, in one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from agent.song.changes import Changes
from agent.song.ids import ClipId
from agent.song.song import Song
from app.desktop.figures import counted
from app.desktop.sentences import bars_of

NOTHING = "Changes nothing in the song."


def changes_text(song: Song, ghost: Song, changes: Changes) -> str:
    """ "Changes 6 tracks, bars 1–40." """
    if changes.empty:
        return NOTHING
    # A sound or a mix is heard in every bar, a clip only where it stands.
    whole = bool(changes.song) or any(track.fields for track in changes.tracks)
    touched = frozenset(clip.clip_id for track in changes.tracks for clip in track.clips)
    start, end = (0, max(song.end, ghost.end)) if whole else _span((song, ghost), touched)
    subject = counted(len(changes.tracks), "track") if changes.tracks else "the song"
    return f"Changes {subject}, {bars_of(ghost, start, end)}." if end > start else f"Changes {subject}."


def _span(songs: Sequence[Song], touched: frozenset[ClipId]) -> tuple[int, int]:
    clips = [clip for song in songs for _, clip in song.clips() if clip.id in touched]
    return min((clip.start for clip in clips), default=0), max((clip.end for clip in clips), default=0)
