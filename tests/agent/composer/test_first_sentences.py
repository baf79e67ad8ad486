"""What strangers say of a new piece: likeness, longer names, numbers and keys, players, and what is told of it."""

from __future__ import annotations

import pytest

from agent.composer.understanding.intent import Intent
from agent.composer.understanding.lexicon import Lexicon
from agent.song.song import Song
from tests.agent.composer import doing


@pytest.fixture(scope="module")
def lexicon(bench) -> Lexicon:
    return Lexicon(bench.words, bench.styles, bench.palette, Song())


def read(text: str, lexicon: Lexicon) -> Intent:
    return doing.read(text, lexicon, has_music=False)


def told(text: str, lexicon: Lexicon) -> list[str]:
    return [clause.text for clause in read(text, lexicon).clauses if clause.outcome == "told"]


@pytest.mark.parametrize(("text", "style"), [
    ("something funk-esque with clavinet", "funk"), ("a techno-y thing for the catwalk, 132", "techno"),
    ("a reggae-style groove", "reggae"), ("dubstep-ish, 140", "dubstep"), ("a soul-y tune with horns", "soul"),
])
def test_an_ending_of_likeness_reaches_the_word_it_qualifies(lexicon, text, style):
    assert read(text, lexicon).style == style


@pytest.mark.parametrize("text", [
    "a piano piece for my dance teacher", "flute music for a house party", "harp for the drill sergeant",
    "piano for my rap about cheese", "a dance for two recorders", "tense strings for a chess club",
])
def test_a_word_in_a_longer_name_chooses_no_style(lexicon, text):
    assert not read(text, lexicon).style


@pytest.mark.parametrize(("text", "tonic", "mode"), [
    ("a piano piece in A minor, only with the chords Am, Dm and E7", "A", "minor"),
    ("strings in E minor, moving to G major at the end of it", "E", "minor"),
    ("a drone in e, very slow", "E", None), ("harp in C, no, in D major", "D", "major"),
    ("hymn in G minor, with a major chord at the end", "G", "minor"),
])
def test_the_key_that_is_said_first_is_that_of_the_piece(lexicon, text, tonic, mode):
    intent = read(text, lexicon)
    assert (intent.tonic, intent.mode) == (tonic, mode)


@pytest.mark.parametrize(("text", "field", "value"), [
    ("rain on a piano, slow, like 55-60", "tempo_between", (55.0, 60.0)), ("a jingle, 3-4 seconds", "seconds", 3.5),
    ("drill 140 g minor piano", "bpm", 140.0),
    ("deep house 122 in G minor", "bpm", 122.0), ("a jingle for a fast food shop", "pace", None),
    ("70's soul with guitar", "seconds", None),
])
def test_numbers_as_people_write_them(lexicon, text, field, value):
    assert getattr(read(text, lexicon), field) == value


@pytest.mark.parametrize(("text", "players"), [
    ("something with flute or clarinet over strings", ["flute", "strings"]),
    ("a lullaby in 6/8 for harp and flute", ["harp", "flute"]),
    ("three saxophones, funky, 100 bpm", ["saxophone 1", "saxophone 2", "saxophone 3"]),
    ("2 pulse + 1 triangle + 1 noise channel",
     ["pulse channel 1", "pulse channel 2", "triangle channel", "noise channel"]),
])
def test_players_as_people_count_them(lexicon, text, players):
    assert [wish.label for wish in read(text, lexicon).players] == players


@pytest.mark.parametrize(("text", "left"), [
    ("a piano song for brushing teeth", []), ("it has to be 2 minutes because thats what the dentist says", []),
    ("a slow pad on a trawler", []), ("a piano piece for my aunt who turns 60 in May", []),
    ("drums, bass, with zabumba", ["with zabumba"]),
    ("a piece for zabumba and piano", ["a piece for zabumba"]),
    ("a trap beat with sliding 808s", ["sliding"]),
])
def test_what_is_left_over_of_a_clause_is_told_once_and_a_reason_never(lexicon, text, left):
    assert told(text, lexicon) == left


def test_happy_and_bouncy_is_no_idiom(bench):
    for text in ("a happy and bouncy song with a xylophone", "a birthday song with unicorns"):
        assert not any("Bossa" in line or "Jazz" in line or "Lullaby" in line for line in bench.draft(text).understood)


def test_only_behind_players_says_that_nobody_else_plays(lexicon):
    assert read("ambient, harp and pads only, 80 bpm", lexicon).only
    assert not read("ambient, harp and pads, 80 bpm", lexicon).only


def test_of_players_that_are_offered_the_first_plays(lexicon):
    intent = read("a jazz tune with a trumpet or a clarinet", lexicon)
    assert {wish.label for wish in intent.wanted} == {"melody", "trumpet"}
