"""How far a ghost reaches, in one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from agent.song.changes import Changes
from agent.song.ids import ClipId
from agent.song.song import Song
from app.desktop.steps.sentences import bars_of
from app.words import later, tr, trn

NOTHING = later("Changes nothing in the song.")


def changes_text(song: Song, ghost: Song, changes: Changes) -> str:
    """ "Changes 6 tracks, bars 1–40." """
    if changes.empty:
        return tr(NOTHING)
    # A sound or a mix is heard in every bar, a clip only where it stands.
    whole = bool(changes.song) or any(track.fields for track in changes.tracks)
    touched = frozenset(clip.clip_id for track in changes.tracks for clip in track.clips)
    start, end = (0, max(song.end, ghost.end)) if whole else _span((song, ghost), touched)
    count = len(changes.tracks)
    subject = trn("{count} track", "{count} tracks", count) if count else tr("the song")
    if end <= start:
        return tr("Changes {subject}.", subject=subject)
    return tr("Changes {subject}, {bars}.", subject=subject, bars=bars_of(ghost, start, end))


def _span(songs: Sequence[Song], touched: frozenset[ClipId]) -> tuple[int, int]:
    clips = [clip for song in songs for _, clip in song.clips() if clip.id in touched]
    return min((clip.start for clip in clips), default=0), max((clip.end for clip in clips), default=0)
