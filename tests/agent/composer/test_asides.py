"""Clauses that ask for nothing are neither carried out nor told, and take nothing from the orders beside them."""

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


@pytest.mark.parametrize(("text", "asked"), [
    ("My cousin can't keep up, make it slower", "make it slower"),
    ("we're trying this with the brass band on Sunday. Remove the drums", "remove the drums"),
    ("this is lovely and sleepy but make the drums louder", "make the drums louder"),
    ("remove the bass i dont like it", "remove the bass"),
    ("transpose it down 2 semitones - my voice has changed", "transpose it down 2 semitones"),
    ("He's got a cold so can you transpose it down 2 semitones", "transpose it down 2 semitones"),
    ("it's about my uncle's boat, make it darker if that makes sense", "make it darker"),
    ("make the drums louder (my brother plays them, he'd be proud)", "make the drums louder"),
    ("took me all night, honestly no idea why. Make the bass softer", "make the bass softer"),
    ("The bass is boring. Remove it", "remove the bass"),
])
def test_what_asks_for_nothing_is_neither_done_nor_told(lexicon, text, asked):
    assert orders(text, lexicon) == orders(asked, lexicon) != []
    assert read(text, lexicon, has_music=True).ignored == ()


@pytest.mark.parametrize(("text", "left"), [
    ("I'd like more cowbellification, and remove the bass", "cowbellification"),
    ("my singer wants it in a lydianish way. Remove the bass", "lydianish"),
    ("the drums are brushed. Remove the bass", "brushed"),
    ("we need a wibble at the end, remove the bass", "wibble"),
])
def test_a_wish_is_no_aside(lexicon, text, left):
    assert any(left in one for one in read(text, lexicon, has_music=True).ignored)


@pytest.mark.parametrize(("text", "said"), [
    ("the drums are way too loud", ["drums much quieter"]),
    ("the drums are too loud, turn them down a bit", ["drums a little quieter"]),
    ("the drums are too loud and the bass is too quiet", ["drums quieter", "bass louder"]),
    ("the drums r too loud n the bass too quiet", ["drums quieter", "bass louder"]),
    ("this is far too fast for them", ["slower: about 95 BPM"]),
    ("everybody says it's too fast. Slow it to 84", ["tempo: exactly 84 BPM"]),
    ("my brother thinks the bass is too loud", ["bass quieter"]),
])
def test_a_complaint_is_a_wish_unless_an_order_says_what_to_do(lexicon, text, said):
    assert [told(task, 112) for task in read(text, lexicon, has_music=True).tasks] == said


@pytest.mark.parametrize("text", [
    "a calm piano piece, my dog has died yesterday", "lofi beat - it's for my yoga class and they know me",
    "techno at 130, my mate is gonna sing so no melody", "a slow waltz for piano, it's about my grandmother's house",
])
def test_a_new_piece_tells_no_asides(lexicon, text):
    assert read(text, lexicon, has_music=False).ignored == ()


@pytest.mark.parametrize("text", [
    "the verse is empty its literally just drums", "the drums in bar 2 are way too stiff",
])
def test_how_things_are_is_no_order(lexicon, text):
    intent = read(text, lexicon, has_music=True)
    assert intent.tasks == ()
    assert intent.ignored


def test_what_a_new_piece_is_said_to_hold_is_no_aside(lexicon):
    assert read("a calm piano piece, there's a bell 7 times at the end", lexicon, has_music=False).ignored


@pytest.mark.parametrize(("text", "asked"), [
    ("keep the drums it's fire and the bass too", ["drums", "bass"]),
    ("leave the bass, it's great, and the drums too", ["bass", "drums"]),
])
def test_what_is_kept_too_is_kept_beside_a_word_of_praise(lexicon, text, asked):
    intent = read(text, lexicon, has_music=True)
    assert [wish.label for wish in intent.kept] == asked
    assert not intent.tasks


@pytest.mark.parametrize("text", [
    "It's lovely but a bit sad. Remove the bass", "it's great but a bit slow. Remove the bass",
])
def test_how_it_is_besides_is_told_and_not_done(lexicon, text):
    assert orders(text, lexicon) == orders("remove the bass", lexicon)
    assert read(text, lexicon, has_music=True).ignored


@pytest.mark.parametrize("text", [
    "remove the bass as they get very fidgety", "the bass is so annoying remove it",
    "remove the bass as nobody can play it", "can the bass go?",
])
def test_a_reason_without_a_sign_is_no_part_of_the_order(lexicon, text):
    assert orders(text, lexicon) == orders("remove the bass", lexicon)


def test_a_verb_before_a_part_that_is_out_says_something_else(lexicon):
    assert orders("the drums are way too busy thin them out", lexicon) == []
