"""What a new piece does not do is told with its clause, and not counted as understood."""

from __future__ import annotations

import pytest

from agent.composer.understanding.course import CourseStage
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.verifying import verified
from agent.song.song import Song
from tests.agent.composer import doing


def read(bench, words: str) -> Intent:
    lexicon = Lexicon(bench.words, bench.styles, bench.palette, Song())
    return doing.read(words, lexicon, has_music=False)


def test_players_who_do_not_play_are_told(bench):
    words = "house, first 16 bars just kick and hats, then bass joins, then a harpsichord"
    intent = verified(read(bench, words), Song(), bench.palette)
    told = {one.reason for one in intent.clauses if one.outcome == "told" and "harpsichord" in one.text}
    assert any("plays harpsichord" in reason for reason in told)
    assert "harpsichord" not in {wish.label for wish in (*intent.players, *intent.wanted)}


def test_a_stage_that_is_not_so_is_told_with_its_clause(bench):
    words = "piano and drums, 90 BPM. Bars 1 to 8 only piano. Drums enter at bar 9."
    intent = read(bench, words)
    other = bench.compose("piano and drums, 16 bars, 90 BPM. Bars 1 to 4 only piano. Drums enter at bar 5.")
    told = [one for one in verified(intent, other, bench.palette).clauses if one.outcome == "told"]
    assert any("begins in bar 5" in one.reason for one in told)


@pytest.mark.parametrize(
    "words",
    [
        "synthwave, 32 bars, drums come in at bar 9 and the lead enters at bar 17",
        "pop song in G: verse chorus verse chorus bridge chorus",
        "jazz tune in AABA, 32 bars, for piano, bass and drums",
        "funk groove in E, 100 bpm, starts with drums alone for 4 bars, then bass joins for 4 bars",
    ],
)
def test_what_holds_is_understood(bench, words):
    intent = read(bench, words)
    assert verified(intent, bench.compose(words), bench.palette) == intent


def test_a_stage_says_only_what_it_does(bench):
    intent = read(bench, "a song for piano; it starts softly, then the tuba joins loudly")
    kept = verified(intent, bench.compose("a song for piano; it starts softly, then it is loud"), bench.palette)
    assert all(isinstance(stage, CourseStage) and not stage.enters for stage in kept.course[1:])


def test_a_length_in_time_that_is_not_met_is_told(bench):
    told = bench.draft("pop at 100, intro 8 bars, verse 16 bars, outro 8 bars, 40 seconds").ignored
    assert any("it lasts 77 seconds" in one for one in told)
    assert not any("it lasts" in one for one in bench.draft("a calm piano piece, 2 minutes").ignored)


@pytest.mark.parametrize(
    ("words", "other", "why"),
    [
        ("waltz for piano, 3/4, 8 bars", "pop for piano, 8 bars", "it is in 4/4"),
        ("rock song, no bass", "rock song", "plays in it"),
        ("pop song, max 3 tracks", "pop song with strings", "tracks"),
        ("a tune for flute alone, nothing above C5", "a tune for flute alone, nothing below D5", "not all notes"),
    ],
)
def test_what_is_ruled_out_or_stated_and_is_not_so_is_told(bench, words, other, why):
    said = verified(read(bench, words), bench.compose(other), bench.palette)
    assert any(why in one for one in said.ignored)


def test_who_plays_before_his_entrance_is_told(bench):
    words = "piano and drums, 90 BPM. Bars 1 to 8 only piano. Drums enter at bar 9."
    other = bench.compose("piano and drums, 90 BPM. Bars 1 to 8 piano and drums. At bar 9 a flute enters.")
    ignored = verified(read(bench, words), other, bench.palette).ignored
    assert any("before" in one or "there too" in one for one in ignored)
