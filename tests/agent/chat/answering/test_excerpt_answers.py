"""Stretches to cut out are chosen by length and by what is counted in them."""

from __future__ import annotations

import pytest
from chatting import context, language, part, section, small_song
from msgspec.structs import replace

from agent.chat.answer import Answer
from agent.chat.answering.questions import answer_question
from agent.chat.messages import About, Question
from agent.song.ids import SectionId
from agent.song.song import Song


def asked(words: str, song: Song | None = None, about: About | None = None) -> Answer:
    told = context(small_song() if song is None else song)
    return answer_question(Question("excerpt", words, about or About()), told, language())


def facts(answer: Answer) -> dict[str, object]:
    return {fact.name: fact.value for fact in answer.facts}


def test_sections_of_that_length_are_named_the_fullest_first() -> None:
    answer = asked("need about 5 seconds, which bit?")
    assert answer.text.startswith("Chorus (bars 5–6): 0:10–0:15 (5.0 s), the fullest stretch of that length")
    assert "Verse (bars 3–4), 0:05–0:10 (5.0 s)" in answer.text
    assert (facts(answer)["start"], facts(answer)["end"]) == (10, 15)


def test_calm_bars_are_the_emptiest() -> None:
    answer = asked("which two bars are calm enough for a menu?")
    assert (facts(answer)["first bar"], facts(answer)["last bar"]) == (1, 2)
    assert "the calmest" in answer.text


def test_a_length_no_section_has_is_cut_from_the_bars() -> None:
    song = replace(small_song(), sections=(section("All", 1, 8),))
    answer = asked("a bit of 10 seconds", song)
    assert (facts(answer)["first bar"], facts(answer)["last bar"]) == (5, 8)


def test_a_chord_that_leads_back_to_the_beginning_is_told() -> None:
    turning = part("Piano", "piano_grand", [60, 64, 67, 64, 67, 71, 62, 71])
    staying = part("Strings", "strings_ensemble", [60, 64, 67, 64, 65, 69, 60, 69], start=8)
    song = Song(sections=(section("A", 1), section("B", 3)), tracks=(turning, staying))
    answer = asked("which section of 4 seconds ends on a chord that wants back to its start?", song)
    assert "A (bars 1–2) (from G back to C) turns back to the beginning" in answer.text
    assert "B (bars 3–4) (from" not in answer.text


def drums_until(bars: int) -> Song:
    return replace(small_song(), tracks=(
        part("Drums", "kit_standard", [36, 38] * (2 * bars)), *small_song().tracks[1:],
    ))


def drums_of(instrument: str) -> Song:
    """Four bars of drums on an instrument that the palette lacks."""
    drums, *others = drums_until(4).tracks
    return replace(drums_until(4), tracks=(replace(drums, instrument=instrument), *others))


def test_bars_without_drums_are_told_on_the_clock() -> None:
    answer = asked("is there a stretch of 5 seconds with no drums in it?", drums_until(4))
    assert answer.text.startswith("Without Drums: Chorus, bars 5–8, 0:10–0:20 (10.0 s).")
    assert facts(answer)["without drums"] == 4
    short = asked("is there a stretch of 12 seconds with no drums in it?", drums_until(4))
    assert short.text.startswith("None of that length: the longest without Drums is Chorus, bars 5–8")
    assert asked("any bit without drums?", drums_until(8)).text.startswith("None: Drums play in every bar.")


def test_other_percussion_in_bars_without_the_named_drums_is_told() -> None:
    shaker = part("Shaker", "kit_standard", [82] * 32)
    song = replace(drums_until(4), tracks=(*drums_until(4).tracks, shaker))
    answer = asked("a bit without drums", song, About(tracks=(song.tracks[0].id,)))
    assert answer.text.startswith("No bar is without any percussion. Without Drums: Chorus, bars 5–8, 0:10–0:20")
    assert "(but Shaker plays there)" in answer.text
    unknown = asked("a bit without drums", drums_of("drums_of_old"), About(tracks=(song.tracks[0].id,)))
    assert unknown.text.startswith("Without Drums: Chorus, bars 5–8")
    short = replace(drums_until(4), tracks=(*drums_until(4).tracks, part("Shaker", "kit_standard", [82] * 24)))
    free = asked("a bit without drums", short, About(tracks=(short.tracks[0].id,)))
    assert free.text.startswith("Without Drums and Shaker: Chorus, bars 7–8, 0:15–0:20 (5.0 s).")


def test_empty_songs_and_lengths_beyond_the_song() -> None:
    assert "nothing to cut out" in asked("which bit of 15 seconds?", Song()).text
    assert "The whole song is shorter" in asked("which bit of 90 seconds?").text
    named = asked("which 5 seconds of the verse?", about=About(sections=(SectionId("Verse3"),)))
    assert facts(named)["first bar"] == 3


@pytest.mark.parametrize("words", ["a calmer bit of 5 seconds", "a bit of 5 seconds I can talk over"])
def test_calm_comes_before_a_section_of_that_length(words: str) -> None:
    """The only section of five seconds is full; the calm bars are a part of a longer one."""
    song = replace(small_song(), sections=(section("Long", 1, 6), section("Loud", 7)))
    answer = asked(words, song, About(tracks=(song.tracks[2].id,)))
    assert answer.text.startswith("Long (bars 1–2): 0:00–0:05 (5.0 s), the calmest stretch of that length")
    assert "Strings rests there." in answer.text
    assert "Next: Loud (bars 7–8), 0:15–0:20 (5.0 s) and Long (bars 5–6), 0:10–0:15 (5.0 s)" in answer.text
