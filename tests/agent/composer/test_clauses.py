"""Every word of a request is owned by what it led to, or told; nothing is done on a noun alone."""

from __future__ import annotations

import pytest

from agent.composer.understanding.lexicon import Lexicon
from agent.song.song import Song
from tests.agent.composer.doing import read


@pytest.fixture(scope="module")
def lexicon(bench) -> Lexicon:
    return Lexicon(bench.words, bench.styles, bench.palette, Song())


def told(text: str, lexicon: Lexicon, *, has_music: bool = True) -> list[str]:
    return [one.text for one in read(text, lexicon, has_music=has_music).clauses if one.outcome == "told"]


@pytest.mark.parametrize("text", [
    "sidechainify the pads under the kick", "frobnicate the drums", "the drums unlike the bass louder",
    "make the drums not louder than the bass", "defenestrate the strings in the chorus, please",
])
def test_a_clause_whose_verb_or_limit_is_strange_is_told_and_not_done(lexicon, text):
    intent = read(text, lexicon, has_music=True)
    assert intent.tasks == ()
    assert {one.outcome for one in intent.clauses} == {"told"}


@pytest.mark.parametrize(("text", "left"), [
    ("make the drums louder and crunchadelic", ["crunchadelic"]),
    ("add a screaming distorted guitar in the chorus", ["screaming"]),
    ("make the bass quieter, and wibble the strings", ["wibble the strings"]),
    ("please make the drums a bit louder in the chorus, thanks", []),
    ("I'd like you to take the drums out of the intro", []),
    ("make the chorus darker; keep the bass", []),
])
def test_what_was_understood_is_done_and_the_rest_is_told_in_its_own_words(lexicon, text, left):
    intent = read(text, lexicon, has_music=True)
    assert intent.tasks
    assert told(text, lexicon) == left
    assert list(intent.ignored) == left


@pytest.mark.parametrize(("text", "left"), [
    ("a calm piano piece at 80 bpm in D minor, 24 bars, no drums", []),
    ("a lofi beat that sounds like wet cardboard", ["wet cardboard"]),
    ("write me a techno track, 32 bars, for my gymnastics show", []),
])
def test_a_new_piece_tells_what_it_made_nothing_of(lexicon, text, left):
    assert told(text, lexicon, has_music=False) == left


@pytest.mark.parametrize("text", [
    "  make the drums louder,  and frobnicate – the “bass”  ", "louder drums\n- add a flute\n- wibble",
])
def test_clauses_stand_where_their_words_stand(lexicon, text):
    for one in read(text, lexicon, has_music=True).clauses:
        assert text[one.start : one.end] == one.text
        assert one.text == one.text.strip()


def test_a_plan_holds_every_clause_with_its_rows(bench, sample):
    draft = bench.draft("remove the drums, add strings and frobnicate", sample)
    assert [(one.text, one.outcome, one.removes) for one in draft.clauses] == [
        ("remove the drums", "done", True), ("add strings", "done", False), ("frobnicate", "told", False),
    ]
    rows = {step.id for step in draft.steps}
    assert all(set(one.steps) <= rows for one in draft.clauses)
    assert draft.clauses[0].steps
    assert draft.clauses[2].reason == "I do not know “frobnicate”"


@pytest.mark.parametrize(("text", "read_as"), [
    ("a waltz for a string quarter", ()), ("a sad country song", ()), ("a singing sampled lead", ()),
    ("add a meldoy and make the drumms louder", (("meldoy", "melody"), ("drumms", "drums"))),
])
def test_no_word_that_exists_is_taken_for_a_slip(lexicon, text, read_as):
    assert read(text, lexicon, has_music=True).read_as == read_as


def test_a_style_that_nobody_writes_is_named_and_asked_about(bench):
    question = bench.question("a sad flamenco song in G, 24 bars")
    assert question.text.startswith("I cannot write flamenco yet.")
    assert 2 <= len(question.choices) <= 3
    for choice in question.choices:
        assert "flamenco" not in choice.request
        assert choice.request.startswith("a sad ")
        assert bench.draft(choice.request).steps


@pytest.mark.parametrize(("text", "left"), [
    ("a lofi piece, nothing flamenco", []), ("pop with a flamenco feel", ["flamenco"]),
])
def test_beside_a_style_such_a_word_is_told_unless_it_is_refused(lexicon, text, left):
    assert told(text, lexicon, has_music=False) == left


def test_every_genre_leads_to_styles_that_exist(bench):
    names = {style.name for style in bench.styles.styles}
    words = [word for genre in bench.words.genres for word in genre.words]
    assert len(set(words)) == len(words)
    for genre in bench.words.genres:
        assert set(genre.near) <= names, genre.name
        assert genre.tempo[0] < genre.tempo[1]


def test_a_new_piece_is_finished_as_asked_once_it_is_there(bench):
    plain, draft = bench.draft("techno, 8 bars"), bench.draft("techno, 8 bars, and double the melody in octaves")
    assert "melody doubled" in draft.understood
    assert draft.ignored == ()
    assert draft.steps[: len(plain.steps)] == plain.steps
    assert any(step.tool == "create_track" for step in draft.steps[len(plain.steps) :])


def test_what_cannot_be_done_to_a_new_piece_is_told_with_the_reason(bench):
    draft = bench.draft("a calm lofi beat, 8 bars, with the bass an octave lower")
    if "bass an octave down" in draft.understood:
        return
    [told_one] = [one for one in draft.clauses if one.outcome == "told"]
    assert told_one.text == "with the bass an octave lower"
    assert told_one.reason
    assert draft.ignored


def test_what_is_to_stay_is_told_to_be_untouched(bench, sample):
    clauses = bench.draft("make it darker, the tempo should not change and leave the drums alone", sample).clauses
    told = {clause.text: clause.reason for clause in clauses if clause.outcome == "done" and not clause.steps}
    assert told == dict.fromkeys(told, "nothing in this plan touches it")
    assert len(told) == 2
