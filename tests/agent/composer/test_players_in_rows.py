"""Who plays instead, in rows, by "one", by where another is, and by what "it" can only be."""

from __future__ import annotations

import pytest

from agent.composer.understanding.lexicon import Lexicon
from agent.song import edits as e
from agent.song.apply import apply_all
from tests.agent.composer.doing import read

VOICES = ("Soprano", "Alto", "Tenor", "Bass")


@pytest.fixture(scope="module")
def chorale(sample):
    """The sample as a song for four voices on the piano."""
    tracks = [track.id for track in sample.tracks]
    edits: list[e.Edit] = []
    for track, name in zip(tracks[1:], ("Bass", "Tenor", "Soprano"), strict=True):
        edits.append(e.UpdateTrack(track_id=track, name=name, instrument="piano_grand"))
    edits.append(e.DuplicateTrack(track_id=tracks[2], new_track_id="tk0000000alto"))
    edits.append(e.UpdateTrack(track_id="tk0000000alto", name="Alto"))
    edits.append(e.DeleteTrack(track_id=tracks[0]))
    return apply_all(sample, edits)


def given(bench, song, request):
    """Which player each part gets, as the request is read."""
    intent = read(request, Lexicon(bench.words, bench.styles, bench.palette, song), has_music=True)
    return [(task.operation.wish.label.capitalize(), task.operation.by.label) for task in intent.tasks]


@pytest.mark.parametrize("request_", [
    "Oboe, clarinet, horn, bassoon for S A T B", "S A T B on oboe, clarinet, horn, bassoon",
    "oboe, clarinet, horn and bassoon for soprano, alto, tenor and bass",
])
def test_a_row_of_players_goes_to_a_row_of_parts(bench, chorale, request_):
    assert given(bench, chorale, request_) == list(zip(VOICES, ("oboe", "clarinet", "horn", "bassoon"), strict=True))


def test_each_part_gets_another_sound_of_a_kind(bench, chorale):
    song = bench.song(bench.draft("each voice on a different synth", chorale), chorale)
    assert len({track.instrument for track in song.tracks}) == 4
    assert all(track.instrument.startswith("lead_") for track in song.tracks)


def test_it_is_all_of_the_song_where_nothing_else_was_named(bench, chorale):
    song = bench.song(bench.draft("put it on a Hammond", chorale), chorale)
    assert {track.instrument for track in song.tracks} == {"organ_drawbar"}


@pytest.mark.parametrize(("request_", "pair"), [
    ("swap the chords for a nylon guitar", ("Chords", "nylon guitar")),
    ("a flute where the lead is", ("Melody", "flute")), ("tenor sax takes the lead's job", ("Melody", "tenor sax")),
    ("I'd rather have a fretless bass than that one", ("Bass", "fretless bass")),
    ("swap that bass for something like a Minimoog", ("Bass", "synth bass")),
    ("brushes rather than those drums", ("Drums", "brushes")),
])
def test_a_player_takes_the_place_of_another(bench, sample, request_, pair):
    assert given(bench, sample, request_) == [pair]


def test_a_player_with_an_article_is_new_although_a_part_is_of_its_kind(bench, sample):
    ids = {track.name: track.id for track in sample.tracks}
    edits = [e.UpdateTrack(track_id=ids["Chords"], name="Strings", instrument="strings_ensemble")]
    edits.append(e.UpdateTrack(track_id=ids["Lead"], name="Flute", instrument="woodwind_flute"))
    band = apply_all(sample, edits)
    request = "can the strings be a cello and the flute an oboe"
    assert given(bench, band, request) == [("Strings", "cello"), ("Flute", "oboe")]


def test_one_is_the_instrument_that_was_named(bench, sample):
    chords = next(track for track in sample.tracks if track.name == "Chords")
    guitar = apply_all(sample, [e.UpdateTrack(track_id=chords.id, name="Guitar", instrument="guitar_steel")])
    assert given(bench, guitar, "swap the guitar for a nylon one") == [("Guitar", "nylon guitar")]


def test_a_new_player_beside_a_part_that_goes_takes_over_from_its_kind(bench, sample):
    request = "brushes rather than those drums and a double bass"
    assert given(bench, sample, request) == [("Drums", "brushes"), ("Bass", "double bass")]


@pytest.mark.parametrize("text", [
    "swap the organ for drums", "drums instead of the organ", "replace the organ with a standard kit",
])
def test_who_was_there_is_never_replaced_by_who_is_to_go(bench, sample, text):
    assert [old for old, _ in given(bench, sample, text)] == ["Organ"]
