"""Whether parts double each other, and whether a part falls on the kick."""

from __future__ import annotations

from fact_songs import answer, facts, line, song_of

from agent.chat.answer import BarsLink
from agent.song.song import Song

TUNE = [(0, 60, 1), (1, 64, 1), (2, 67, 2), (4, 65, 4)]


def test_a_copy_is_told_as_one_and_an_octave_as_doubling() -> None:
    octave = [(start, pitch + 12, lasts) for start, pitch, lasts in TUNE]
    song = song_of(
        line("Left", "guitar_steel", TUNE), line("Right", "guitar_steel", TUNE),
        line("Flute", "woodwind_flute", octave),
    )
    copy = answer(song, "doubles", "Left", "Right")
    assert copy.text.startswith("Yes: Right plays note for note what Left plays, 4 notes.")
    above = answer(song, "doubles", "Left", "Flute")
    assert above.text.startswith("Not note for note the same, but doubled nearly throughout")
    assert "They strike together 4 times, all of the attacks of Left and all of Flute" in above.text
    assert "of these 4 on the same notes in other octaves; they double in bars 1–2." in above.text
    assert BarsLink(1, 2) in above.links


def test_parts_that_differ_are_told_with_where_each_plays() -> None:
    song = song_of(
        line("Brass", "brass_section", TUNE), line("Strings", "strings_ensemble", [(4, 69, 4), (8, 72, 4)]),
    )
    found = answer(song, "doubles", "Brass", "Strings")
    assert "and hardly ever doubled: Brass has 4 notes, Strings 2." in found.text
    assert "They strike together 1 time" in found.text
    assert "never with a note in common" in found.text
    assert "Both play in bar 2; only Brass in bar 1; only Strings in bar 3." in found.text
    assert facts(found)["Brass and Strings doubled"] == 0


def test_parts_that_take_turns_are_told_so() -> None:
    song = song_of(line("Organ", "organ_drawbar", [(0, 60, 4)]), line("Pipe", "organ_church", [(4, 60, 4)]))
    assert "They never play in the same bar: Organ in bar 1, Pipe in bar 2." in (
        answer(song, "doubles", "Organ", "Pipe").text
    )
    why = answer(song, "doubles", "Organ", "Pipe", words="why are there two organs?").text
    assert why.endswith("Why there are both I cannot know; this is what they do.")
    assert "Why" not in answer(song, "doubles", "Organ", "Pipe", words="do the organs play at once?").text
    assert "No: Pipe is silent in bar 1, so nothing is doubled" in (
        answer(song, "doubles", "Organ", "Pipe", bars=(1, 1)).text
    )


def test_without_two_names_the_parts_that_double_most_are_found() -> None:
    song = song_of(
        line("Oboe", "woodwind_oboe", TUNE), line("Flute", "woodwind_flute", TUNE),
        line("Bass", "bass_finger", [(0.5, 36, 1), (2.5, 38, 1)]), line("Drums", "kit_standard", [(0, 60, 1)]),
    )
    assert answer(song, "doubles").text.startswith("Yes: Oboe and Flute (4 of 4 common attacks are on the same notes")
    assert answer(song, "doubles", "Flute").text.startswith("Yes: Flute plays note for note what Oboe plays")
    assert answer(song, "doubles", "Bass").text.startswith("No: Bass doubles no other part.")


def band(bass: list[tuple[float, int, float]]) -> Song:
    kicks = [(at, 36, 0.1) for at in range(8)]
    return song_of(line("Drums", "kit_standard", kicks), line("Bass", "bass_finger", bass))


def test_a_bass_on_the_kick_is_told_from_one_between() -> None:
    on = answer(band([(at, 36, 0.5) for at in range(8)]), "doubles", "Bass", words="does the bass hit with the kick?")
    assert on.text.startswith("Bass lands on the kick: all of its 8 attacks fall together with a kick.")
    assert "It plays only quarter notes." in on.text
    assert "sidechain to make room" in on.text
    between = answer(band([(at + 0.5, 36, 0.4) for at in range(8)]), "doubles", "Bass", "Drums")
    assert between.text.startswith("Bass plays between the kicks: none of its 8 attacks fall")
    assert "a sidechain has little to do" in between.text


def test_a_note_that_rings_through_a_kick_is_counted() -> None:
    found = answer(band([(0.5, 36, 4), (4, 40, 0.5)]), "doubles", words="kick and bass?")
    assert facts(found) == {"kicks": 8, "Bass with the kick": 0.5, "kicks with Bass": 0.12, "kicks through Bass": 3}
    assert "through 3 more it still rings" in found.text
    late = answer(band([(0.5, 36, 2), (4, 36, 0.5)]), "doubles", "Bass", words="kick?", bars=(2, 2))
    assert facts(late)["kicks"] == 4


def test_what_is_not_there_is_told() -> None:
    lone = song_of(line("Bass", "bass_finger", TUNE))
    assert "It takes two parts" in answer(lone, "doubles").text
    assert "no kick" in answer(lone, "doubles", "Bass", words="on the kick?").text
    assert "ends after bar 2" in answer(lone, "doubles", "Bass", bars=(9, 9)).text
    assert "there is no tuba" in answer(lone, "doubles", absent=("tuba",)).text
    assert "empty" in answer(Song(), "doubles").text
