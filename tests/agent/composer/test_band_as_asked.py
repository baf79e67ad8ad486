"""The band is what was asked: those and no others, and one part for one part."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_rhodes_are_an_electric_piano_with_tines(bench, seed):
    song = bench.compose("a lofi piece", seed)
    assert {track.instrument for track in song.tracks if track.name == "Rhodes"} <= {"keys_tine"}


@pytest.mark.parametrize(
    ("words", "instruments", "count"),
    [
        ("just a bass line over Am F C G", ("bass",), 1), ("only a bassline in E minor", ("bass",), 1),
        ("only chords on the organ", ("organ",), 1), ("just a melody on the flute", ("woodwind_flute",), 1),
        ("just drums and bass", ("kit", "bass"), 2), ("a woodwind trio", ("woodwind",), 3),
        ("a duo of accordion and violin", ("organ_accordion", "strings_violin"), 2),
        ("a piece for string quartet", ("strings",), 4), ("a duet for two flutes", ("woodwind_flute",), 2),
        ("a cello quartet", ("strings_cello",), 4), ("harp and flute duo", ("strings_harp", "woodwind_flute"), 2),
        ("a jazz quartet: trumpet, piano, double bass and drums", ("brass_trumpet", "piano", "bass", "kit"), 4),
        ("jazz trio with guitar, upright bass and brushes", ("guitar", "bass", "kit_brush"), 4),
        ("piano four hands", ("piano_grand",), 2), ("string quartet with piano", ("strings", "piano_grand"), 5),
    ],
)
def test_only_who_was_asked_for_plays(bench, words, instruments, count):
    song = bench.compose(words, 3)
    assert all(track.instrument.startswith(instruments) for track in song.tracks)
    assert len(song.tracks) == count


@pytest.mark.parametrize(
    ("words", "tracks"),
    [
        ("8 step bass sequence, C minor, 16 bars, and a choir pad, no drums", {"Bass", "Choir"}),
        ("corporate track, nothing corny such as kazoo or glockenspiel, piano and strings", {"Piano", "Strings"}),
        ("a piece for bass xylophone, alto xylophone and harp", {"Bass xylophone", "Alto xylophone", "Harp"}),
    ],
)
def test_numbers_examples_and_voices_are_no_players(bench, words, tracks):
    song = bench.compose(words)
    names = {track.name for track in song.tracks}
    assert tracks <= names
    assert not any(name.endswith(("2", "3")) for name in names)
    assert len(names) <= 4


@pytest.mark.parametrize("words", ["pop song, no more than three instruments", "house, max 3 tracks, with strings"])
def test_there_are_no_more_tracks_than_were_allowed(bench, words):
    assert len(bench.compose(words).tracks) <= 3
