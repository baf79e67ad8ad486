"""What hangs on words that were not understood is told with them, and "it" is the part that was named last."""

from __future__ import annotations

import pytest

from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.sentences import told
from tests.agent.composer.doing import read


@pytest.fixture(scope="module")
def lexicon(bench, sample) -> Lexicon:
    return Lexicon(bench.words, bench.styles, bench.palette, sample)


def orders(text, lexicon):
    return [told(task) for task in read(text, lexicon, has_music=True).tasks]


@pytest.mark.parametrize("text", [
    "Synth bass instead of the wobbly one, and take it down an octave",
    "put a wobblotron on the side, and make it loud",
    "stick a glissotron on top, then pan it left",
])
def test_what_is_said_of_something_that_was_not_understood_is_told_with_it(lexicon, text):
    intent = read(text, lexicon, has_music=True)
    assert intent.tasks == ()
    assert {one.outcome for one in intent.clauses} == {"told"}


def test_it_is_the_one_part_that_a_told_clause_names(lexicon):
    assert orders("wobblify the drums, and make them louder", lexicon) == ["drums louder"]


def test_it_is_what_was_added_whatever_that_follows(lexicon):
    said = "add an arp, following whatever the bass is playing, some delay on it"
    assert orders(said, lexicon) == ["add arpeggio", "more echo on arpeggio"]


@pytest.mark.parametrize("text", [
    "put what the bass zorps onto the drums, blorp the lead, and remove it",
    "the bass bloke left so put his licks onto the chords, same track as the lead now, and get rid of his track",
])
def test_nobody_is_taken_out_as_it_or_his_behind_several_that_were_not_understood(lexicon, text):
    assert orders(text, lexicon) == []


def test_what_was_named_alone_is_taken_out_as_it(lexicon):
    assert orders("wobblify the lead, and remove it", lexicon) == ["without melody"]


@pytest.mark.parametrize("text", [
    "If there is a note of the bass that is lower, then take it an octave up",
    "in case any note is too high, take the lead an octave down",
    "if the bass covers the drums, turn it down",
])
def test_what_follows_from_a_strange_condition_is_not_done(lexicon, text):
    assert orders(text, lexicon) == []


@pytest.mark.parametrize("text", ["if you have time, make the drums louder", "make the drums louder, if you can"])
def test_a_polite_condition_is_none(lexicon, text):
    assert orders(text, lexicon) == ["drums louder"]


def test_a_beat_behind_a_drum_ends_the_list_before_it(lexicon):
    said = orders("808 instead of that bass, snare on the 3", lexicon)
    assert len(said) == 1
    assert said[0].startswith("808 instead of bass")


def test_a_note_value_is_no_interval(lexicon):
    assert not any("semitone" in one for one in orders("double the lead in 16ths", lexicon))
