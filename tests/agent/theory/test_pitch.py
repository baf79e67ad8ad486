"""Note names, scales and degrees as a musician expects them."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.song.key import TONICS, Key, Mode
from agent.theory.errors import TheoryError
from agent.theory.pitch import (
    class_name,
    degree_of,
    degree_pitch,
    fold,
    in_scale,
    move,
    nearest_in_scale,
    pitch,
    pitch_class,
    pitch_name,
    scale,
    scale_pitches,
    usual_tonic,
)

keys = st.builds(Key, st.sampled_from(TONICS), st.sampled_from(get_args(Mode)))


def test_names_and_numbers() -> None:
    assert [pitch("C4"), pitch("A4"), pitch("c-1"), pitch("G9"), pitch("F#3"), pitch("Bb2")] == [
        60,
        69,
        0,
        127,
        54,
        46,
    ]
    assert pitch_name(60) == "C4"
    assert pitch_name(61, Key("Db")) == "Db4"
    assert pitch_class("E#") == 5
    assert class_name(10, Key("D", "minor")) == "Bb"
    assert class_name(6, Key("E", "minor")) == "F#"


@pytest.mark.parametrize("text", ["", "H4", "C", "C99", "60", "C#b4"])
def test_what_is_no_pitch_is_refused(text: str) -> None:
    with pytest.raises(TheoryError):
        pitch(text)


def test_scales() -> None:
    assert scale(Key("D")) == (2, 4, 6, 7, 9, 11, 1)
    assert [class_name(pc) for pc in scale(Key("D", "dorian"))] == ["D", "E", "F", "G", "A", "B", "C"]
    assert in_scale(Key("A", "harmonic_minor"), pitch("G#4"))
    assert not in_scale(Key("A", "minor"), pitch("G#4"))
    assert scale_pitches(Key("C"), 60, 65) == (60, 62, 64, 65)


def test_degrees_run_beyond_the_octave() -> None:
    key = Key("G")
    assert [pitch_name(degree_pitch(key, degree)) for degree in (1, 3, 7, 8, 0, -6)] == [
        "G4",
        "B4",
        "F#5",
        "G5",
        "F#4",
        "G3",
    ]


def test_usual_tonics_have_few_accidentals() -> None:
    assert usual_tonic(1, "major") == "Db"
    assert usual_tonic(1, "minor") == "C#"
    assert usual_tonic(10, "dorian") == "Bb"


@given(keys, st.integers(0, 127))
def test_the_nearest_pitch_is_in_the_key_and_within_a_tone(key: Key, number: int) -> None:
    near = nearest_in_scale(key, number)
    assert in_scale(key, near)
    assert abs(near - number) <= 2
    assert near == number or not in_scale(key, number)


@given(keys, st.integers(24, 100), st.integers(-7, 7))
def test_a_diatonic_move_can_be_taken_back(key: Key, number: int, steps: int) -> None:
    start = nearest_in_scale(key, number)
    there = move(key, start, steps)
    assert in_scale(key, there)
    assert move(key, there, -steps) == start
    assert move(key, start, 7) == start + 12
    assert degree_of(key, there) is not None


@given(st.integers(0, 127), st.integers(0, 100), st.integers(12, 27))
def test_folding_keeps_the_pitch_class(number: int, low: int, width: int) -> None:
    folded = fold(number, low, low + width)
    assert low <= folded <= low + width
    assert folded % 12 == number % 12
