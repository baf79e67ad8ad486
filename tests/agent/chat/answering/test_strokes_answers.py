"""The drums of a kit one by one."""

from __future__ import annotations

import pytest
from fact_songs import answer, facts, line, song_of

from agent.song.song import Song

KICKS = [(at, 36, 0.1) for at in range(8)]
BACKBEATS = [(at, 38, 0.1) for at in (1, 3, 5, 7)]


def kit(*more: tuple[float, int, float]) -> Song:
    """Two bars with a kick on each beat and snares on the second and the fourth."""
    return song_of(line("Drums", "kit_standard", [*KICKS, *BACKBEATS, *more]))


@pytest.mark.parametrize(("words", "said"), [
    ("how many kicks are there?", "8 kicks in bars 1–2, 4 a bar there"), ("bass drum count", "8 kicks"),
    ("where is the snare?", "4 snares in bars 1–2, 2 a bar there. Always on beats 2 and 4."),
    ("any hi-hats?", "No closed hi-hats, pedal hi-hats and open hi-hats in Drums"),
])
def test_the_drum_that_the_words_name_is_counted(words: str, said: str) -> None:
    assert said in answer(kit(), "strokes", words=words).text


def test_without_a_name_every_drum_is_counted() -> None:
    assert "12 strokes, of them 8 kicks and 4 snares" in answer(kit(), "strokes", words="which drums").text


def test_both_keys_of_the_kick_and_only_the_place_count() -> None:
    song = kit((4.5, 35, 0.1))
    assert facts(answer(song, "strokes", words="kicks", bars=(2, 2)))["kicks"] == 5
    assert facts(answer(song, "strokes", words="kicks"))["kicks"] == 9


def test_four_kicks_a_sixteenth_apart_are_a_double_kick_and_three_are_none() -> None:
    three = kit((4.25, 36, 0.1), (4.5, 36, 0.1))
    assert "No double kick" in answer(three, "strokes", words="double kick?").text
    found = answer(kit((4.25, 36, 0.1), (4.5, 36, 0.1), (4.75, 36, 0.1)), "strokes", words="double kick?")
    assert "Double kick: 1 run of four or more kicks a sixteenth apart or closer, up to 5, in bar 2." in found.text


def test_a_kit_with_its_drums_on_other_keys_is_understood() -> None:
    song = song_of(line("Kit", "kit_orchestra", [(0, 27, 0.1), (1, 27, 0.1)]))
    assert "2 closed hi-hats" in answer(song, "strokes", words="hats").text


def test_where_there_is_no_kit_it_is_told() -> None:
    flute = song_of(line("Flute", "woodwind_flute", [(0, 72, 1)]))
    assert "No drum kit is heard" in answer(flute, "strokes", words="kicks").text
    assert "no drum kit" in answer(flute, "strokes", "Flute", words="kicks").text
    assert "ends after bar 2" in answer(kit(), "strokes", words="kicks", bars=(7, 8)).text
    assert "empty" in answer(Song(), "strokes", words="kicks").text
