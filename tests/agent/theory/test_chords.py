"""Roman numerals, chord symbols, chord names and voicings."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.song.chord import Chord, Quality
from agent.song.chord_symbols import chord
from agent.song.key import TONICS, Key, Mode
from agent.theory.chords import chord_symbol, diatonic, progression, roman
from agent.theory.errors import TheoryError
from agent.theory.pitch import in_scale
from agent.theory.voicing import Spread, movement, voice

chords = st.builds(Chord, st.integers(0, 11), st.sampled_from(get_args(Quality)))
keys = st.builds(Key, st.sampled_from(TONICS), st.sampled_from(get_args(Mode)))


@pytest.mark.parametrize(
    ("numerals", "key", "symbols"),
    [
        ("I vi IV V7", Key("C"), "C Am F G7"),
        ("i bVI bIII bVII", Key("A", "minor"), "Am F C G"),
        ("i VI III VII", Key("A", "minor"), "Am F C G"),
        ("ii7 V9 Imaj7 vii°", Key("Bb"), "Cm7 F9 Bbmaj7 Adim"),
        ("iv IVmaj7 bVII Vsus4", Key("E"), "Am Amaj7 D Bsus4"),
        ("I/3 V/V V7/vi vii°7", Key("C"), "C/E D E7 Bdim7"),
        ("i v #vii° iiø", Key("A", "minor"), "Am Em G#dim Bm7b5"),
        ("Iadd9, iadd9 | I6 - i6", Key("D"), "Dadd9 Dmadd9 D6 Dm6"),
        ("I II", Key("F", "lydian"), "F G"),
    ],
)
def test_numerals_are_chords_of_their_key(numerals: str, key: Key, symbols: str) -> None:
    assert [chord_symbol(found, key) for found in progression(numerals, key)] == symbols.split()


@pytest.mark.parametrize("text", ["", "VIII", "Ivi", "Iblah", "I/9", "1", "/V"])
def test_an_unreadable_numeral_is_one_clear_error(text: str) -> None:
    with pytest.raises(TheoryError, match="cannot read"):
        roman(text, Key("C"))


@given(chords)
def test_a_symbol_reads_back_as_the_same_chord(given_chord: Chord) -> None:
    assert chord(chord_symbol(given_chord)) == given_chord


@given(keys, st.integers(1, 7), st.sampled_from([3, 4]))
def test_diatonic_chords_stay_in_the_key(key: Key, degree: int, tones: int) -> None:
    found = diatonic(key, degree, 4 if tones == 4 else 3)
    assert all(in_scale(key, pc) for pc in found.pitch_classes)
    assert found.root == diatonic(key, degree).root


@given(
    chords,
    st.integers(40, 80),
    st.sampled_from(get_args(Spread)),
    st.one_of(st.none(), st.integers(2, 6)),
    st.one_of(st.none(), st.lists(st.integers(36, 90), min_size=2, max_size=5).map(lambda p: tuple(sorted(p)))),
)
def test_a_voicing_has_the_chords_tones_in_the_range(
    given_chord: Chord, around: int, spread: Spread, voices: int | None, previous: tuple[int, ...] | None
) -> None:
    pitches = voice(given_chord, around, previous, 36, 96, spread=spread, voices=voices)
    assert list(pitches) == sorted(set(pitches))
    assert all(36 <= pitch <= 96 and pitch in given_chord for pitch in pitches)
    assert len(pitches) == (voices or len(given_chord.intervals))



@pytest.mark.parametrize(("text", "key", "spelled"), [
    ("V7/3", Key("D", "minor"), "A7/C#"), ("I/3", Key("F#"), "F#/A#"), ("IV/5", Key("Bb"), "Eb/Bb"),
    ("i/3", Key("C", "minor"), "Cm/Eb"), ("V7/7", Key("F"), "C7/Bb"),
])
def test_a_bass_is_spelled_as_the_tone_of_its_chord(text: str, key: Key, spelled: str) -> None:
    assert chord_symbol(roman(text, key), key) == spelled


def test_voices_move_little_and_common_tones_stay() -> None:
    before = voice(roman("I", Key("C")), 62, None, 48, 79)
    after = voice(roman("vi", Key("C")), 62, before, 48, 79)
    assert movement(before, after) == 2
    assert len(set(before) & set(after)) == 2


def test_an_inversion_has_its_bass_at_the_bottom() -> None:
    assert voice(chord("C/E"), 64, spread="open")[0] % 12 == 4


def test_a_range_without_room_is_refused() -> None:
    with pytest.raises(TheoryError, match="no room"):
        voice(chord("C"), 60, None, 61, 63)
