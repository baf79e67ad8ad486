"""Places that go on to examples, the part that the person plays, clipped seconds, and tempi that a style keeps."""

from __future__ import annotations

import pytest

from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.tasks import Named
from tests.agent.composer.doing import read


@pytest.fixture(scope="module")
def song(bench):
    return bench.compose("an indie pop song in G major at 118 bpm with verses and choruses, guitar, bass, drums", 5)


def lexicon(bench, song):
    return Lexicon(bench.words, bench.styles, bench.palette, song)


@pytest.mark.parametrize(
    "words",
    [
        "the last chorus should feel gigantic, e.g. add organ",
        "make the last chorus more gorgeous. For example, add organ",
        "The last chorus ought to glow. Maybe add organ",
    ],
)
def test_an_example_is_for_the_place_that_was_wished_about(bench, song, words):
    [task] = read(words, lexicon(bench, song), has_music=True).tasks
    assert task.scope.places == (Named("chorus", -1),)


def test_a_place_within_what_is_told_is_for_nothing_else(bench, song):
    intent = read("no fade at the end please, and speed it up to 124", lexicon(bench, song), has_music=True)
    assert [task.scope.whole for task in intent.tasks] == [True]


@pytest.mark.parametrize(
    ("words", "who"),
    [
        ("a slow blues in E so I can play my A harp over it, with guitar and bass", "harp"),
        ("a lofi beat with bass and guitar, leave space in the second half for my sax", "saxophone"),
        ("a backing track so I can practise my clarinet over it, guitar, bass and drums", "clarinet"),
    ],
)
def test_what_the_person_plays_is_left_to_them(bench, words, who):
    intent = read(words, lexicon(bench, bench.nothing), has_music=False)
    assert who not in {wish.label for wish in (*intent.wanted, *intent.players, *intent.mentioned)}
    assert {wish.label for wish in (*intent.wanted, *intent.players)} >= {"guitar", "bass"}


def test_what_somebody_plays_themselves_from_notes_is_still_written(bench):
    words = "I can only play G A and B on my recorder so far. Make me a tune with only those, and a guitar"
    intent = read(words, lexicon(bench, bench.nothing), has_music=False)
    assert "recorder" in {wish.label for wish in (*intent.wanted, *intent.players)}


@pytest.mark.parametrize(
    ("words", "seconds"),
    [
        ("60s of calm piano", 60), ("warm piano for a charity spot. 60s, 95ish bpm", 60),
        ("something from the 60s, 24 bars", None), ("90s hip hop, 92 bpm", None),
    ],
)
def test_clipped_seconds_are_no_decade(bench, words, seconds):
    assert read(words, lexicon(bench, bench.nothing), has_music=False).seconds == seconds


@pytest.mark.parametrize(
    ("words", "style"), [("sleepy house, 8 bars", "house"), ("chill house", "house"), ("mellow techno", "techno")]
)
def test_no_mood_moves_a_named_style_out_of_its_tempi(bench, words, style):
    low, high = bench.styles.style(style).tempo
    assert low <= bench.compose(words, 7).bpm <= high


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("put in a choir in the last chorus, but quieter than the guitar", ["add choir", "choir quieter"]),
        ("add strings in the last chorus, not as loud as the guitar", ["add strings", "strings quieter"]),
        ("drop the guitar a few dB so the dialogue reads", ["Guitar quieter by 3 dB"]),
        ("less of that hiss and a bit more bass", ["Bass a little louder"]),
        ("my friends dance to this, could you make it 124", ["tempo: exactly 124 BPM"]),
        ("slow it down, somewhere near 100", ["tempo: exactly 100 BPM"]),
    ],
)
def test_one_word_does_not_decide_what_the_others_deny(bench, song, words, told):
    tasks = read(words, lexicon(bench, song), has_music=True).tasks
    assert [task.operation.sentence(task.amount, None).casefold() for task in tasks] == [one.casefold() for one in told]


def test_a_hand_is_no_place_in_the_mix(bench):
    song = bench.compose("a piano piece for two hands in C major, 8 bars", 5)
    words = "make the piano of the left hand softer"
    [task] = read(words, lexicon(bench, song), has_music=True).tasks
    assert task.operation.control == "level"
