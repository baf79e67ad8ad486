"""The revision of a song is a name for its content, however it was reached."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from agent.song.clip import Clip, Note
from agent.song.errors import SongError
from agent.song.ids import ClipId, EffectId, NoteId, TrackId
from agent.song.revision import Revisions, song_revision
from agent.song.song import Song
from agent.song.time import TempoChange, Ticks
from agent.song.track import Effect, Track


def a_note(number: int, pitch: int = 60) -> Note:
    return Note(NoteId(f"n{number}"), pitch, Ticks(number * 10), Ticks(10))


def a_song(pitches: list[list[list[int]]]) -> Song:
    """Tracks of clips of pitches."""
    return Song(
        tracks=tuple(
            Track(
                TrackId(f"t{t}"),
                f"Track {t}",
                "pad",
                clips=tuple(
                    Clip(ClipId(f"c{t}-{c}"), "", Ticks(c * 960), Ticks(960), tuple(map(a_note, range(9), notes)))
                    for c, notes in enumerate(clips)
                ),
            )
            for t, clips in enumerate(pitches)
        )
    )


PITCHES = st.lists(st.lists(st.lists(st.integers(0, 127), max_size=5), max_size=4), max_size=4)
PART = st.integers(0, 3)


@given(PITCHES, PITCHES)
def test_songs_share_a_revision_exactly_when_they_are_equal(one: Any, other: Any) -> None:
    a, b = a_song(one), a_song(other)
    assert (song_revision(a) == song_revision(b)) == (a == b)
    copy = msgspec.json.decode(msgspec.json.encode(a), type=Song)
    assert song_revision(copy) == song_revision(a)


@given(PITCHES, st.lists(st.tuples(PART, PART, st.integers(0, 127)), max_size=8))
def test_hashing_step_by_step_gives_the_revision_of_the_whole(start: Any, edits: list[tuple[int, int, int]]) -> None:
    revisions, song = Revisions(), a_song(start)
    assert revisions.of(song) == song_revision(song)
    for t, c, pitch in edits:
        if t < len(song.tracks) and c < len(song.tracks[t].clips):
            tracks = list(song.tracks)
            clips = list(tracks[t].clips)
            clips[c] = replace(clips[c], notes=(a_note(0, pitch),))
            tracks[t] = replace(tracks[t], clips=tuple(clips))
            song = replace(song, tracks=tuple(tracks))
        else:
            song = replace(song, tracks=tuple(reversed(song.tracks)))
        assert revisions.of(song) == song_revision(song)


def test_every_field_counts() -> None:
    song = a_song([[[60]]])
    track = song.tracks[0]
    others = [
        replace(song, name="Else"),
        replace(song, loudness_target=-18.0),
        replace(song, tempos=(TempoChange(Ticks(0), 60.0),)),
        replace(song, tracks=(replace(track, mute=True),)),
        replace(song, tracks=(replace(track, effects=(Effect(EffectId("e1"), "reverb"),)),)),
        replace(song, tracks=(replace(track, clips=(replace(track.clips[0], start=Ticks(1)),)),)),
        replace(song, tracks=(track, replace(track, id=TrackId("t9")))),
    ]
    assert len({song_revision(other) for other in [song, *others]}) == len(others) + 1


def test_a_whole_number_where_a_fraction_is_declared_is_the_same_song() -> None:
    whole = Song(tempos=(TempoChange(Ticks(0), 96),), loudness_target=-14)
    exact = Song(tempos=(TempoChange(Ticks(0), 96.0),), loudness_target=-14.0)
    assert song_revision(whole) == song_revision(exact)


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_what_cannot_be_read_back_has_no_revision(value: float) -> None:
    bad = Effect(EffectId("e1"), "reverb", (("mix", value),))
    song = Song(tracks=(Track(TrackId("t1"), "Pad", "pad", effects=(bad,)),))
    with pytest.raises(SongError, match="track 'Pad'"):
        song_revision(song)


def test_a_name_that_is_no_text_is_refused() -> None:
    with pytest.raises(SongError):
        song_revision(Song(name="\ud800"))
