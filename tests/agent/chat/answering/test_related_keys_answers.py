"""Keys beside the song's are reckoned, and nothing is transposed by asking."""

from __future__ import annotations

import pytest
from chatting import context, language
from msgspec.structs import replace

from agent.chat.answer import Answer
from agent.chat.answering.questions import answer_question
from agent.chat.answering.related_keys import interval
from agent.chat.messages import Question
from agent.song.key import Key, Mode
from agent.song.song import Song


def asked(words: str, tonic: str = "E", mode: Mode = "minor") -> Answer:
    song = replace(Song(), key=Key(tonic, mode))
    return answer_question(Question("related_keys", words), context(song), language())


def facts(answer: Answer) -> dict[str, object]:
    return {fact.name: fact.value for fact in answer.facts}


@pytest.mark.parametrize(("words", "semitones"), [
    ("down a tone", -2), ("up a semitone", 1), ("a minor third lower", -3), ("up a major third", 4),
    ("three semitones higher", 3), ("drop it 2 semitones", -2), ("down a half step", -1), ("up a fourth", 5),
    ("what mixes with it", None), ("the third chorus", None),
])
def test_intervals_are_read_from_words(words: str, semitones: int | None) -> None:
    assert interval(words) == semitones


def test_a_tone_down_from_e_minor_is_d_minor() -> None:
    answer = asked("our singer wants it down a tone. what key's that then")
    assert facts(answer)["transposed key"] == "D minor"
    assert "Nothing is moved" in answer.text
    assert "D E F G A B♭ C" in answer.text


@pytest.mark.parametrize(("words", "written"), [
    ("what does a trumpet play?", "B minor"), ("what does the alto sax read?", "F# minor"),
    ("which key for a B flat instrument?", "B minor"), ("and an E♭ instrument?".replace("E♭", "Eb"), "F# minor"),
    ("what does the French horn read", "E minor"),
])
def test_transposing_instruments_read_another_key(words: str, written: str) -> None:
    assert facts(asked(words, "A"))["written key"] == written


def test_a_capo_lowers_the_shapes() -> None:
    assert facts(asked("with a capo on the second fret?"))["shapes"] == "D minor"


@pytest.mark.parametrize(("words", "tonic", "mode", "fret"), [
    ("what capo for D shapes?", "F", "major", 3), ("what capo if he will only play D family chords?", "F", "major", 3),
    ("capo for e minor chords", "G", "minor", 3), ("capo for Em shapes", "Bb", "major", 3),
    ("capo for c shapes", "C", "major", 0), ("capo for A shapes", "C", "minor", 3),
])
def test_the_capo_for_named_shapes_is_a_fret(words: str, tonic: str, mode: Mode, fret: int) -> None:
    assert facts(asked(words, tonic, mode))["fret"] == fret


def test_without_named_shapes_the_frets_for_open_chords_are_told() -> None:
    text = asked("where do I put a capo for this?", "F", "major").text
    assert "on fret 1 shapes of E major, on fret 3 shapes of D major and on fret 5 shapes of C major" in text


def test_keys_that_mix_are_the_neighbours_on_the_wheel() -> None:
    text = asked("this is 4A in camelot right? what mixes after it", "F").text
    assert text.startswith("F minor is 4A")
    assert "A♭ major (4B), which has the same notes" in text
    assert "B♭ minor (3A) and C minor (5A)" in text
    dorian = asked("what mixes", "D", "dorian").text
    assert "C major (8B)" in dorian or "C major" in dorian


def test_another_key_is_held_against_the_songs() -> None:
    assert facts(asked("the one before it is in A minor", "C"))["shared notes"] == 4
    assert "share all their notes" in asked("does it mix with E flat major", "C").text
    assert "only one note apart" in asked("does it mix with G minor", "C").text
