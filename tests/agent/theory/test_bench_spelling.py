"""Pitches are spelled as the tones of their chord, so that a reader of notes finds its thirds."""

from __future__ import annotations

import pytest

from agent.song.chord_symbols import chord
from tests.benchmarks.music.spelled import spelled, written_out


@pytest.mark.parametrize(
    ("symbol", "names"),
    [
        ("C7b9", "C3 E3 G3 B-3 D-4"),
        ("C7#9", "C3 E3 G3 B-3 D#4"),
        ("Ebm7b5", "E-3 G-3 B--3 D-4"),
        ("F#dim7", "F#3 A3 C4 E-4"),
        ("Bmaj7", "B3 D#4 F#4 A#4"),
        ("C7#5", "C3 E3 G#3 B-3"),
        ("Cm6", "C3 E-3 G3 A3"),
        ("G7#11", "G3 B3 D4 F4 C#5"),
    ],
)
def test_a_chord_written_out_has_its_letters(symbol: str, names: str) -> None:
    assert written_out(chord(symbol)) == names.split()


def test_octaves_are_those_of_the_letter() -> None:
    assert spelled(59, chord("Abm")) == "C-4"
    assert spelled(60, chord("E7#5")) == "B#3"
