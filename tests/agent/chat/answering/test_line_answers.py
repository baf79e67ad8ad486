"""Whether parts cross, how far they leap, how quick they are and which notes lie outside the signature."""

from __future__ import annotations

import pytest
from fact_songs import answer, facts, line, song_of
from msgspec.structs import replace

from agent.chat.answer import BarsLink
from agent.song.ids import TrackId
from agent.song.song import Song

ALTO = [(0, 65, 2), (2, 67, 2), (4, 69, 4)]
TENOR = [(0, 60, 2), (2, 69, 1), (3, 62, 1), (4, 60, 4)]
"""Above the alto on beat 3 of bar 1."""


def choir(tenor: list[tuple[float, int, float]]) -> Song:
    return song_of(
        line("Soprano", "choir_aahs", [(0, 76, 8)]), line("Alto", "choir_aahs", ALTO),
        line("Tenor", "choir_aahs", tenor), line("Drums", "kit_standard", [(0, 90, 8)]),
    )


def test_a_crossing_is_told_with_its_bar_beat_and_notes() -> None:
    found = answer(choir(TENOR), "crossing", "Tenor", "Alto")
    assert found.text.startswith("Yes: Tenor goes above Alto once, in bar 1, beat 3 (A4 over G4).")
    assert facts(found) == {"crossings": 1}
    assert BarsLink(1, 1) in found.links


def test_voices_that_meet_or_overlap_a_little_do_not_cross() -> None:
    meeting = choir([(0, 60, 2), (2, 67, 2.02), (4, 60, 4)])
    assert answer(meeting, "crossing").text.startswith(
        "No, they do not cross: never Tenor above Alto or Alto above Soprano."
    )


def test_a_place_and_a_single_part_limit_where_crossings_are_looked_for() -> None:
    song = choir(TENOR)
    assert "No, they do not cross in bar 2" in answer(song, "crossing", bars=(2, 2)).text
    assert "Soprano" not in answer(song, "crossing", "Tenor").text
    assert "No, they do not cross: never Alto above Soprano" in answer(song, "crossing", "Soprano").text


def test_a_part_that_is_supposed_an_octave_lower_is_compared_so() -> None:
    song = choir([(0, 60, 4), (4, 60, 4)])
    words = "suppose I sing the alto an octave down, would it dip under the tenor?"
    found = answer(song, "crossing", "Tenor", "Alto", words=words)
    assert found.text.startswith("With Alto an octave lower: Yes: Tenor goes above Alto once, in bar 1, beat 1 (C4")
    up = answer(song, "crossing", "Tenor", "Alto", words="if we put the tenor up an octave, does it cross the alto?")
    assert "With Tenor an octave higher: Yes" in up.text
    assert "No, they do not cross" in answer(song, "crossing", "Tenor", "Alto", words="do they cross?").text


def test_a_supposition_that_is_not_reckoned_with_is_told() -> None:
    song = choir([(0, 60, 4), (4, 60, 4)])
    for topic, words in (
        ("lowest", "if I take the alto down a fourth, what is its lowest note?"),
        ("crossing", "if I take the alto down a fourth, does it cross the tenor?"),
    ):
        assert "as the song is written" in answer(song, topic, "Alto", words=words).text  # type: ignore[arg-type]
    assert "as the song is written" not in answer(song, "lowest", "Alto", words="what is its lowest note?").text


def test_one_voice_cannot_cross() -> None:
    assert "It takes two parts" in answer(song_of(line("Flute", "woodwind_flute", ALTO)), "crossing").text
    assert "ends after bar" in answer(choir(TENOR), "crossing", bars=(9, 9)).text
    assert "drums" in answer(choir(TENOR), "crossing", "Drums").text
    assert "empty" in answer(Song(), "crossing").text


def test_the_widest_leap_is_told_with_its_notes_and_those_over_a_long_rest_are_none() -> None:
    notes = [(0, 60, 1), (1, 67, 1), (2, 60, 1), (4, 68, 1), (5, 67, 1), (12, 91, 1)]
    found = answer(song_of(line("Flute", "woodwind_flute", notes)), "leaps", "Flute")
    assert "the widest leap is a minor sixth (C4 to A♭4), in bar 2, beat 1; 1 of 4 leaps is wider than a fifth" in (
        answer(song_of(line("Flute", "woodwind_flute", notes), key="Eb"), "leaps", "Flute").text
    )
    assert "It never strikes two notes at once" in found.text
    assert facts(found) == {"Flute widest leap": 8}


def test_a_stretch_is_struck_together_or_within_a_beat() -> None:
    left = [(0, 48, 1), (0, 55, 1), (1, 48, 1), (1, 64, 1), (2, 48, 0.5), (2.5, 57, 0.5)]
    song = song_of(line("Piano", "piano_grand", left), line("Flute", "woodwind_flute", [(0, 84, 1), (1, 96, 1)]))
    found = answer(song, "leaps", "Piano").text
    assert "widest stretch of notes struck together is a major tenth (C3 to E4), in bar 1, beat 2" in found
    assert "1 of 2 stretches of notes struck together is wider than a fifth" in found
    assert "2 of 3 spans within one beat are wider than a fifth" in found


def test_unnamed_parts_are_ranked_by_their_widest_leap() -> None:
    song = song_of(
        line("Flute", "woodwind_flute", [(0, 72, 1), (1, 84, 1)]),
        line("Oboe", "woodwind_oboe", [(0, 60, 1), (1, 62, 1)]), line("Horn", "brass_horn", [(0, 60, 9)]),
    )
    found = answer(song, "leaps").text
    assert found.startswith("The widest leap is in Flute an octave (C5 to C6), bar 1, beat 2, 1 leap wider")
    assert "Then Oboe a major second (C4 to D4)" in found
    assert "ends after" in answer(song, "leaps", "Flute", bars=(8, 9)).text


def test_the_left_hand_is_the_lower_of_two_parts_of_a_piano() -> None:
    upper = line("Staff", "piano_grand", [(0, 72, 1), (1, 74, 1)])
    lower = replace(line("Staff", "piano_grand", [(0, 48, 1), (1, 64, 1)]), id=TrackId("lower-t"))
    song = song_of(upper, lower)
    found = answer(song, "leaps", words="stretches in the left hand wider than a fifth?").text
    assert found.startswith("Staff (track 2, the lower): the widest leap is a major tenth")
    both = answer(song, "leaps", words="the leaps of both hands").text
    assert both.startswith("The widest leap is in Staff (track 2, the lower)")


@pytest.mark.parametrize(("key", "said"), [
    ("C", "no sharps or flats"), ("Eb", "three flats in its signature: B♭, E♭ and A♭"), ("D minor", "one flat"),
    ("E minor", "one sharp in its signature: F♯"), ("Gb", "six flats"), ("C# major", "seven sharps"),
    ("F# minor", "three sharps"), ("D dorian", "no sharps or flats"), ("A harmonic_minor", "no sharps or flats"),
])
def test_the_signature_of_a_key_is_told(key: str, said: str) -> None:
    song = song_of(line("Flute", "woodwind_flute", [(0, 72, 1)]), key=key)
    assert said in answer(song, "accidentals").text


def test_the_first_accidental_is_told_with_its_place_and_part() -> None:
    song = song_of(
        line("Upper", "piano_grand", [(0, 70, 1), (4, 72, 1), (6, 69, 1)]),
        line("Lower", "piano_grand", [(0, 51, 4), (5, 47, 1)]), key="Eb",
    )
    found = answer(song, "accidentals")
    assert "The first accidental is B♮2 in bar 2, beat 2, in Lower." in found.text
    assert "2 of 5 notes lie outside the signature (B♮ 1× and A♮ 1×), in bar 2" in found.text
    assert "2 of 5 notes lie on black keys (E♭ 1× and B♭ 1×)" in found.text
    assert "No accidental beside it in bar 1" in answer(song, "accidentals", bars=(1, 1)).text


def test_white_keys_need_no_black_one() -> None:
    song = song_of(line("Piano", "piano_grand", [(0, 60, 1), (1, 64, 1)]))
    assert "No note needs a black key" in answer(song, "accidentals").text
    assert "one flat" in answer(Song(key=song_of(key="F").key), "accidentals").text


def test_the_quickest_notes_are_those_that_come_four_in_a_row() -> None:
    notes = [*[(at, 60 + at, 1) for at in range(4)], (1.9, 72, 0.1)]
    run = [(4 + at / 4, 60 + at, 0.2) for at in range(8)]
    flute = line("Flute", "woodwind_flute", [*notes, *run, (8, 60, 1)])
    found = answer(song_of(flute), "fastest", "Flute")
    assert "its quickest notes are sixteenths (semiquavers), about 8 a second, up to 8 notes in a row" in found.text
    assert "its fullest bar is 2, with 8" in found.text
    assert facts(found)["Flute fullest bar"] == 2
    slow = answer(song_of(flute), "fastest", "Flute", bars=(1, 1)).text
    assert "its quickest notes are quarter notes (crotchets)" in slow


def test_quick_notes_that_never_come_in_a_row_are_told_with_those_that_do() -> None:
    pairs = [(0, 60, 1), (1, 62, 0.5), (1.5, 64, 0.5), *[(at, 60 + at, 1) for at in range(2, 8)]]
    found = answer(song_of(line("Flute", "woodwind_flute", pairs)), "fastest", "Flute")
    assert "its quickest notes are eighths (quavers), never four in a row, in bar 1; those in a row are quarter" in (
        found.text
    )
    assert facts(found)["Flute quickest"] == "eighths"


def test_swung_sixteenths_are_no_triplets() -> None:
    swung = [(at / 2 + part, 60, 0.1) for at in range(16) for part in (0.0, 0.32)]
    found = answer(song_of(line("Flute", "woodwind_flute", swung)), "fastest", "Flute")
    assert "its quickest notes are sixteenths" in found.text


def test_drums_are_left_out_unless_they_are_asked_for() -> None:
    song = song_of(
        line("Drums", "kit_standard", [(at / 4, 42, 0.1) for at in range(16)]),
        line("Flute", "woodwind_flute", [(at, 72, 1) for at in range(4)]),
    )
    assert "Drums" not in answer(song, "fastest").text
    assert "Drums: its quickest notes are sixteenths" in answer(song, "fastest", "Drums").text
    assert "No two notes follow" in answer(song_of(line("Horn", "brass_horn", [(0, 60, 4)])), "fastest").text
    assert "empty" in answer(Song(), "fastest").text


def test_which_voice_asks_for_all_of_them() -> None:
    song = song_of(
        line("Soprano", "choir_aahs", [(0, 76, 1), (1, 77, 1)]), line("Bass", "choir_aahs", [(0, 48, 1), (1, 60, 1)]),
    )
    assert answer(song, "leaps", "Soprano", words="which voice has the widest leap?").text.startswith(
        "The widest leap is in Bass an octave"
    )
    assert answer(song, "leaps", "Soprano", words="which part of the soprano leaps?").text.startswith("Soprano: ")
