"""Tracks are called after who plays them, and the tune is found all the same."""

from __future__ import annotations

import pytest
from msgspec import structs
from style_parts import track_of

from agent.composer.player_names import renamed
from agent.song.song import Song
from agent.theory.melody import melody_track

ROLES = {
    "Tune", "Lead", "Theme", "Pad", "Voice", "Pah-pah", "Swell", "Answer", "Comping", "Stabs", "Chop", "Cradle",
    "Blanket", "Ground", "Depth", "Overtones", "Singer", "Horn",
}


def names(song: Song) -> list[str]:
    return [track.name for track in song.tracks]


@pytest.mark.parametrize(
    ("words", "called"),
    [
        ("a piece for string quartet", ["Violin 1", "Violin 2", "Viola", "Cello"]),
        ("a gentle waltz for piano", ["Piano", "Piano (melody)"]),
        ("a jazz piece for rhodes, upright bass and flute", ["Electric piano", "Double bass", "Flute"]),
        ("a chorale", ["Soprano", "Alto", "Tenor", "Bass"]),
    ],
)
def test_tracks_are_called_after_their_players(bench, words, called):
    assert names(bench.compose(words))[: len(called)] == called


@pytest.mark.parametrize("style", ["waltz", "lullaby", "march", "boom bap", "drone", "house", "cinematic", "soul"])
def test_no_name_says_what_a_part_does_where_another_sound_plays_it(bench, style):
    song = bench.compose(f"a {style} piece", 2)
    assert len(set(names(song))) == len(song.tracks)
    assert not ROLES.intersection(names(song))


@pytest.mark.parametrize("style", ["cumbia", "drill", "lullaby", "march", "waltz", "bossa nova"])
def test_the_melody_is_found_whatever_its_player_is_called(bench, style):
    song = bench.compose(f"a {style} piece", 1)
    known = next(one for one in bench.styles.styles if one.label.lower() == style)
    leads = [track_of(song, part.name) for part in known.parts if part.role == "lead"]
    heard = melody_track(song, bench.palette)
    assert heard in [track.id for track in leads if track is not None]
    quieter = bench.song(bench.draft("make the melody quieter", song), song)
    changed = {was.id for was, now in zip(song.tracks, quieter.tracks, strict=True) if was != now}
    assert changed == {heard}


@pytest.mark.parametrize(
    ("name", "was", "now", "then"),
    [
        ("Flute", "woodwind_flute", "strings_cello", "Cello"), ("Violin 2", "strings_violin", "woodwind_oboe", "Oboe"),
        ("Piano (melody)", "piano_grand", "woodwind_flute", "Flute (melody)"),
        ("Bass", "bass_finger", "bass_synth", None), ("My flute solo", "woodwind_flute", "strings_cello", None),
        ("Aunt Ida", "woodwind_flute", "strings_cello", None), ("Lead", "lead_saw", "woodwind_flute", None),
        ("Guitar left", "guitar_distortion", "lead_saw", None),
    ],
)
def test_a_track_called_after_its_player_takes_on_the_name_of_the_next(bench, name, was, now, then):
    known = {one.name: one for one in bench.palette.instruments}
    assert renamed(name, known[was], known[now]) == then


def test_a_run_that_changes_the_sound_renames_the_track_in_the_same_row(bench, sample):
    calls = {"Chords": "Grand piano", "Lead": "Aunt Ida"}
    song = structs.replace(
        sample, tracks=tuple(structs.replace(one, name=calls.get(one.name, one.name)) for one in sample.tracks)
    )
    draft = bench.draft("make it a synthwave song", song)
    after = bench.song(draft, song)
    chords, lead = (next(one.id for one in song.tracks if one.name == name) for name in calls.values())
    assert after.track(lead).name == "Aunt Ida"
    assert after.track(chords).instrument != song.track(chords).instrument
    label = next(one.label for one in bench.palette.instruments if one.name == after.track(chords).instrument)
    assert after.track(chords).name == label
    (row,) = [one for one in draft.steps if one.tool == "update_track" and "name" in one.inputs]
    assert row.inputs["instrument"] == after.track(chords).instrument
    assert row.title == f"Grand piano on {label}, now called {label}"
