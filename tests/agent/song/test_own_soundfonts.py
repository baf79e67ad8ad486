"""SoundFonts of a song and of its tracks: an edit sets one, a difference tells it, and only names are taken."""

from __future__ import annotations

import pytest
from studio_parts import a_song

from agent.song import edits as e
from agent.song.apply import apply, apply_all
from agent.song.changes import compare
from agent.song.difference import edits_between
from agent.song.errors import SongError
from agent.song.ids import TrackId
from agent.song.song import Song


def test_a_song_and_a_track_get_one_and_lose_it() -> None:
    song = a_song()
    track = song.tracks[0].id
    after = apply_all(song, (e.SetSoundFont(file="mine.sf2"), e.SetSoundFont(track_id=track, file="other.SF3")))
    assert (after.soundfont, after.track(track).soundfont) == ("mine.sf2", "other.SF3")
    assert apply_all(after, (e.SetSoundFont(), e.SetSoundFont(track_id=track))) == song


def test_a_difference_makes_and_tells_it() -> None:
    song = a_song()
    track = song.tracks[0].id
    after = apply_all(song, (e.SetSoundFont(file="mine.sf2"), e.SetSoundFont(track_id=track, file="other.sf2")))
    assert apply_all(song, edits_between(song, after)) == after
    assert apply_all(after, edits_between(after, song)) == song
    assert apply_all(Song(), edits_between(Song(), after)) == after
    changes = compare(song, after)
    assert [one.field for one in changes.song] == ["soundfont"]
    assert [(one.track_id, [field.after for field in one.fields]) for one in changes.tracks] == [(track, ["other.sf2"])]


@pytest.mark.parametrize("name", [
    "/etc/passwd", "../mine.sf2", "C:\\mine.sf2", "\\\\host\\share\\mine.sf2", "mine.wav", ".sf2/", "a" * 200 + ".sf2",
    "mine.sf2\n", "mi\0ne.sf2",
])
def test_what_is_no_plain_name_of_such_a_file_is_refused(name: str) -> None:
    song = a_song()
    for track in (None, song.tracks[0].id):
        with pytest.raises(SongError, match="not the name of a SoundFont"):
            apply(song, e.SetSoundFont(track_id=track, file=name))


def test_a_track_that_is_not_there_is_an_error() -> None:
    with pytest.raises(SongError, match="no track"):
        apply(a_song(), e.SetSoundFont(track_id=TrackId("tnone"), file="mine.sf2"))
