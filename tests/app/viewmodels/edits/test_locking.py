"""Locks in words, and what locking what is chosen does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from studio_parts import BASS, CHORDS, PAD, RIFF, a_song

from agent.song import edits as e
from agent.song.apply import apply
from agent.song.errors import SongError
from agent.song.ids import ClipId, TrackId
from agent.song.locks import BarsLock, ClipLock, Lock, TrackLock
from agent.song.song import Song
from app.viewmodels.edits.locking import all_held, bars_lock, clip_locks, kept_words, lock_lines, lock_said, toggled

SOME: tuple[Lock, ...] = (BarsLock(9, 16), ClipLock(CHORDS), TrackLock(PAD), TrackLock(BASS), ClipLock(ClipId("cgone")))


def test_chosen_clips_are_locked_but_no_ghost() -> None:
    assert clip_locks({CHORDS, RIFF, ClipId("cghost")}, a_song()) == (ClipLock(RIFF), ClipLock(CHORDS))
    assert clip_locks(set(), a_song()) == ()


def test_chosen_bars_are_one_lock() -> None:
    assert bars_lock((9, 16)) == (BarsLock(9, 16),)
    assert bars_lock((16, 9)) == (BarsLock(9, 16),)
    assert bars_lock(None) == ()


@given(st.lists(st.sampled_from(SOME), unique=True), st.lists(st.sampled_from(SOME), unique=True, min_size=1))
def test_locking_twice_lets_go(held: list[Lock], wanted: list[Lock]) -> None:
    once = toggled(held, wanted)
    if all_held(held, wanted):
        assert not set(once) & set(wanted)
        assert set(once) | set(wanted) == set(held)
        return
    assert all_held(once, wanted)
    assert set(once) == {*held, *wanted}
    assert set(toggled(once, wanted)) == set(held) - set(wanted)


@pytest.mark.parametrize(
    ("words", "lock"),
    [
        ("pad", TrackLock(PAD)), ("track  Pad", TrackLock(PAD)), ("Chords", ClipLock(CHORDS)),
        ("clip chords", ClipLock(CHORDS)), ("bars 9-16", BarsLock(9, 16)), ("9–16", BarsLock(9, 16)),
        ("bars:9-16", BarsLock(9, 16)), ("bar 4", BarsLock(4, 4)), ("16 to 9", BarsLock(9, 16)),
    ],
)
def test_a_lock_is_said_as_a_person_says_it(words: str, lock: Lock) -> None:
    assert lock_said(words, a_song()) == lock


def test_a_name_that_fits_nothing_or_two_is_told_without_ids() -> None:
    twice = apply(a_song(), e.UpdateTrack(track_id=BASS, name="Pad"))
    for words, song in (("Nobody", a_song()), ("pad", twice), ("bars x", Song()), ("", a_song())):
        with pytest.raises(SongError) as caught:
            lock_said(words, song)
        assert caught.value.advice
        assert PAD not in f"{caught.value.what} {caught.value.why} {caught.value.advice}"


def test_the_list_has_tracks_then_clips_then_bars_and_what_is_gone_last() -> None:
    assert [(line.words, line.stands) for line in lock_lines(SOME, a_song())] == [
        ("Track Bass", True), ("Track Pad", True), ("Clip Chords of Pad", True), ("Bars 9–16", True),
        ("A clip that is not in the song now", False),
    ]
    assert [line.stands for line in lock_lines(SOME, Song())] == [True, False, False, False, False]


def test_a_sentence_names_a_few() -> None:
    song = a_song()
    assert kept_words((), song) == ""
    assert kept_words(SOME[:1], song) == "1 lock kept: Bars 9–16"
    assert kept_words(SOME[1:4], song) == "3 locks kept: Clip Chords of Pad, Track Pad, Track Bass"
    assert kept_words((*SOME, BarsLock(1, 1)), song).endswith("Track Bass, 2 more")
    assert kept_words((BarsLock(4, 4),), song).endswith(": Bar 4")


def test_a_name_stays_on_one_line() -> None:
    song = apply(a_song(), e.UpdateTrack(track_id=BASS, name=("<b>\n" * 30)))
    words = kept_words((TrackLock(TrackId(BASS)),), song)
    assert "\n" not in words
    assert len(words) < 100
