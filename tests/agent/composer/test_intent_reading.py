"""What the composer reads in a request."""

from __future__ import annotations

from contextlib import suppress

import pytest
from examples import examples
from growth import seconds_of
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.composer.understanding.intent import Intent, understood
from agent.composer.understanding.lexicon import Lexicon
from agent.errors import BandleaderError
from agent.plan.errors import PlanError
from agent.song.song import Song
from tests.agent.composer.doing import read


@pytest.fixture(scope="module")
def lexicon(bench) -> Lexicon:
    return Lexicon(bench.words, bench.styles, bench.palette, Song())


def labels(wishes) -> set[str]:
    return {wish.label for wish in wishes}


@pytest.mark.parametrize(
    ("request_text", "field", "value"),
    [
        ("a lofi beat at 78 bpm", "bpm", 78),
        ("techno, 138 BPM please", "bpm", 138),
        ("house at 124", "bpm", 124),
        ("pop, tempo of 101", "bpm", 101),
        ("bpm: 90, jazz", "bpm", 90),
        ("120bpm trap", "bpm", 120),
        ("ambient at 62.5 bpm", "bpm", 62.5),
        ("trap, 808s, eerie bells, 140", "bpm", 140),
        ("a song for 100 people", "bpm", None),
        ("eighties music with 808s", "style", "synthwave"),
        ("16 bars of house", "bars", 16),
        ("a 12-bar jazz piece", "bars", 12),
        ("eight bars of pop", "bars", 8),
        ("two minutes of ambient", "seconds", 120),
        ("a 90 second trailer", "seconds", 90),
        ("techno with a break after 32 bars", "bars", None),
        ("synthwave, 2:30 long", "seconds", 150),
        ("trance, 2 minutes 30 seconds", "seconds", 150),
        ("a trance track of 2 minutes and 10 seconds", "seconds", 130),
        ("two and a half minutes of ambient", "seconds", 150),
        ("a minute and a half of lofi", "seconds", 90),
        ("pop, 1:45", "seconds", 105),
        ("pop, 1:45 min", "mode", None),
        ("lofi, 90 s", "seconds", 90),
        ("a 90s house track", "seconds", None),
        ("30s of techno, 2m long", "seconds", 120),
        ("a waltz for piano", "meter", (3, 4)),
        ("cinematic in 6/8", "meter", (6, 8)),
        ("Compose a techno track", "style", "techno"),
        ("some drum & bass", "style", "drum_and_bass"),
        ("drum and bass with a deep bass", "style", "drum_and_bass"),
        ("lo-fi hip hop to study", "style", "lofi"),
        ("ambient techno", "style", "techno"),
        ("turn this techno track into something ambient", "style", "ambient"),
        ("make it slower", "tempo_factor", 0.85),
        ("a bit faster", "tempo_factor", 1.09),
        ("half the tempo", "tempo_factor", 0.5),
        ("a fast jazz tune", "pace", "fast"),
        ('a pop song called "Blue Door"', "title", "Blue Door"),
        ("ambient, keep the tempo", "keep_tempo", True),
        ("solo piano", "only", True),
    ],
)
def test_figures_and_styles(lexicon, request_text, field, value):
    assert getattr(read(request_text, lexicon, has_music=True), field) == value


@pytest.mark.parametrize(
    ("request_text", "tonic", "mode"),
    [
        ("pop in C major", "C", "major"),
        ("techno in F# minor", "F#", "minor"),
        ("jazz in B flat major", "Bb", "major"),
        ("house in A-minor", "A", "minor"),
        ("lofi in Am", "A", "minor"),
        ("trap in F#m", "F#", "minor"),
        ("ambient in D dorian", "D", "dorian"),
        ("in a minor key", None, "minor"),
        ("a major pop hit", None, "major"),
        ("pop in the key of G", "G", None),
        ("cinematic in c sharp harmonic minor", "C#", "harmonic_minor"),
        ("a calm piece for piano", None, None),
        ("I want a beat", None, None),
    ],
)
def test_keys(lexicon, request_text, tonic, mode):
    intent = read(request_text, lexicon, has_music=False)
    assert (intent.tonic, intent.mode) == (tonic, mode)


@pytest.mark.parametrize(
    ("request_text", "wanted", "refused", "kept"),
    [
        ("lofi, no drums", set(), {"drums"}, set()),
        ("lofi without drums or bass", set(), {"drums", "bass"}, set()),
        ("no drums, bass or guitar, cinematic", set(), {"drums", "bass", "guitar"}, set()),
        ("no drums, piano and strings", {"piano", "strings"}, {"drums"}, set()),
        ("no drums and a piano", {"piano"}, {"drums"}, set()),
        ("jazz with piano and double bass", {"piano", "double bass"}, set(), set()),
        ("more ambient but keep the bass", set(), set(), {"bass"}),
        ("keep the bass and drums, make it darker", set(), set(), {"bass", "drums"}),
        ("don't touch the melody, add strings", {"strings"}, set(), {"melody"}),
        ("leave the drums alone, remove the piano", set(), {"piano"}, {"drums"}),
        ("beatless techno", set(), {"drums"}, set()),
        ("remove the drums and keep the bass", set(), {"drums"}, {"bass"}),
        ("with pan flute", {"pan flute"}, set(), set()),
        ("A lofi beat, no drums", set(), {"drums"}, set()),
        ("do not use synths", set(), {"synth"}, set()),
    ],
)
def test_binding_words(lexicon, request_text, wanted, refused, kept):
    intent = read(request_text, lexicon, has_music=False)
    assert (labels(intent.wanted), labels(intent.refused), labels(intent.kept)) == (wanted, refused, kept)


@pytest.mark.parametrize(
    ("request_text", "has_music", "goal"),
    [
        ("compose a techno track", False, "compose"),
        ("a calm lofi beat", False, "compose"),
        ("Recompose this sequence to be more ambient", True, "change"),
        ("Recompose this sequence to be more ambient", False, "change"),
        ("more ambient", True, "change"),
        ("make it darker", True, "change"),
        ("write a new bass line for this song", True, "change"),
        ("compose a techno track", True, "either"),
        ("start over: compose a techno track", True, "replace"),
        ("new drums", True, "change"),
        ("a new ending please", True, "change"),
        ("make a new bass line", True, "change"),
        ("new", True, "either"),
        ("a new techno track with a bass line", True, "either"),
        ("a new beat", True, "either"),
        ("new chords", False, "compose"),
    ],
)
def test_goals(lexicon, request_text, has_music, goal):
    assert read(request_text, lexicon, has_music=has_music).goal == goal


def test_moods_and_their_opposites(lexicon):
    names = {mood.name for mood in read("dark and dreamy", lexicon, has_music=True).moods}
    assert names == {"darker", "dreamier"}
    assert [m.name for m in read("less energetic", lexicon, has_music=True).moods] == ["calmer"]
    assert [m.name for m in read("not too dark", lexicon, has_music=True).moods] == ["a little brighter"]


def test_it_says_what_it_understood_and_ignored(lexicon):
    intent = read("a frobnicated lofi beat at 80 bpm in D minor, no bass", lexicon, has_music=False)
    said = understood(intent, "Lo-fi")
    assert "tempo: exactly 80 BPM" in said
    assert "key: D minor" in said
    assert "without: bass" in said
    assert intent.ignored == ("frobnicated",)


def test_impossible_figures_are_refused(lexicon):
    for text in ("techno at 5000 bpm", "0 bars of pop", "2.5 bars of pop"):
        with pytest.raises(PlanError):
            read(text, lexicon, has_music=False)


def test_a_very_long_request_takes_no_more_than_its_length(lexicon):
    clause = "compose a lofi beat with no drums at 80 bpm, "
    text = (clause * 500)[:20_000]
    assert read(text, lexicon, has_music=False).style == "lofi"
    short, whole = (
        seconds_of(lambda said: read(said, lexicon, has_music=False), one) for one in (text[:2_000], text)
    )
    # Beyond a number of words nothing is looked for, so ten times the text never takes thirty times as long.
    assert whole < max(0.5, 30 * short)


@given(st.text(max_size=300))
@settings(max_examples=examples(150))
def test_any_text_is_only_text(lexicon, text):
    with suppress(BandleaderError):
        assert isinstance(read(text, lexicon, has_music=False), Intent)
