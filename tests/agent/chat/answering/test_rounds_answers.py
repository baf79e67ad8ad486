"""Rounds in a time and lengths at another tempo are reckoned from bars and tempo."""

from __future__ import annotations

import pytest
from chatting import context, language, small_song

from agent.chat.answer import Answer
from agent.chat.answering.asked import amounts
from agent.chat.answering.questions import answer_question
from agent.chat.messages import About, Question
from agent.song.ids import SectionId
from agent.song.song import Song

NOTHING = About()


def asked(words: str, about: About = NOTHING, song: Song | None = None) -> Answer:
    told = context(small_song() if song is None else song)
    return answer_question(Question("rounds", words, about), told, language())


def facts(answer: Answer) -> dict[str, object]:
    return {fact.name: fact.value for fact in answer.facts}


@pytest.mark.parametrize(("words", "found"), [
    ("timer is 5 min", ((300, "s"),)), ("exactly three minutes", ((180, "s"),)), ("~15 sec", ((15, "s"),)),
    ("one and a half minutes, slow", ((90, "s"),)), ("half a minute", ((30, "s"),)), ("2:30 long", ((150, "s"),)),
    ("which four bars", ((4, "bars"),)), ("1.5 hours", ((5400, "s"),)), ("no time at all", ()),
])
def test_amounts_are_read_from_words(words: str, found: tuple[tuple[float, str], ...]) -> None:
    assert amounts(words) == found


def test_whole_rounds_and_what_is_left() -> None:
    # eight bars at 96 BPM last 20 seconds
    answer = asked("the timer is 90 seconds, how many times does it come round?")
    assert (facts(answer)["rounds"], facts(answer)["exactly"]) == (4, 4.5)
    assert answer.text.startswith("4 times in full and 10.0 s of the next")


def test_too_short_a_time_is_not_once() -> None:
    assert asked("does it fit in 15 seconds?").text.startswith("Not once: the song lasts 20.0 s, which is 5.0 s more")


def test_a_section_goes_round_by_itself() -> None:
    answer = asked("how many times does the verse fit in a minute?", About(sections=(SectionId("Verse3"),)))
    assert facts(answer)["rounds"] == 12


@pytest.mark.parametrize(("words", "tempo", "seconds"), [
    ("At crotchet = 60 how long would it last?", 60, 32.0), ("how long at 192 bpm", 192, 10.0),
    ("how long at half the speed", 48, 40.0), ("and twice as fast?", 192, 10.0),
])
def test_the_length_at_another_tempo(words: str, tempo: float, seconds: float) -> None:
    answer = asked(words)
    assert (facts(answer)["tempo"], facts(answer)["duration"]) == (tempo, seconds)
    assert "The tempo is not changed." in answer.text


def test_without_a_time_the_round_itself_is_told() -> None:
    assert "lasts 20.0 s" in asked("how often does it come round?").text
    assert "empty" in asked("how often in 5 minutes?", song=Song()).text
