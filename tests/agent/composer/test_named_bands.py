"""Players that a new piece names as its scoring are its band: they play, each in a role of its range, nobody else."""

from __future__ import annotations

import pytest

from agent.song.song import Song
from agent.theory.gate import findings
from agent.theory.sounding import sounding


def sounds(song: Song) -> list[str]:
    return sorted({track.instrument for track in song.tracks})


@pytest.mark.parametrize(
    ("request_text", "instruments"),
    [
        ("a slow piece for trumpet and organ", ["brass_trumpet", "organ_church"]),
        ("a lullaby for celesta and harp in D-flat major", ["keys_celesta", "strings_harp"]),
        (
            "a waltz for bandoneon, violin, piano and double bass, no drums",
            ["bass_acoustic", "organ_bandoneon", "piano_grand", "strings_violin"],
        ),
        (
            "shop music. marimba, pizzicato strings, bassoon",
            ["keys_marimba", "strings_pizzicato", "woodwind_bassoon"],
        ),
        ("a sad piece for string quartet", ["strings_cello", "strings_viola", "strings_violin"]),
        ("something for accordion on its own", ["organ_accordion"]),
        ("a piece for two flutes and a cello", ["strings_cello", "woodwind_flute"]),
    ],
)
def test_the_named_players_are_the_band(bench, request_text, instruments):
    song = bench.compose(request_text)
    assert sounds(song) == instruments
    assert findings(song, bench.palette) == ()


def test_players_of_a_kind_are_counted(bench):
    names = [track.name for track in bench.compose("a gentle piece for two flutes and a cello").tracks]
    assert names == ["Flute 1", "Flute 2", "Cello"]


def test_a_style_keeps_its_band_beside_one_instrument(bench):
    assert len(bench.compose("techno with a piano").tracks) > 4
    assert len(bench.compose("lofi beat for studying with rhodes").tracks) > 3


def test_a_missing_instrument_is_replaced_and_said(bench):
    draft = bench.draft("a happy song with ukulele and hand claps")
    song = bench.song(draft, Song())
    assert "ukulele: not here, so Nylon guitar plays it" in draft.understood
    assert "guitar_nylon" in sounds(song)


def test_claps_alone_are_no_drum_kit(bench):
    song = bench.compose("a happy song with ukulele and hand claps")
    claps = next(track for track in song.tracks if track.name == "Claps")
    assert {note.pitch for note in sounding(song, {claps.id})} <= {39, 81}


def test_the_lowest_plays_the_bass_and_the_highest_the_tune(bench):
    song = bench.compose("a piece for string quartet in D minor")
    middle = {
        track.name: sum(n.pitch for n in sounding(song, {track.id})) / track.note_count for track in song.tracks
    }
    assert middle["Cello"] < middle["Viola"] < middle["Violin 1"]


def test_no_melody_means_that_nobody_sings(bench):
    song = bench.compose("low strings, taiko and piano, no melody, 100 bpm")
    assert not any("melody" in track.name.casefold() for track in song.tracks)


def test_a_school_year_counts_no_players(bench):
    song = bench.compose("a tune for my Year 7 descant recorders in C")
    assert sounds(song) == ["woodwind_recorder"]
    assert len(song.tracks) == 1


def test_a_count_in_is_no_meter(bench):
    assert bench.compose("rock song, 190 bpm, count one two three four and go").meters[0].beats == 4


def test_a_solo_that_is_brought_in_is_a_passage_and_not_the_band(bench):
    """It is the word in front that tells: "a piano solo" by itself is a piece for a piano."""
    blues = {track.name for track in bench.compose("12 bar blues in A with walking bass and a sax solo").tracks}
    assert {"Drums", "Bass", "Tenor sax"} < blues
    assert {track.name for track in bench.compose("write a piano solo").tracks} == {"Left hand", "Right hand"}
