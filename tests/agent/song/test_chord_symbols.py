"""Chord symbols as people write them, and the tones that they mean."""

from __future__ import annotations

import pytest

from agent.errors import BandleaderError
from agent.song.chord_symbols import LONGEST_SYMBOL, chord
from agent.theory.chords import chord_symbol

_SPELLINGS = {
    "C": "C", "Cmaj7 CM7 CΔ C^7 Cma7 CΔ7 C(maj7) C7M CMA7 CMa7 Cmajor7": "C E G B",
    "Cm7 C-7 Cmi7 Cmin7 CMI7 CMi7": "C Eb G Bb", "C7": "C E G Bb",
    "Cø Cø7 Cm7b5 Cm7-5 Cm7(b5)": "C Eb Gb Bb", "C°7 Co7 Cdim7": "C Eb Gb A",
    "Cm(maj7) CmM7 C-maj7 Cm/maj7 Cm(Maj7) Cmi(MA7) C-[ma7] Cm7M CmiMa7 C-Δ": "C Eb G B",
    "C6/9 C69 C6add9": "C E G A D", "C2 Cadd9 C(add9) Cadd2": "C E G D", "Csus Csus4 C4": "C F G",
    "C+7 Caug7 C7#5 C7+5 C7(#5)": "C E G# Bb", "C7b9 C7(b9) C7-9 C7[b9]": "C E G Bb Db",
    "C7alt Calt": "C E Bb Db D# Ab",
    "C9sus4 C11sus4": "C F G Bb D", "Cmaj7#11 CM7(#11)": "C E G B F#", "C7(b9,#11)": "C E G Bb Db F#",
    "Cm13": "C Eb G Bb D A",
    "Cmaj7#5 C+maj7 Caugmaj7": "C E G# B", "C5 C(no3)": "C G", "C-5 C(b5)": "C E Gb", "C7no5": "C E Bb",
}
_NAMES = {"C": 0, "Db": 1, "D": 2, "D#": 3, "Eb": 3, "E": 4, "F": 5, "F#": 6, "Gb": 6, "G": 7, "G#": 8, "Ab": 8, "A": 9,
          "Bb": 10, "B": 11}


@pytest.mark.parametrize(
    ("written", "tones"), [(one, tones) for spellings, tones in _SPELLINGS.items() for one in spellings.split()][1:]
)
def test_each_spelling_means_its_tones(written: str, tones: str) -> None:
    assert set(chord(written).pitch_classes) == {_NAMES[name] for name in tones.split()}


@pytest.mark.parametrize(
    "written", ["F#m7b5/C", "Bbmaj7(#11)/D", "G7alt", "Ab6/9", "Dm9", "H7", "E7#9", "C/D", "Db13(b9)"]
)
def test_what_is_written_of_a_chord_reads_back_as_the_same(written: str) -> None:
    found = chord(written)
    assert chord(chord_symbol(found)) == found


@pytest.mark.parametrize(
    "written", ["", "X", "Cfoo", "C//E", "Cmaj7maj7x", "c", "C" + "b" * LONGEST_SYMBOL, "C7sus2sus4"]
)
def test_what_is_no_chord_is_one_clear_error(written: str) -> None:
    with pytest.raises(BandleaderError, match="cannot read the chord"):
        chord(written)
