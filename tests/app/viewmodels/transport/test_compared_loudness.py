"""How loud songs are that are compared by ear."""

from __future__ import annotations

from msgspec.structs import replace

from agent.song.song import Song
from app.viewmodels.transport.loudness import as_loud_as


def test_the_other_song_is_heard_as_loud_as_this_one() -> None:
    song = Song()
    other = replace(song, name="Other", loudness_target=-20.0)
    assert as_loud_as(other, song) == replace(other, loudness_target=song.loudness_target)
    assert as_loud_as(song, song) is song
