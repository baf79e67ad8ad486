"""Every kind of edit by example, and the words with which a wrong one is refused."""

from __future__ import annotations

import pytest
from studio_parts import BASS, BEAT, CHORDS, DRUMS, PAD, REVERB, RIFF, VERSE, a_song, beats, some_notes

from agent.song import edits as e
from agent.song.apply import apply, apply_all
from agent.song.changes import compare
from agent.song.errors import SongError
from agent.song.ids import MASTER, ClipId, EffectId, NoteId, SectionId, TrackId
from agent.song.rules import MAX_TRACKS
from agent.song.song import Song
from agent.song.time import Ticks

NEW_TRACK, NEW_CLIP, NEW_EFFECT = TrackId("tnew"), ClipId("cnew"), EffectId("enew")


def names(song: Song) -> list[str]:
    return [track.name for track in song.tracks]


def after(*edits: e.Edit) -> Song:
    return apply_all(a_song(), edits)


def riff(*edits: e.Edit) -> list[tuple[int, float, float]]:
    _, clip = after(*edits).clip(RIFF)
    return [(note.pitch, note.start / 960, note.duration / 960) for note in clip.notes]


def test_create_track_stands_where_it_is_put_and_takes_a_colour_of_its_own() -> None:
    song = after(e.CreateTrack(track_id=NEW_TRACK, name="Lead", instrument="piano", position=1, volume_db=-3))
    assert names(song) == ["Bass", "Lead", "Pad", "Drums"]
    assert song.tracks[1].volume_db == -3
    assert len({track.color for track in song.tracks}) == 4


def test_update_track_changes_only_what_it_names_and_may_move_it() -> None:
    song = after(e.UpdateTrack(track_id=BASS, pan=-0.5, position=2))
    assert names(song) == ["Pad", "Drums", "Bass"]
    bass = song.track(BASS)
    assert (bass.pan, bass.name, bass.clips) == (-0.5, "Bass", a_song().track(BASS).clips)


def test_delete_track_takes_its_clips_along() -> None:
    song = after(e.DeleteTrack(track_id=DRUMS))
    assert names(song) == ["Bass", "Pad"]
    with pytest.raises(SongError, match="no clip"):
        song.clip(BEAT)


def test_duplicate_track_copies_everything_under_ids_that_are_always_the_same() -> None:
    edit = e.DuplicateTrack(track_id=PAD, new_track_id=NEW_TRACK)
    song = after(edit)
    copy, original = song.track(NEW_TRACK), song.track(PAD)
    assert names(song) == ["Bass", "Pad", "Pad copy", "Drums"]
    assert [(n.pitch, n.start) for c in copy.clips for n in c.notes] == [
        (n.pitch, n.start) for c in original.clips for n in c.notes
    ]
    ids = {c.id for c in copy.clips} | {fx.id for fx in copy.effects} | {n.id for c in copy.clips for n in c.notes}
    assert not ids & {RIFF, CHORDS, BEAT, REVERB, "p0", "p1", "p2"}
    assert song == after(edit)


def test_a_copied_lane_of_an_effect_follows_the_copied_effect() -> None:
    lane = e.SetAutomation(track_id=PAD, target=f"{REVERB}.mix", points=(e.PointSpec(beats(0), 0.5),))
    copy = after(lane, e.DuplicateTrack(track_id=PAD, new_track_id=NEW_TRACK)).track(NEW_TRACK)
    assert f"{copy.effects[0].id}.mix" in [one.target for one in copy.automation]


def test_create_midi_clip_takes_the_track_s_name_and_orders_its_notes() -> None:
    song = after(e.CreateMidiClip(
        clip_id=NEW_CLIP, track_id=BASS, start_time=beats(16), duration=beats(8),
        notes=some_notes((50, 4, 1), (40, 0, 1)),
    ))
    track, clip = song.clip(NEW_CLIP)
    assert (track.name, clip.name, [note.pitch for note in clip.notes]) == ("Bass", "Bass", [40, 50])


def test_modify_clip_replaces_adds_and_removes_notes() -> None:
    assert riff(e.ModifyClip(clip_id=RIFF, notes=some_notes((50, 0, 2)))) == [(50, 0, 2)]
    some = e.ModifyClip(clip_id=RIFF, add_notes=some_notes((50, 2, 1)), remove_notes=(NoteId("r0"), NoteId("r3")))
    assert riff(some) == [(50, 2, 1), (43, 4, 1), (45, 8, 2)]
    with pytest.raises(SongError, match="track 'Bass', clip 'Riff' has no note 'nope'"):
        after(e.ModifyClip(clip_id=RIFF, remove_notes=(NoteId("nope"),)))


def test_modify_clip_renames_moves_to_another_track_and_cuts_notes_when_it_gets_shorter() -> None:
    song = after(e.ModifyClip(clip_id=RIFF, name="Hook", start_time=beats(4), duration=beats(9), to_track_id=PAD))
    track, clip = song.clip(RIFF)
    assert (track.id, clip.name, clip.start, clip.duration) == (PAD, "Hook", beats(4), beats(9))
    assert [(n.pitch, n.start / 960, n.duration / 960) for n in clip.notes] == [(40, 0, 1), (43, 4, 1), (45, 8, 1)]
    assert song.track(BASS).clips == ()


@pytest.mark.parametrize(("how", "expected"), [
    ({"operation": "transpose", "semitones": 2}, [(42, 0, 1), (45, 4, 1), (47, 8, 2), (42, 15, 1)]),
    ({"operation": "quantize", "grid": beats(8)}, [(40, 0, 1), (43, 8, 1), (45, 8, 2), (40, 15, 1)]),
    ({"operation": "quantize", "grid": beats(8), "strength": 0.5}, [(40, 0, 1), (43, 6, 1), (45, 8, 2), (40, 15, 1)]),
    ({"operation": "stretch", "factor": 2.0}, [(40, 0, 2), (43, 8, 2), (45, 16, 4), (40, 30, 2)]),
    ({"operation": "reverse"}, [(40, 0, 1), (45, 6, 2), (43, 11, 1), (40, 15, 1)]),
    ({"operation": "thin", "keep": 0.5}, [(40, 0, 1), (43, 4, 1)]),
])
def test_transform_clip(how: dict[str, object], expected: list[tuple[int, float, float]]) -> None:
    edit = e.TransformClip(clip_id=RIFF, **how)  # type: ignore[arg-type]
    assert riff(edit) == expected


def test_transform_clip_velocities_stay_in_range_and_stretching_changes_the_clip_s_length() -> None:
    _, loud = after(e.TransformClip(clip_id=RIFF, operation="scale_velocity", factor=16)).clip(RIFF)
    assert {note.velocity for note in loud.notes} == {127}
    _, soft = after(e.TransformClip(clip_id=RIFF, operation="scale_velocity", factor=0.001)).clip(RIFF)
    assert {note.velocity for note in soft.notes} == {1}
    _, long = after(e.TransformClip(clip_id=RIFF, operation="stretch", factor=2.0)).clip(RIFF)
    assert long.duration == beats(32)


def test_humanize_is_bounded_repeatable_and_depends_on_its_seed() -> None:
    def human(seed: int) -> Song:
        return after(e.TransformClip(clip_id=BEAT, operation="humanize", timing=Ticks(20), velocity=5, seed=seed))

    _, before = a_song().clip(BEAT)
    _, clip = human(1).clip(BEAT)
    old = {note.id: note for note in before.notes}
    assert all(abs(old[n.id].start - n.start) <= 20 and abs(old[n.id].velocity - n.velocity) <= 5 for n in clip.notes)
    assert clip.notes != before.notes
    assert human(1) == human(1) != human(2)


def test_transposing_out_of_midi_names_clip_and_pitch() -> None:
    with pytest.raises(SongError, match="clip 'Riff' cannot be transposed by -60 semitones"):
        after(e.TransformClip(clip_id=RIFF, operation="transpose", semitones=-60))


def test_duplicate_clip_stands_right_after_unless_told_where() -> None:
    song = after(e.DuplicateClip(clip_id=RIFF, new_clip_id=NEW_CLIP))
    assert [(clip.id, clip.start) for clip in song.track(BASS).clips] == [(RIFF, 0), (NEW_CLIP, beats(16))]
    assert song == after(e.DuplicateClip(clip_id=RIFF, new_clip_id=NEW_CLIP))
    track, clip = after(
        e.DuplicateClip(clip_id=RIFF, new_clip_id=NEW_CLIP, start_time=beats(8), to_track_id=PAD)
    ).clip(NEW_CLIP)
    assert (track.id, clip.start) == (PAD, beats(8))
    assert not {note.id for note in clip.notes} & {note.id for note in a_song().clip(RIFF)[1].notes}


def test_split_clip_keeps_every_onset_and_ends_notes_at_the_cut() -> None:
    song = after(e.SplitClip(clip_id=CHORDS, new_clip_id=NEW_CLIP, at_time=beats(20)))
    left, right = song.clip(CHORDS)[1], song.clip(NEW_CLIP)[1]
    assert (left.start, left.duration, right.start, right.duration) == (beats(16), beats(4), beats(20), beats(12))
    assert [(n.pitch, n.start, n.duration) for n in left.notes] == [(60, 0, beats(4)), (64, 0, beats(4))]
    assert [(n.pitch, n.start, n.duration) for n in right.notes] == [(67, beats(4), beats(8))]
    for outside in (16, 32, 40):
        with pytest.raises(SongError, match="clip 'Chords' cannot be split"):
            after(e.SplitClip(clip_id=CHORDS, new_clip_id=NEW_CLIP, at_time=beats(outside)))


def test_delete_clip_leaves_the_track() -> None:
    song = after(e.DeleteClip(clip_id=RIFF))
    assert song.track(BASS).clips == ()


def test_effects_are_added_changed_moved_and_removed_with_their_automation() -> None:
    add = e.AddEffect(effect_id=NEW_EFFECT, track_id=PAD, effect_name="delay", params={"mix": 0.2}, position=0)
    song = after(add)
    assert [fx.name for fx in song.track(PAD).effects] == ["delay", "reverb"]
    changed = apply(song, e.UpdateEffect(effect_id=NEW_EFFECT, params={"time": 0.5}, enabled=False, position=1))
    assert [(fx.name, dict(fx.params), fx.enabled) for fx in changed.track(PAD).effects][1] == (
        "delay", {"mix": 0.2, "time": 0.5}, False
    )
    lane = e.SetAutomation(track_id=PAD, target=f"{NEW_EFFECT}.mix", points=(e.PointSpec(beats(0), 1.0),))
    gone = apply_all(changed, (lane, e.RemoveEffect(effect_id=NEW_EFFECT))).track(PAD)
    assert ([fx.name for fx in gone.effects], [one.target for one in gone.automation]) == (["reverb"], ["volume_db"])


def test_the_master_takes_effects_but_no_automation() -> None:
    song = after(e.AddEffect(effect_id=NEW_EFFECT, track_id=MASTER, effect_name="limiter"))
    assert [fx.name for fx in song.master_effects] == ["limiter"]
    assert apply(song, e.RemoveEffect(effect_id=NEW_EFFECT)).master_effects == ()
    with pytest.raises(SongError, match="master has no automation"):
        after(e.SetAutomation(track_id=MASTER, target="pan", points=(e.PointSpec(beats(0), 0.0),)))


def test_set_automation_replaces_a_lane_sorts_its_points_and_no_points_remove_it() -> None:
    points = (e.PointSpec(beats(8), 0.5), e.PointSpec(beats(0), -0.5))
    song = after(e.SetAutomation(track_id=BASS, target="pan", points=points, curve="hold"))
    [lane] = song.track(BASS).automation
    assert ([point.value for point in lane.points], lane.curve) == ([-0.5, 0.5], "hold")
    assert apply(song, e.SetAutomation(track_id=BASS, target="pan", points=())).track(BASS).automation == ()
    with pytest.raises(SongError, match="automation of cutoff: no such target"):
        after(e.SetAutomation(track_id=BASS, target="cutoff", points=points))
    with pytest.raises(SongError, match="automation of pan: 2 at beat 0 is out of range"):
        after(e.SetAutomation(track_id=BASS, target="pan", points=(e.PointSpec(beats(0), 2.0),)))


def test_tempo_meter_key_loudness_and_name() -> None:
    song = after(
        e.SetTempo(bpm=90.0), e.SetTempo(bpm=60.0, at_beat=beats(16)), e.SetTimeSignature(beats=3, unit=4),
        e.SetKey(tonic="F#", mode="minor"), e.SetLoudness(target=-18.0), e.RenameSong(name="Drift"),
    )
    assert [(change.at, change.bpm) for change in song.tempos] == [(0, 90.0), (beats(16), 60.0)]
    assert (song.meters[0].beats, str(song.key), song.loudness_target, song.name) == (3, "F# minor", -18.0, "Drift")
    assert len(apply(song, e.SetTempo(bpm=90.0, at_beat=beats(16))).tempos) == 1, "a change to the same tempo is none"


@pytest.mark.parametrize(("edit", "words"), [
    (e.SetTempo(bpm=0.5), "tempo 0.5 BPM"),
    (e.SetTempo(bpm=100.0, at_beat=Ticks(10**12)), "beyond any song"),
    (e.SetLoudness(target=3.0), "loudness target 3 LUFS"),
    (e.SetTimeSignature(beats=0, unit=4), "beats in a bar 0"),
])
def test_a_frame_outside_its_limits_is_refused(edit: e.Edit, words: str) -> None:
    with pytest.raises(SongError) as refusal:
        after(edit)
    assert words in str(refusal.value)


def test_sections_are_added_moved_renamed_and_deleted() -> None:
    bridge = SectionId("sbridge")
    song = after(
        e.AddSection(section_id=bridge, name="Bridge", start_time=beats(32), duration=beats(16)),
        e.UpdateSection(section_id=VERSE, name="A", start_time=beats(48)),
    )
    assert [(s.name, s.start) for s in song.sections] == [("Bridge", beats(32)), ("A", beats(48))]
    assert [s.name for s in apply(song, e.DeleteSection(section_id=bridge)).sections] == ["A"]


def chart(*chords: tuple[str, float, float]) -> tuple[e.ChordSpec, ...]:
    return tuple(e.ChordSpec(symbol, beats(start), beats(length)) for symbol, start, length in chords)


def stated(song: Song) -> list[tuple[str, float, float]]:
    return [(one.symbol, one.start / 960, one.duration / 960) for one in song.chords]


def test_chords_of_a_stretch_take_the_place_of_those_that_stood_there() -> None:
    song = after(
        e.SetChords(start_time=beats(0), duration=beats(16), chords=chart(("C", 0, 4), ("Am7/G", 4, 4), ("F", 8, 8))),
        e.SetChords(start_time=beats(6), duration=beats(4), chords=chart(("N.C.", 6, 1), ("D7b9", 8, 2))),
    )
    assert stated(song) == [("C", 0, 4), ("Am7/G", 4, 2), ("N.C.", 6, 1), ("D7b9", 8, 2), ("F", 10, 6)]
    assert stated(apply(song, e.SetChords(start_time=beats(0), duration=beats(12), chords=()))) == [("F", 12, 4)]


@pytest.mark.parametrize(("chords", "words"), [
    ((("Xm", 0, 4),), "cannot read the chord 'Xm'"),
    ((("C", 0, 4), ("F", 2, 4)), "overlap"),
    ((("C", 0, 9),), "outside the stretch"),
])
def test_chords_that_no_song_can_state_are_refused(chords: tuple[tuple[str, float, float], ...], words: str) -> None:
    with pytest.raises(SongError) as refusal:
        after(e.SetChords(start_time=beats(0), duration=beats(8), chords=chart(*chords)))
    assert words in str(refusal.value)


@pytest.mark.parametrize(("note", "words"), [
    ((128, 0, 1), "pitch 128"), ((-1, 0, 1), "pitch -1"),
    ((60, 3, 2), "leaves its clip"), ((60, 0, 0), "leaves its clip"),
])
def test_an_impossible_note_is_named_with_track_clip_and_number(note: tuple[int, float, float], words: str) -> None:
    edit = e.CreateMidiClip(
        clip_id=NEW_CLIP, track_id=BASS, start_time=beats(0), duration=beats(4), name="New",
        notes=some_notes((60, 0, 1), note),
    )
    with pytest.raises(SongError, match=r"track 'Bass', clip 'New', note [12]") as refusal:
        after(edit)
    assert words in refusal.value.what


def test_what_is_missing_is_named() -> None:
    with pytest.raises(SongError, match="no track 'tnope'") as refusal:
        after(e.DeleteTrack(track_id=TrackId("tnope")))
    assert "Bass (tbass)" in refusal.value.why
    for edit, kind in (
        (e.DeleteClip(clip_id=ClipId("cnope")), "clip"), (e.RemoveEffect(effect_id=EffectId("enope")), "effect"),
        (e.DeleteSection(section_id=SectionId("snope")), "section"),
    ):
        with pytest.raises(SongError, match=f"no {kind} '.nope'"):
            after(edit)


def test_a_song_holds_256_tracks_and_not_one_more() -> None:
    edits = [e.CreateTrack(track_id=TrackId(f"t{n}"), name="x", instrument="piano") for n in range(MAX_TRACKS + 1)]
    full = apply_all(Song(), edits[:-1])
    with pytest.raises(SongError, match="257 tracks are too many"):
        apply(full, edits[-1])


def test_one_id_cannot_stand_twice() -> None:
    with pytest.raises(SongError, match="'tbass'"):
        after(e.CreateTrack(track_id=BASS, name="x", instrument="piano"))


def test_a_difference_says_added_removed_and_moved() -> None:
    song = after(
        e.ModifyClip(
            clip_id=RIFF, notes=(
                e.NoteSpec(41, beats(0), beats(1), 90, NoteId("r0")),
                e.NoteSpec(50, beats(1), beats(1), 90, NoteId("x")),
                e.NoteSpec(43, beats(4), beats(1), 90, NoteId("r1")),
            ),
        ),
        e.DeleteTrack(track_id=DRUMS), e.UpdateTrack(track_id=PAD, volume_db=-9.0), e.SetTempo(bpm=90.0),
        e.CreateTrack(track_id=NEW_TRACK, name="New", instrument="piano"),
    )
    changes = compare(a_song(), song)
    assert {track.name: (track.change, track.notes_added, track.notes_removed, track.notes_moved)
            for track in changes.tracks} == {
        "Drums": ("removed", 0, 16, 0), "Bass": ("changed", 1, 2, 1),
        "Pad": ("changed", 0, 0, 0), "New": ("added", 0, 0, 0),
    }
    [pad] = [track for track in changes.tracks if track.name == "Pad"]
    assert [(field.field, field.before, field.after) for field in pad.fields] == [("volume_db", "0", "-9")]
    assert [(field.field, field.after) for field in changes.song] == [("tempos", "90 BPM at beat 0")]


def test_the_order_of_tracks_is_a_difference() -> None:
    [field] = compare(a_song(), after(e.UpdateTrack(track_id=DRUMS, position=0))).song
    assert (field.field, field.before, field.after) == ("track order", "Bass, Pad, Drums", "Drums, Bass, Pad")
