"""Two places are compared by what is counted in each."""

from __future__ import annotations

from chatting import context, language, part, section, small_song
from msgspec.structs import replace

from agent.chat.answer import Answer, BarsLink
from agent.chat.answering.questions import answer_question
from agent.chat.messages import About, Question
from agent.song.ids import SectionId
from agent.song.song import Song

NOTHING = About()


def asked(song: Song, about: About = NOTHING, words: str = "what is the difference?") -> Answer:
    return answer_question(Question("compare_places", words, about), context(song), language())


def facts(answer: Answer) -> dict[str, object]:
    return {fact.name: fact.value for fact in answer.facts}


def both(*names: str) -> About:
    return About(sections=tuple(SectionId(name) for name in names))


def test_the_fuller_place_and_the_parts_that_make_it_so() -> None:
    answer = asked(small_song(), both("Verse3", "Chorus5"))
    assert answer.text.startswith("Chorus is fuller and louder")
    assert facts(answer)["Verse notes a bar"] == 12
    assert facts(answer)["Chorus notes a bar"] == 20
    assert "Strings and Lead play only in Chorus" in answer.text
    assert (facts(answer)["Verse parts"], facts(answer)["Chorus parts"]) == (3, 5)
    assert answer.links == (BarsLink(3, 4), BarsLink(5, 6))


def test_the_parts_of_each_place_are_listed_where_they_are_asked_for() -> None:
    answer = asked(small_song(), both("Verse3", "Chorus5"), "which tracks play in the verse vs the chorus?")
    assert "Playing in Verse: Drums, Bass and Rhodes; in Chorus: Drums, Bass, Strings, Lead and Rhodes." in answer.text
    assert "Playing in" not in asked(small_song(), both("Verse3", "Chorus5")).text


def test_equal_places_are_the_same_note_for_note() -> None:
    answer = asked(small_song(), both("Chorus5", "Chorus7"))
    assert "about equally full, and equally loud" in answer.text
    assert "the same note for note" in answer.text
    assert facts(answer)["equal notes"] == "100%"


def test_bars_that_are_equal_in_every_part_are_named() -> None:
    changed = part("Lead", "lead_saw", [72, 74, 76, 77] * 3 + [72, 74, 76, 79], start=16)
    song = replace(small_song(), tracks=(*small_song().tracks[:3], changed))
    answer = asked(song, both("Chorus5", "Chorus7"))
    assert "of Chorus (bars 7–8) bar 7 is in every part what Chorus (bars 5–6) has there" in answer.text


def test_one_named_section_stands_with_its_namesakes() -> None:
    answer = asked(small_song(), both("Chorus5"))
    assert answer.links == (BarsLink(5, 6), BarsLink(7, 8))


def test_a_place_without_a_namesake_stands_beside_what_comes_before() -> None:
    assert asked(small_song(), both("Verse3")).links == (BarsLink(1, 2), BarsLink(3, 4))
    assert asked(small_song(), both("Intro1")).links == (BarsLink(1, 2), BarsLink(3, 4))
    assert asked(small_song(), About(bars=(5, 6))).links == (BarsLink(3, 4), BarsLink(5, 6))


def test_without_a_place_all_sections_are_compared() -> None:
    answer = asked(small_song(), words="which section is the fullest?")
    assert len(answer.links) == 4
    assert asked(replace(small_song(), sections=())).text.startswith("Name two places")


def test_named_parts_are_compared_alone() -> None:
    bass = small_song().tracks[1].id
    answer = asked(small_song(), replace(both("Verse3", "Chorus5"), tracks=(bass,)), "is the bass the same?")
    assert answer.text.startswith("Of Bass: Yes: Verse and Chorus are the same note for note. Verse and ")
    assert "the same note for note" in answer.text
    assert facts(answer)["Chorus parts"] == 1


def test_the_words_may_name_a_second_range_of_bars() -> None:
    answer = asked(small_song(), About(bars=(5, 5)), "is bar 5 fuller than bar 1?")
    assert (facts(answer)["bar 1 notes a bar"], facts(answer)["bar 5 notes a bar"]) == (12, 20)


def test_a_bar_moved_down_a_step_is_the_same_a_step_lower() -> None:
    tune = part("Tune", "piano_grand", [72, 76, 79, 77, 71, 74, 77, 76])
    answer = asked(Song(tracks=(tune,)), About(bars=(2, 2)), "is bar 2 bar 1 a step down?")
    assert "Tune is there the same a step lower" in answer.text


def test_more_than_two_places_are_ranked() -> None:
    answer = asked(small_song(), both("Intro1", "Verse3", "Chorus5"))
    assert answer.text.startswith("Chorus is fullest")
    assert "All are 2 bars long." in answer.text
    assert "Verse shares 100% of its notes with Intro" in answer.text


def test_chords_that_part_company_are_named() -> None:
    song = Song(
        sections=(section("A", 1), section("B", 3)),
        tracks=(part("Piano", "piano_grand", [60, 64, 67, 64, 65, 69, 72, 69, 60, 64, 67, 64, 67, 71, 74, 71]),),
    )
    assert "The chords first differ in bar 4 (G) against bar 2 (F)." in asked(song, both("A1", "B3")).text


def test_places_that_the_song_lacks_and_empty_songs() -> None:
    assert "Name two places" in asked(Song()).text
    assert "There is no coda" in asked(small_song(), About(absent_sections=("coda",))).text
    beyond = asked(small_song(), About(bars=(20, 30)), "is bars 20-30 fuller than bars 40-50?")
    assert "Name two places" in beyond.text
    silent = Song(sections=(section("A", 1), section("B", 3)), tracks=(part("Piano", "piano_grand", [60], start=28),))
    assert asked(silent, both("A1", "B3")).text.startswith("Nothing is played in A and B.")
