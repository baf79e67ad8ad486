"""Where the energy rises and falls is told from notes, parts, velocity, level and register."""

from __future__ import annotations

import pytest
from chatting import context, language, part, section, small_song
from msgspec.structs import replace

from agent.chat.answer import Answer, BarsLink
from agent.chat.answering.questions import answer_question
from agent.chat.messages import About, Question
from agent.song.ids import SectionId
from agent.song.song import Song

NOTHING = About()


def asked(song: Song, about: About = NOTHING) -> Answer:
    return answer_question(Question("growth", "how does it build up?", about), context(song), language())


def facts(answer: Answer) -> dict[str, object]:
    return {fact.name: fact.value for fact in answer.facts}


def test_the_climax_and_the_greatest_rise() -> None:
    answer = asked(small_song())
    assert answer.text.startswith("The climax is Chorus (bars 5–6, from 0:10)")
    assert facts(answer)["climax bar"] == 5
    assert "greatest rise is into Chorus (bar 5, 0:10): Strings and Lead come in, 12 → 20 notes a bar" in answer.text
    assert "drop" not in answer.text
    assert BarsLink(5, 6) in answer.links


def test_a_drop_is_told_with_what_stops() -> None:
    low, high = small_song().tracks[:2], part("Lead", "lead_saw", [72, 74, 76, 77] * 4)
    answer = asked(replace(small_song(), tracks=(*low, high)))
    assert "The greatest drop is into Chorus (bar 5, 0:10): Lead stops, 12 → 8 notes a bar" in answer.text


def rising(velocities: tuple[int, int] = (60, 100), pitches: tuple[int, int] = (60, 72)) -> Song:
    """A section of four bars that one part plays at first softly and low."""
    tracks = tuple(
        part(name, "piano_grand", [pitch] * 8, start=start, velocity=velocity)
        for name, pitch, start, velocity in (("A", pitches[0], 0, velocities[0]), ("B", pitches[1], 8, velocities[1]))
    )
    return Song(sections=(section("Build", 1, 4), section("Drop", 5, 4)), tracks=tracks)


def test_what_grows_in_a_place_and_what_does_not() -> None:
    answer = asked(rising(), About(sections=(SectionId("Build1"),)))
    assert answer.text.startswith("Build grows from bar 1 (0:00–0:02) to bar 4 (0:06–0:08). What rises in it: ")
    assert "What rises in it: velocity 60 → 100; " in answer.text
    assert "level +8.9 dB; register (highest note C4 → C5); what stays: notes a bar 4 → 4; parts 1 → 1." in answer.text
    assert "Enters on the way: B in bar 3 (0:04)." in answer.text
    back = asked(rising((100, 60), (72, 60)), About(sections=(SectionId("Build1"),)))
    assert back.text.startswith("Build falls back from bar 1 (0:00–0:02) to bar 4 (0:06–0:08). Nothing rises in it; ")
    assert "what falls: velocity 100" in back.text


@pytest.mark.parametrize("about", [About(bars=(5, 5)), About(bars=(4, 4), moment=9.9)])
def test_a_moment_is_held_against_the_section_before(about: About) -> None:
    answer = asked(small_song(), about)
    assert answer.text.startswith("Bar 5 lies in Chorus, which begins in bar 5, 0:10: it is fuller and louder than")
    assert facts(answer)["notes a bar before"] == 12


def test_without_sections_four_bars_are_held_against_four() -> None:
    song = replace(small_song(), sections=())
    assert asked(song).text.startswith("The climax is bars 5–8 (from 0:10)")
    assert asked(song, About(bars=(5, 5))).text.startswith("From bar 5, 0:10: it is fuller and louder than the bars")


def test_a_section_is_also_held_against_the_one_before() -> None:
    answer = asked(small_song(), About(sections=(SectionId("Chorus5"),)))
    assert "Against Verse before it: Strings and Lead come in, 12 → 20 notes a bar" in answer.text
    assert "Against" not in asked(small_song(), About(sections=(SectionId("Intro1"),))).text


def test_named_parts_are_measured_alone() -> None:
    song = replace(small_song(), tracks=(
        *small_song().tracks[:4], part("Rhodes", "keys_tine", [60, 64, 67, 64] * 4, velocity=100),
    ))
    rhodes = asked(song, About(tracks=(song.tracks[4].id,)))
    assert rhodes.text.startswith("The climax is Intro")
    assert facts(rhodes)["notes a bar, Chorus"] == 0


def test_empty_songs_and_places_beyond_the_end() -> None:
    assert facts(asked(Song()))["notes"] == 0
    assert "after bar 8" in asked(small_song(), About(bars=(30, 40))).text
    assert "There is no coda" in asked(small_song(), About(absent_sections=("coda",))).text
    assert "after bar 4" in asked(rising(), About(sections=(SectionId("Drop5"),))).text
    late = Song(sections=(section("A", 1), section("B", 3)), tracks=(part("Piano", "piano_grand", [60], start=28),))
    assert asked(late, About(sections=(SectionId("A1"),))).text.startswith("Nothing is played in A.")
