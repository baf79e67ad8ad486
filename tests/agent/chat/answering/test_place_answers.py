"""Where a place lies is told to the thousandth of a second, and in samples, frames and shares where they are asked
for."""

from __future__ import annotations

from chatting import context, language, small_song

from agent.chat.answer import Answer
from agent.chat.answering.questions import answer_question
from agent.chat.messages import About, Question
from agent.song.ids import SectionId
from agent.song.song import Song

VERSE = About(sections=(SectionId("Verse3"),))


def asked(words: str, about: About = VERSE, song: Song | None = None) -> Answer:
    return answer_question(Question("place", words, about), context(small_song() if song is None else song), language())


def facts(answer: Answer) -> dict[str, object]:
    return {fact.name: fact.value for fact in answer.facts}


def test_start_and_end_in_seconds_and_in_per_cent() -> None:
    answer = asked("where is the verse?")
    assert answer.text.startswith("Verse in bars 3–4 (2 bars, 0:05 long, from 0:05 on), as set in the song.")
    assert "That is 5.000 s to 10.000 s, 25.0 % to 50.0 % of the song by bars." in answer.text
    assert (facts(answer)["start"], facts(answer)["end"], facts(answer)["Verse"]) == (5.0, 10.0, "3-4")


def test_samples_at_the_rate_that_is_named() -> None:
    assert "at 48 kHz from sample 240,000 to 480,000, 240,000 samples long" in asked("loop points in samples?").text
    assert facts(asked("in samples at 44.1k?"))["start in samples"] == 220_500
    assert facts(asked("in samples at 96000 Hz?"))["start in samples"] == 480_000


def test_frames_milliseconds_and_two_places() -> None:
    assert "at 30 frames a second from 00:00:05:00 to 00:00:10:00" in asked("as timecode at 30 fps").text
    assert "5,000 ms to 10,000 ms" in asked("in milliseconds?").text
    both = asked("where are they?", About(sections=(SectionId("Intro1"), SectionId("Verse3"))))
    assert "Intro lasts from 0.000 s to 5.000 s" in both.text
    assert facts(both)["Verse start"] == 5.0


def test_the_golden_section_is_near_or_it_is_not() -> None:
    near = asked("is bar 6 near the golden section?", About(bars=(6, 6)))
    assert "lies in bar 5, after 4.9 bars: the beginning of bar 6 is very near it, 0.1 bars after" in near.text
    assert "is not near it, 2.9 bars before" in asked("is the verse at the golden section?").text


def test_a_time_is_told_with_what_begins_there() -> None:
    def at(seconds: float) -> Answer:
        about = About(bars=(1, 1), moment=seconds)
        return answer_question(Question("clock", "what is there?", about), context(small_song()), language())

    said = "Chorus begins at 0:10, Strings comes in at 0:10 and Lead comes in at 0:10."
    heard = "In that bar Drums, Bass, Strings, Lead and Rhodes sound, over C."
    assert at(10.4).text == f"At 0:10.4 it is in bar 5, beat 1, in Chorus. {heard} {said}"
    assert at(7.0).text.startswith("At 0:07 it is in bar 3, beat 4, in Verse.")
    assert at(6.7).text.startswith("At 0:06.7 it is in bar 3, beat 3, in Verse, just before beat 4.")
    far = "The nearest border of a section is the beginning of Chorus, bar 5 (0:10)."
    assert at(7.6).text.endswith(f"No section begins and no part comes in within a second. {far}")
    assert "the song is over" in at(60).text


def test_bars_beyond_the_end_and_songs_without_sections() -> None:
    assert asked("where is bar 30?", About(bars=(30, 30))).text.startswith("The song has no bar 30")
    assert "No sections are set" in asked("where is it?", About(), Song()).text
