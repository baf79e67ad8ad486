"""A question for a judgement is answered with what can be measured, and the judgement is left to the person."""

from __future__ import annotations

from chatting import context, language, part, small_song
from msgspec.structs import replace

from agent.chat.answer import Answer
from agent.chat.answering.questions import answer_question
from agent.chat.messages import About, Question
from agent.song.key import Key
from agent.song.song import Song
from agent.song.time import TempoChange, Ticks


def asked(words: str, song: Song | None = None, about: About | None = None) -> Answer:
    told = context(small_song() if song is None else song)
    return answer_question(Question("character", words, about or About()), told, language())


def facts(answer: Answer) -> dict[str, object]:
    return {fact.name: fact.value for fact in answer.facts}


def minor() -> Song:
    return Song(key=Key("A", "minor"), tracks=(part("Piano", "piano_grand", [57, 60, 64, 60, 57, 59, 60, 64] * 4),))


def test_mood_goes_by_the_mode_and_the_touch() -> None:
    assert facts(asked("is it sad or hopeful?", minor()))["minor"] is True
    assert "serious or dark side: A minor" in asked("is it sad or hopeful?", minor()).text
    major = asked("is it sad or hopeful?")
    assert "bright or hopeful" in major.text
    assert "for ears to decide" in major.text


def test_the_tempo_is_held_against_the_style() -> None:
    fast = replace(small_song(), tempos=(TempoChange(Ticks(0), 180.0),))
    bossa = About(styles=("bossa_nova",))
    assert "is faster than is usual for Bossa nova (112–142 BPM" in asked("too fast for a bossa?", fast, bossa).text
    brisk = replace(small_song(), tempos=(TempoChange(Ticks(0), 140.0),))
    said = asked("too fast for a bossa?", brisk, bossa).text
    assert "140 BPM is on the brisk side of what is usual" in said
    assert "in half time it is felt as 70" in said
    slow = asked("too fast for a bossa?", about=bossa)
    assert "96 BPM is slower than is usual" in slow.text
    assert "moderate by the metronome" in asked("is it fast?").text


def test_sameness_is_the_share_of_bars_that_repeat() -> None:
    answer = asked("isn't it boring?", about=About(tracks=(small_song().tracks[1].id,)))
    assert answer.text.startswith("Of Bass: 7 of its 8 bars (88%) repeat an earlier one note for note, with 4 notes a")
    assert facts(answer)["bars that repeat"] == 7
    assert "sounds worn" in asked("is it cheesy or have I heard it 200 times?").text


def test_parts_are_set_side_by_side() -> None:
    bass, lead = small_song().tracks[1].id, small_song().tracks[3].id
    answer = asked("bass or lead, which one would people hum?", about=About(tracks=(bass, lead)))
    assert "Bass plays 32 notes in 8 bars, of which 88% repeat; Lead plays 16 notes in 4 bars" in answer.text


def test_an_empty_song_has_no_character() -> None:
    assert asked("is it any good?", Song()).text.endswith("There is nothing to judge: no note sounds there.")
