"""Two places are the same only if every note is."""

from __future__ import annotations

import pytest
from chatting import part, section, small_song
from fact_songs import answer, facts
from msgspec.structs import replace

from agent.chat.messages import Topic
from agent.song.ids import SectionId
from agent.song.song import Song


def varied() -> Song:
    """The small song with another last note in its last bar: of 40 notes in each chorus one differs."""
    changed = part("Lead", "lead_saw", [72, 74, 76, 77] * 3 + [72, 74, 76, 79], start=16)
    tracks = tuple(changed if one.name == "Lead" else one for one in small_song().tracks)
    return replace(small_song(), tracks=tracks)


TOPICS: tuple[Topic, ...] = ("repeats", "compare_places")


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("words", [
    "is 7 to 8 note for note identical with 5 to 6?", "are bars 7-8 the same as bars 5–6?",
])
def test_yes_is_said_only_of_equal_notes(topic: Topic, words: str) -> None:
    same = answer(small_song(), topic, words=words, bars=(7, 8)).text
    assert same.startswith("Yes: bars 5–6 and bars 7–8 are the same note for note.")
    other = answer(varied(), topic, words=words, bars=(7, 8)).text
    assert other.startswith(
        "No: 95 % of the notes are equal; Lead differs, Drums, Bass, Strings and Rhodes are the same.")


def test_named_parts_alone_are_held_against_each_other() -> None:
    words = "is 7 to 8 identical with 5 to 6?"
    assert answer(varied(), "repeats", "Bass", words=words).text.startswith("Of Bass: Yes: bars 5–6 and bars 7–8 are")
    assert facts(answer(varied(), "repeats", "Lead", words=words)) == {"equal notes": "77%"}


def test_two_named_sections_are_the_same_or_not() -> None:
    wanted = [SectionId("Verse3"), SectionId("Chorus5")]
    text = answer(small_song(), "repeats", sections=wanted, words="is the chorus the same as the verse?").text
    assert text.startswith("No: 60 % of the notes are equal; Strings and Lead differ, Drums, Bass and Rhodes are")


def test_places_of_other_lengths_beyond_the_end_and_without_notes() -> None:
    text = answer(small_song(), "repeats", words="is 5 to 8 identical with 1 to 2?").text
    assert "the first is 2 bars long, the second 4 bars" in text
    beyond = answer(small_song(), "repeats", words="is 50 to 80 identical with 1 to 2?").text
    assert beyond == "The song has no bar 50: it ends after bar 8."
    empty = Song(sections=(section("A", 1), section("B", 3)), tracks=(part("Piano", "piano_grand", [60], start=28),))
    assert answer(empty, "repeats", words="is 1 to 2 identical with 3 to 4?").text.startswith("Nothing is played")


def test_sections_that_are_nearly_the_same_are_no_repetition() -> None:
    text = answer(replace(varied(), sections=varied().sections[2:]), "repeats").text
    assert text.startswith("No, none repeats another note for note. In part: Chorus (bars 7–8) repeats Chorus (bars 5–")
