"""Tracks of one version put into another."""

from __future__ import annotations

from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from songs import songs

from agent.song.clip import Clip, Note
from agent.song.ids import ClipId, NoteId, TrackId
from agent.song.song import Song
from agent.song.time import Ticks
from agent.song.track import Track
from app.viewmodels.history.picked_tracks import picked_names, with_tracks


def track(name: str, clip: str = "", instrument: str = "pad_warm") -> Track:
    notes = (Note(NoteId("n1"), 60, Ticks(0), Ticks(960)),)
    clips = (Clip(ClipId(clip), "Riff", Ticks(0), Ticks(960), notes),) if clip else ()
    return Track(TrackId(name), name.upper(), instrument, clips=clips)


def names(song: Song) -> list[str]:
    return [one.id for one in song.tracks]


def test_changed_added_and_gone_tracks_each_come_over() -> None:
    a = Song(tracks=(track("t1", "c1"), track("t2", "c2"), track("t4")))
    b = Song(tracks=(track("t1", "c1", "keys_tine"), track("t3", "c3"), track("t4", "", "keys_tine")))
    made = with_tracks(a, b, {"t1", "t2", "t3"})
    assert names(made) == ["t1", "t3", "t4"]
    assert [one.instrument for one in made.tracks] == ["keys_tine", "pad_warm", "pad_warm"]
    assert picked_names(a, b, {"t1", "t3"}) == "T1, T3"


def test_nothing_picked_is_the_base() -> None:
    a, b = Song(tracks=(track("t1", "c1"),)), Song(tracks=())
    assert with_tracks(a, b, ()) == a


def test_a_clip_that_went_to_another_track_can_stand_on_both() -> None:
    a = Song(tracks=(track("t1", "c1"), track("t2")))
    b = Song(tracks=(track("t1"), track("t2", "c1")))
    made = with_tracks(a, b, {"t2"})
    [first], [second] = made.tracks[0].clips, made.tracks[1].clips
    assert first.id == "c1" != second.id
    assert first.notes == second.notes


@settings(max_examples=examples(100))
@given(songs(), songs(), st.data())
def test_picked_tracks_are_the_others_and_all_else_the_bases(a: Song, b: Song, data: st.DataObject) -> None:
    known = sorted({one.id for song in (a, b) for one in song.tracks})
    picked = data.draw(st.sets(st.sampled_from(known))) if known else set()
    made = with_tracks(a, b, picked)
    kept = {one.id: one for one in made.tracks}
    for one in a.tracks:
        if one.id not in picked:
            assert kept[one.id] == one
    theirs = {one.id: one for one in b.tracks}
    for name in picked:
        assert (name in kept) == (name in theirs)
        if name in theirs:
            assert kept[name].note_count == theirs[name].note_count
            assert kept[name].volume_db == theirs[name].volume_db
    assert (made.tempos, made.sections) == (a.tempos, a.sections)
