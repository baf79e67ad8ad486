"""Sounds that are made of several are asked for by their names, and styles name them."""

from __future__ import annotations

import pytest

from agent.errors import BandleaderError
from agent.song.song import Song
from tests.agent.composer.conftest import Bench


@pytest.mark.parametrize(
    ("request_", "instrument"),
    [
        ("a trance piece with a supersaw lead, 8 bars", "lead_supersaw"),
        ("a lofi piece with lo-fi keys, 8 bars", "keys_lo_fi"),
        ("a trap beat with an 808 bass, 8 bars", "bass_808"),
        ("an ambient piece with a choir bed, 8 bars", "choir_bed"),
        ("an ambient piece with a pure sub, 8 bars", "bass_pure_sub"),
        ("a boom bap beat with a sub bass, 8 bars", "bass_pure_sub"), ("drums and sub-bass, 8 bars", "bass_pure_sub"),
    ],
)
def test_a_new_piece_has_the_layered_sound_that_is_asked_for(bench: Bench, request_: str, instrument: str) -> None:
    assert instrument in {track.instrument for track in bench.compose(request_).tracks}


@pytest.mark.parametrize(
    ("request_", "instrument"),
    [
        ("add a supersaw lead", "lead_supersaw"), ("replace the bass with an 808 bass", "bass_808"),
        ("play the chords on lo-fi keys", "keys_lo_fi"), ("make the lead a supersaw", "lead_supersaw"),
        ("change the chords to a choir bed", "choir_bed"), ("add a sub bass", "bass_pure_sub"),
        ("replace the bass with a sub", "bass_pure_sub"),
    ],
)
def test_a_song_gets_the_layered_sound_that_is_asked_for(
    bench: Bench, sample: Song, request_: str, instrument: str
) -> None:
    after = bench.song(bench.draft(request_, sample), sample)
    changed = {track.instrument for track in after.tracks} - {track.instrument for track in sample.tracks}
    assert changed == {instrument}


def test_styles_name_layered_sounds(bench: Bench) -> None:
    layered = {one.name for one in bench.palette.instruments if one.layers}
    named = {name for style in bench.styles.styles for part in style.parts for name in part.instruments}
    assert layered <= named


def test_a_sub_takes_the_place_of_the_bass_and_not_of_the_left_hand(bench: Bench) -> None:
    song = bench.compose("a pop ballad with a sub bass, 8 bars")
    played = {track.name: track.instrument for track in song.tracks}
    assert [name for name, instrument in played.items() if instrument == "bass_pure_sub"] == ["Bass"]
    assert played.get("Left hand", "piano_grand") == "piano_grand"


def test_a_song_without_a_sub_is_told_so(bench: Bench, sample: Song) -> None:
    with pytest.raises(BandleaderError, match="no sub bass"):
        bench.draft("make the sub louder", sample)
