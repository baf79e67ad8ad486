"""Answers about where something begins, rests or peaks tell the time on the clock, and how long parts play on."""

from __future__ import annotations

import pytest
from chatting import small_song
from fact_songs import answer, facts, line, song_of

from agent.chat.messages import Topic
from agent.song.ids import SectionId
from agent.song.song import Section
from agent.song.time import to_ticks


def test_entrances_and_rests_are_told_on_the_clock_the_first_to_enter_first() -> None:
    told = answer(small_song(), "entrance", "Strings").text
    assert told.startswith("Strings comes in at bar 5 (0:10) and plays in bars 5–8 (0:10–0:20).")
    assert "Strings rests in bars 1–4 (0:00–0:10), and comes in at bar 5 (0:10)" in answer(
        small_song(), "rests", "Strings").text
    late = song_of(line("Late", "piano_grand", [(8, 60, 1)]), line("Early", "piano_grand", [(0, 60, 1)]))
    assert answer(late, "entrance").text.startswith("Early comes in at bar 1 (0:00)")


def test_a_part_without_a_rest_tells_how_much_it_plays() -> None:
    assert answer(small_song(), "rests", "Bass").text.startswith(
        "Bass has no bar of rest: it plays in all 8 bars, bars 1–8 (0:00–0:20).")
    assert "it plays in bar 2 (0:02–0:05)" in answer(small_song(), "rests", "Bass", bars=(2, 2)).text


def test_the_busiest_section_is_told_on_the_clock() -> None:
    assert answer(small_song(), "busiest", words="when is it busiest?").text.startswith(
        "Chorus, bars 5–6 (0:10–0:15): 5 parts")


def test_without_sections_the_busiest_bars_are_told() -> None:
    song = song_of(line("Flute", "woodwind_flute", [(0, 72, 1), *[(16 + at / 2, 72, 0.5) for at in range(32)]]))
    assert answer(song, "busiest").text.startswith("Bars 5–8 (0:08–0:16): 1 part, 8 notes a bar.")


TOPICS: tuple[Topic, ...] = ("growth", "busiest")


@pytest.mark.parametrize("words", ["what's the single most dramatic second?", "at which point is it biggest?"])
def test_one_moment_is_told_by_its_time_first(words: str) -> None:
    for topic in TOPICS:
        told = answer(small_song(), topic, words=words).text
        assert told.startswith("At 0:10, the beginning of bar 5: there the climax, Chorus (bars 5–6), begins")


HUMAN = [(7.99, 60, 1), (9, 62, 1), (10, 64, 1.0), (11, 65, 1.01)]


def test_a_note_a_hair_before_the_bar_line_belongs_to_the_bar_behind_it() -> None:
    song = song_of(line("Flute", "woodwind_flute", HUMAN), line("Bass", "bass_finger", [(0, 36, 16)]))
    assert facts(answer(song, "entrance", "Flute")) == {"Flute enters": 3, "Flute plays": 1}
    assert "rests in bars 1–2 (0:00–0:04) and bar 4 (0:06–0:08)" in answer(song, "rests", "Flute").text
    early = song_of(line("Flute", "woodwind_flute", [(7.75, 60, 1)]))
    assert facts(answer(early, "entrance", "Flute"))["Flute enters"] == 2


@pytest.mark.parametrize("words", [
    "what's the longest run without a gap?", "how long does it go without a breath", "longest stretch to breathe in?",
])
def test_the_longest_run_without_a_rest_is_told_in_bars_and_seconds(words: str) -> None:
    """Two runs of four and six beats at 120: a gap of a quarter of a beat is none, one of a beat is."""
    song = song_of(line("Flute", "woodwind_flute", [
        *[(at, 72, 1) for at in range(4)], *[(8 + at, 72, 0.75) for at in range(6)],
    ]))
    told = answer(song, "rests", "Flute", words=words)
    assert told.text.startswith(
        "Flute plays on without a rest of an eighth for 2.9 s at most, in bars 3–4 (0:04–0:08).")
    assert facts(told) == {"Flute longest run": 2.9, "Flute longest run from": 3}
    assert facts(answer(song, "rests", "Flute", bars=(1, 2), words=words))["Flute longest run from"] == 1


def test_of_silence_the_rests_are_told() -> None:
    assert "rests in" in answer(small_song(), "rests", "Lead", words="longest stretch it is silent?").text


def test_drums_play_on_until_a_bar_is_silent() -> None:
    hits = [(at, 36, 0.1) for at in (*range(0, 8, 2), 16, 18)]
    told = answer(song_of(line("Drums", "kit_standard", hits)), "rests", "Drums", words="longest unbroken run?").text
    assert "without a bar of silence for 3.0 s at most, in bars 1–2 (0:00–0:04)" in told


def test_notes_a_second_are_told_where_they_are_asked_for() -> None:
    """16 notes in 8 s at 120: 2 a second; in the second of two sections 8 in 4 s."""
    song = song_of(line("Flute", "woodwind_flute", [(at, 72, 1) for at in range(16)]), sections=[
        Section(SectionId("a"), "A", to_ticks(0), to_ticks(8)), Section(SectionId("b"), "B", to_ticks(8), to_ticks(8)),
    ])
    told = answer(song, "notes", "Flute", words="how many notes in the second does it have?")
    assert "That is 4 a bar and 2 a second." in told.text
    assert facts(told)["notes a second"] == 2
    assert facts(answer(song, "notes", sections=[SectionId("b")], words="notes per second?"))["notes a second"] == 2
    assert "a second" not in answer(song, "notes", "Flute", words="how many notes?").text


@pytest.mark.parametrize("words", [
    "which note does it sit on most?", "which note comes most often", "what's its most common note",
])
def test_the_notes_that_come_most_are_counted(words: str) -> None:
    song = song_of(line("Flute", "woodwind_flute", [
        (0, 72, 1), (1, 70, 1), (2, 72, 1), (3, 72, 1), (4, 70, 1), (5, 67, 8)]), key="Eb")
    told = answer(song, "notes", "Flute", words=words)
    assert told.text.startswith(
        "Flute plays C5 most, 3 of 6 notes, then B♭4 2× and G4 1×; longest in all it is on G4, 62 %")
    assert facts(told) == {"Flute most": "C5", "Flute C5": 3}


def test_of_drums_the_piece_that_is_struck_most_is_named() -> None:
    song = song_of(line("Drums", "kit_standard", [(0, 36, 1), (1, 38, 1), (2, 36, 1), (3, 42, 1)]))
    assert answer(song, "notes", "Drums", words="which note is used most?").text.startswith(
        "Drums plays the kick most, 2 of 4 notes")
    assert "most notes" not in answer(song, "notes", words="which has the most notes?").text


@pytest.mark.parametrize("words", ["loudest point?", "where is it at its loudest", "which bar is the loudest"])
def test_the_loudest_point_is_a_place(words: str) -> None:
    notes = [(at, 72, 1, 120 if at == 9 else 60) for at in range(16)]
    song = song_of(line("Flute", "woodwind_flute", notes), sections=[
        Section(SectionId("a"), "A", to_ticks(0), to_ticks(8)), Section(SectionId("b"), "B", to_ticks(8), to_ticks(8)),
    ])
    told = answer(song, "loudness", words=words)
    assert told.text.startswith("At 0:04, in bar 3 in B, the song is loudest")
    assert "From loudest on: B, bars 3–4 (0:04–0:08), " in told.text
    assert facts(told)["loudest bar"] == 3
    soft = answer(song, "loudness", "Flute", words="at which point is the flute quietest?").text
    assert soft.startswith("At 0:00, in bar 1 in A, Flute is softest")


def test_a_section_is_no_missing_part_where_the_loudest_is_asked_for() -> None:
    told = answer(small_song(), "loudness", words="which section is the loudest?", absent=["section"]).text
    assert told.startswith("At 0:10, in bar 5 in Chorus, the song is loudest")
    assert "there is no harp" in answer(small_song(), "loudness", words="how loud is the harp?", absent=["harp"]).text


def test_which_part_is_loudest_is_no_question_of_a_place() -> None:
    assert "From loudest to softest" in answer(small_song(), "loudness", words="which part is loudest?").text


def test_a_song_kicks_in_where_it_rises_most() -> None:
    told = answer(small_song(), "entrance", words="how long till it properly kicks in?").text
    assert told.startswith("At 0:10, the beginning of bar 5: there it rises most. The climax is Chorus")
    mistaken = answer(small_song(), "entrance", words="how long till it kicks in?", absent=["kicks"])
    assert mistaken.text.startswith("At 0:10")
    assert answer(small_song(), "entrance", "Strings", words="when do the strings kick in?").text.startswith("Strings")
