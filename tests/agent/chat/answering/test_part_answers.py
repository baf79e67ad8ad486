"""Where parts are panned, which tuning their lowest note takes, and which notes they play."""

from __future__ import annotations

import pytest
from fact_songs import answer, facts, line, song_of

from agent.song.ids import SectionId
from agent.song.song import Section, Song
from agent.song.time import to_ticks

ONE = [(0, 60, 1)]


def test_pans_are_told_from_left_to_right() -> None:
    song = song_of(
        line("Bass", "bass_finger", ONE), line("Vibes", "keys_vibraphone", ONE, pan=0.2),
        line("Guitar", "guitar_steel", ONE, pan=-0.6), line("Flute", "woodwind_flute", ONE, pan=-0.6),
    )
    found = answer(song, "pan")
    assert found.text.startswith("Guitar and Flute are 60% left; Bass is in the centre; Vibes is 20% right")
    assert facts(answer(song, "pan", "Vibes")) == {"Vibes pan": 20}
    assert "no tracks" in answer(Song(), "pan").text


@pytest.mark.parametrize(("instrument", "pitch", "said"), [
    ("guitar_distortion", 40, "needs no other tuning: six strings in standard tuning go down to E2"),
    ("guitar_distortion", 39, "1 semitone below E2"), ("guitar_distortion", 38, "in drop D"),
    ("guitar_distortion", 36, "in drop C"), ("guitar_distortion", 33, "below the open B1 of a seven-string guitar"),
    ("bass_pick", 28, "four strings in standard tuning go down to E1"), ("bass_pick", 26, "in drop D"),
    ("bass_pick", 23, "or a five-string bass as it is"), ("bass_pick", 21, "below the open B0 of a five-string bass"),
])
def test_the_lowest_note_says_which_tuning_it_takes(instrument: str, pitch: int, said: str) -> None:
    song = song_of(line("Axe", instrument, [(0, pitch, 1), (1, pitch + 12, 1)]))
    assert said in answer(song, "lowest", "Axe").text


def test_of_several_guitars_the_lowest_decides_and_a_piano_has_no_tuning() -> None:
    song = song_of(
        line("Left", "guitar_steel", [(0, 45, 1)]), line("Right", "guitar_steel", [(0, 38, 1)]),
        line("Piano", "piano_grand", [(0, 40, 1)]),
    )
    found = answer(song, "lowest", "Left", "Right").text
    assert "Right, the lowest of them, goes 2 semitones below E2" in found
    assert found.count("standard tuning") == 1
    assert "tuning" not in answer(song, "lowest", "Piano").text


def test_up_to_24_notes_of_a_place_are_named_with_their_octaves() -> None:
    alto = [(0, 63, 1), (1, 72, 1), (1, 67, 1), (2, 70, 2), *[(4 + at / 8, 60 + at % 5, 0.1) for at in range(24)]]
    song = song_of(line("Alto", "piano_grand", alto), key="Eb")
    assert "4 notes (E♭4 G4+C5 B♭4)" in answer(song, "notes", "Alto", bars=(1, 1)).text
    assert "24 notes (C4 D♭4 D4" in answer(song, "notes", "Alto", bars=(2, 2)).text
    assert "28 notes (E♭ 6×, E 4×, G 1×, B♭ 1×, C 6×, D♭ 5×, D 5×)" in answer(song, "notes", "Alto", bars=(1, 2)).text
    assert "ends after bar 2" in answer(song, "notes", "Alto", bars=(40, 41)).text


def test_notes_of_places_in_any_order_are_counted_once() -> None:
    song = song_of(line("Flute", "woodwind_flute", [(at, 72, 1) for at in range(12)]), sections=[
        Section(SectionId("a"), "Verse", to_ticks(0), to_ticks(4)),
        Section(SectionId("b"), "Solo", to_ticks(4), to_ticks(4)),
    ])
    found = answer(song, "notes", "Flute", sections=[SectionId("b"), SectionId("a")])
    assert "Flute 8 notes" in found.text
    assert "That is 4 a bar" in found.text


def test_a_bass_is_compared_with_the_chords() -> None:
    chords = line("Piano", "piano_grand", [(at, pitch, 4) for at in (0, 4) for pitch in (60, 64, 67)])
    plain = song_of(chords, line("Bass", "bass_finger", [(at, 36 + at % 2 * 7, 1) for at in range(8)]))
    found = answer(plain, "notes", "Bass").text
    assert "Against the chords it plays hardly more than roots and fifths: 50% roots and 50% fifths." in found
    steps = [(at, pitch, 1) for at, pitch in enumerate((36, 38, 40, 43))]
    walking = song_of(chords, line("Bass", "bass_finger", steps))
    told = answer(walking, "notes", "Bass").text
    assert "plays more than roots and fifths" in told
    assert "25% other tones of the chord" in told
    assert "25% no tones of the chord" in told
    assert "Against" not in answer(plain, "notes", "Piano").text


def test_the_first_and_the_last_notes_are_told_from_the_top() -> None:
    song = song_of(
        line("Bass", "choir_aahs", [(3, 51, 1), (4, 46, 1)]),
        line("Soprano", "choir_aahs", [(3, 67, 1), (4, 70, 1), (4, 74, 1)]), key="Eb",
    )
    first = answer(song, "notes", words="what are the starting notes?").text
    assert first.startswith("The first notes, from the top: Soprano G4 and Bass E♭3 in bar 1, beat 4.")
    last = answer(song, "notes", "Soprano", words="the last note?").text
    assert last.startswith("The last notes, from the top: Soprano B♭4+D5 in bar 2, beat 1.")
    assert "ends after bar 2" in answer(song, "notes", words="first notes", bars=(8, 9)).text
