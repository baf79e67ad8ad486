"""What the name of a file says of tempo and key, and what it does not say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.song.key import TONICS, Key
from app.services.files.names import hidden
from app.services.library.file_names import asked_key, read_name, same_key, tag_of, words_of


@pytest.mark.parametrize(("stem", "tempo", "key"), [
    ("Kick_loop_120bpm_F#min", 120, "F# minor"), ("bass 92.5 BPM Am", 92.5, "A minor"),
    ("BPM_140-Dm_lead", 140, "D minor"),
    ("pad_Ebmaj", None, "Eb major"), ("Strings C♯ minor", None, "C# minor"), ("90bpm_Bb_Major", 90, "Bb major"),
    ("01-Gbm-arp", None, "Gb minor"), ("Bm", None, "B minor"),
])  # fmt: skip
def test_conventions_are_read(stem: str, tempo: float | None, key: str) -> None:
    named = read_name(stem)
    assert (named.tempo, str(named.key)) == (tempo, key)


@pytest.mark.parametrize("stem", [
    "Where I Am", "A Major Hit", "Amen break", "120", "bpm", "5000bpm", "7bpm", "120bpm_and_90bpm", "Am_or_Dm", "Amin7",
    "E", "C", "Gmt", "2 min of noise", "boom", "F#", "120bpms", "xEm", "Hmoll",
])  # fmt: skip
def test_nothing_is_made_up(stem: str) -> None:
    named = read_name(stem)
    assert (named.tempo, named.key) == (None, None)


def test_a_word_that_may_be_a_key_is_one_where_a_tempo_stands() -> None:
    assert read_name("Where I Am 120bpm").key == Key("A", "minor")


@pytest.mark.parametrize(("text", "key"), [
    ("Am", Key("A", "minor")), ("a minor", Key("A", "minor")), ("F# min", Key("F#", "minor")), ("C", Key("C")),
    ("CM", Key("C")), ("gb major", Key("Gb")), ("D dorian", Key("D", "dorian")),
    ("E harmonic minor", Key("E", "harmonic_minor")), ("B♭", Key("Bb")), ("H", None), ("", None), ("A minor 7", None),
    ("minor", None),
])  # fmt: skip
def test_a_key_is_asked_for_as_a_person_writes_it(text: str, key: Key | None) -> None:
    assert asked_key(text) == key


@given(st.sampled_from(TONICS), st.sampled_from(["major", "minor", "dorian", "harmonic_minor"]))
def test_a_key_that_is_told_can_be_asked_for(tonic: str, mode: str) -> None:
    key = Key(tonic, mode)  # type: ignore[arg-type]
    assert asked_key(str(key)) == key


def test_keys_are_the_same_however_they_are_written() -> None:
    assert same_key(Key("F#", "minor"), Key("Gb", "minor"))
    assert not same_key(Key("C"), Key("A", "minor"))


def test_tags_are_the_words_of_names() -> None:
    assert words_of("Kick_Loop 01 (final)", "Drums", "80s Rock & Roll", "Drums") == (
        "kick", "loop", "final", "drums", "80s", "rock", "roll"
    )


@given(st.text(max_size=60))
def test_any_name_is_read_and_gives_clean_tags(text: str) -> None:
    named = read_name(text)
    assert len(named.rest) == len(text)
    for tag in (*words_of(named.rest), tag_of(text)):
        assert len(tag) <= 32
        assert not hidden(tag)
        assert tag == tag.casefold() or len(tag) == 32
