"""What a lock freezes, what it leaves free, and how a person writes one."""

from __future__ import annotations

import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from songs import edits, songs
from studio_parts import BASS, BEAT, CHORDS, DRUMS, PAD, REVERB, RIFF, a_song, beats, some_notes

from agent.song import edits as e
from agent.song.apply import apply, apply_all
from agent.song.errors import SongError
from agent.song.ids import ClipId, EffectId, NoteId, TrackId
from agent.song.locks import BarsLock, ClipLock, TrackLock, broken, describe, digest, parse_lock

BARS = BarsLock(5, 8)
LAST = e.PointSpec(beats(28), 0.0)


@pytest.mark.parametrize("edit", [
    e.UpdateTrack(track_id=PAD, volume_db=-3.0),
    e.UpdateTrack(track_id=PAD, name="Other"),
    e.DeleteTrack(track_id=PAD),
    e.TransformClip(clip_id=CHORDS, operation="transpose", semitones=1),
    e.UpdateEffect(effect_id=REVERB, enabled=False),
    e.SetAutomation(track_id=PAD, target="volume_db", points=()),
])
def test_a_track_lock_freezes_the_track_with_mix_effects_and_automation(edit: e.Edit) -> None:
    assert broken((TrackLock(PAD),), a_song(), apply(a_song(), edit)) == TrackLock(PAD)


@pytest.mark.parametrize("edit", [
    e.UpdateTrack(track_id=BASS, volume_db=-3.0),
    e.UpdateTrack(track_id=DRUMS, position=0),
    e.SetTempo(bpm=60.0),
    e.AddEffect(effect_id=EffectId("enew"), track_id=TrackId("master"), effect_name="limiter"),
])
def test_a_track_lock_leaves_other_tracks_their_order_tempo_and_master_free(edit: e.Edit) -> None:
    assert broken((TrackLock(PAD),), a_song(), apply(a_song(), edit)) is None


@pytest.mark.parametrize("edit", [
    e.TransformClip(clip_id=CHORDS, operation="transpose", semitones=1),
    e.ModifyClip(clip_id=CHORDS, start_time=beats(20)),
    e.DuplicateClip(clip_id=RIFF, new_clip_id=ClipId("cnew")),
    e.DeleteTrack(track_id=PAD),
    e.SetAutomation(track_id=PAD, target="volume_db", points=(e.PointSpec(beats(16), -1.0), LAST)),
    e.SetAutomation(track_id=PAD, target="volume_db", points=(e.PointSpec(beats(16), -6.0), LAST), curve="hold"),
    e.SetTimeSignature(beats=3, unit=4),
    e.ModifyClip(clip_id=CHORDS, to_track_id=BASS),
])
def test_a_bar_lock_freezes_what_starts_in_the_bars_and_their_place(edit: e.Edit) -> None:
    assert broken((BARS,), a_song(), apply(a_song(), edit)) == BARS


@pytest.mark.parametrize("edit", [
    e.TransformClip(clip_id=RIFF, operation="transpose", semitones=1),
    e.DeleteTrack(track_id=DRUMS),
    e.UpdateTrack(track_id=PAD, volume_db=-3.0),
    e.SetTempo(bpm=60.0),
    e.SetTimeSignature(beats=3, unit=4, at_beat=beats(32)),
    e.UpdateEffect(effect_id=REVERB, enabled=False),
    e.DuplicateClip(clip_id=BEAT, new_clip_id=ClipId("cnew"), start_time=beats(32)),
])
def test_a_bar_lock_leaves_the_rest_free(edit: e.Edit) -> None:
    assert broken((BARS,), a_song(), apply(a_song(), edit)) is None


@pytest.mark.parametrize("edit", [
    e.TransformClip(clip_id=CHORDS, operation="transpose", semitones=1),
    e.ModifyClip(clip_id=CHORDS, start_time=beats(20)),
    e.ModifyClip(clip_id=CHORDS, duration=beats(15)),
    e.ModifyClip(clip_id=CHORDS, name="Other"),
    e.ModifyClip(clip_id=CHORDS, to_track_id=BASS),
    e.ModifyClip(clip_id=CHORDS, remove_notes=(NoteId("p0"),)),
    e.SplitClip(clip_id=CHORDS, new_clip_id=ClipId("cnew"), at_time=beats(20)),
    e.DeleteClip(clip_id=CHORDS),
    e.DeleteTrack(track_id=PAD),
])
def test_a_clip_lock_freezes_notes_name_length_place_and_track(edit: e.Edit) -> None:
    lock = ClipLock(CHORDS)
    assert broken((ClipLock(RIFF), lock), a_song(), apply(a_song(), edit)) == lock


@pytest.mark.parametrize("edit", [
    e.UpdateTrack(track_id=PAD, volume_db=-3.0, instrument="pad_dark", name="Other"),
    e.UpdateEffect(effect_id=REVERB, enabled=False),
    e.SetAutomation(track_id=PAD, target="volume_db", points=()),
    e.DuplicateClip(clip_id=CHORDS, new_clip_id=ClipId("cnew")),
    e.TransformClip(clip_id=RIFF, operation="transpose", semitones=1),
    e.DeleteTrack(track_id=DRUMS),
    e.UpdateTrack(track_id=PAD, position=0),
    e.SetTempo(bpm=60.0),
    e.SetTimeSignature(beats=3, unit=4),
])
def test_a_clip_lock_leaves_sound_tempo_and_other_clips_free(edit: e.Edit) -> None:
    assert broken((ClipLock(CHORDS),), a_song(), apply(a_song(), edit)) is None


def test_a_note_in_the_locked_bars_is_frozen_though_its_clip_begins_before() -> None:
    lock = BarsLock(4, 4)
    kept = e.ModifyClip(clip_id=RIFF, remove_notes=(NoteId("r0"),))
    lost = e.ModifyClip(clip_id=RIFF, remove_notes=(NoteId("r3"),))
    assert broken((lock,), a_song(), apply(a_song(), kept)) is None
    assert broken((lock,), a_song(), apply(a_song(), lost)) == lock


def test_a_note_that_only_sounds_into_the_locked_bars_is_free() -> None:
    long = e.ModifyClip(clip_id=RIFF, notes=some_notes((45, 8, 2), salt="r"), add_notes=(), duration=beats(20))
    grown = e.ModifyClip(clip_id=RIFF, remove_notes=(NoteId("r0"),), add_notes=some_notes((45, 8, 12), salt="r"))
    song = apply(a_song(), long)
    assert broken((BARS,), song, apply(song, grown)) is None


@settings(max_examples=examples(150))
@given(songs(), st.data())
def test_a_lock_holds_exactly_when_its_digests_agree(song: object, data: st.DataObject) -> None:
    lock = data.draw(st.one_of(
        st.builds(lambda first, more: BarsLock(first, first + more), st.integers(1, 8), st.integers(0, 8)),
        st.sampled_from([ClipLock(clip.id) for _, clip in song.clips()] or [ClipLock(ClipId("cnone"))]),  # type: ignore[attr-defined]
        st.sampled_from([TrackLock(track.id) for track in song.tracks] or [TrackLock(TrackId("tnone"))]),  # type: ignore[attr-defined]
    ))
    try:
        after = apply_all(song, (data.draw(edits(song)), ))  # type: ignore[arg-type]
    except SongError:
        return
    assert (broken((lock,), song, after) is None) == (digest(lock, song) == digest(lock, after))  # type: ignore[arg-type]


def test_a_person_names_a_track_or_bars() -> None:
    song = a_song()
    assert parse_lock("bass", song) == parse_lock(" Bass ", song) == parse_lock("tbass", song) == TrackLock(BASS)
    assert (parse_lock("bars:9-16", song), parse_lock("BARS:3", song)) == (BarsLock(9, 16), BarsLock(3, 3))
    assert (describe(TrackLock(BASS), song), describe(BARS, song)) == ("track Bass", "bars 5-8")


def test_a_person_names_a_clip() -> None:
    song = a_song()
    assert parse_lock("clip:chords", song) == parse_lock("CLIP: Chords ", song) == ClipLock(CHORDS)
    assert parse_lock("clip:cchords", song) == ClipLock(CHORDS)
    assert describe(ClipLock(CHORDS), song) == "clip Chords of Pad"
    assert describe(ClipLock(ClipId("cgone")), song) == "clip cgone"


def test_an_ambiguous_clip_name_lists_ids_and_tracks() -> None:
    twice = apply(a_song(), e.DuplicateClip(clip_id=CHORDS, new_clip_id=ClipId("cnew"), to_track_id=BASS))
    with pytest.raises(SongError, match="fits 2 clips") as refusal:
        parse_lock("clip:Chords", twice)
    assert "Chords of Pad = cchords" in refusal.value.advice
    assert "Chords of Bass = cnew" in refusal.value.advice


@pytest.mark.parametrize("text", ["bars:", "bars:0-4", "bars:9-3", "bars:a-b", "bars:1-2-3", "bars:²", "bars:-4",
                                  "bars:" + "9" * 5000, "", "cello", "clip:", "clip:cello",
                                  "clip:" + "x" * 5000])
def test_a_lock_that_makes_no_sense_is_one_clear_error(text: str) -> None:
    with pytest.raises(SongError) as refusal:
        parse_lock(text, a_song())
    assert len(refusal.value.what) < 200


def test_an_ambiguous_name_lists_the_ids() -> None:
    twice = apply(a_song(), e.CreateTrack(track_id=TrackId("tother"), name="BASS", instrument="bass_sub"))
    with pytest.raises(SongError, match="fits 2 tracks") as refusal:
        parse_lock("bass", twice)
    assert "tbass" in refusal.value.advice
    assert "tother" in refusal.value.advice


def test_bar_lines_within_locked_bars_stay_where_they_are() -> None:
    song = a_song()
    moved = [
        e.SetTimeSignature(beats=3, unit=4, at_beat=beats(16)),
        e.SetTimeSignature(beats=5, unit=4, at_beat=beats(19)),
        e.SetTimeSignature(beats=4, unit=4, at_beat=beats(24)),
    ]
    after = apply_all(song, moved)
    lock = BarsLock(5, 6)
    assert after.bar_map.span(5, 6) == song.bar_map.span(5, 6)
    assert broken((lock,), song, after) == lock
    assert digest(lock, song) != digest(lock, after)
