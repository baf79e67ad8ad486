"""What people type in a chat is read as the plain words that it stands for, and stays underlined where it was typed."""

from __future__ import annotations

import pytest

from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.sentences import told
from agent.song import edits as e
from agent.song.apply import apply_all
from tests.agent.composer.doing import read


def orders(text, lexicon):
    return [told(task) for task in read(text, lexicon, has_music=True).tasks]


@pytest.fixture(scope="module")
def lexicon(bench, sample) -> Lexicon:
    return Lexicon(bench.words, bench.styles, bench.palette, sample)


@pytest.mark.parametrize(("typed", "plain"), [
    ("can u make the drums more loud n the bass less loud plsss", "make the drums louder and the bass less loud"),
    ("MAKE THE BASS LOUDERRR!!!", "make the bass louder"),
    ("ngl i need teh bass quieter tho", "I need the bass quieter"),
    ("make that the bass is sooo much softer pls", "make the bass much softer"),
    ("make it a lil slower lol", "make it a little slower"),
    ("make the bass louder lol and the drums quieter imo", "make the bass louder, and the drums quieter"),
    ("thx but can u make the drumz quieter", "make the drums quieter"),
])
def test_what_is_typed_asks_for_what_the_plain_words_ask(lexicon, typed, plain):
    assert orders(typed, lexicon) == orders(plain, lexicon) != []
    assert read(typed, lexicon, has_music=True).ignored == ()


def test_a_clause_stands_where_it_was_typed(lexicon):
    text = "plsss make teh bass sooo much louder lol n frobnicate teh drums"
    intent = read(text, lexicon, has_music=True)
    assert [(one.outcome, text[one.start : one.end]) for one in intent.clauses] == [
        ("understood", "make teh bass sooo much louder"), ("told", "frobnicate teh drums"),
    ]


def test_the_name_of_a_track_is_no_slip(bench, sample):
    lil = apply_all(sample, [e.UpdateTrack(track_id=sample.tracks[0].id, name="Lil")])
    lexicon = Lexicon(bench.words, bench.styles, bench.palette, lil)
    assert orders("make lil louder", lexicon) == ["Lil louder"]


@pytest.mark.parametrize("text", ["a bass that will well up", "were the drums ill", "a quite quiet piece"])
def test_a_word_that_exists_stays(lexicon, text):
    assert read(text, lexicon, has_music=True).read_as == ()


@pytest.mark.parametrize(("text", "goal"), [
    ("dark techno around 130, my mate raps on it so dont make the melody too busy", "compose"),
    ("something for a wedding. Make the ending soft", "compose"),
    ("make it darker, like techno", "change"), ("ok, make the song jazzier. sad please", "change"),
])
def test_without_a_song_the_main_clause_decides_what_is_wanted(lexicon, text, goal):
    assert read(text, lexicon, has_music=False).goal == goal
