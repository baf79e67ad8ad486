"""Tempi and keys as people without the words of a manual ask for them."""

from __future__ import annotations

import pytest

from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.operations import Rekey, Retempo, Transpose
from agent.song.song import Song
from tests.agent.composer.doing import read


@pytest.fixture
def asked(bench, sample):
    """The operations and the told clauses of a request about the sample, which is at 112 BPM in A minor."""
    lexicon = Lexicon(bench.words, bench.styles, bench.palette, sample)

    def operations(request):
        intent = read(request, lexicon, has_music=True)
        told = [clause.text for clause in intent.clauses if clause.outcome == "told"]
        return [task.operation for task in intent.tasks], told

    return operations


@pytest.mark.parametrize(("request_", "bpm"), [
    ("126ish?", 126), ("100ish", 100), ("say crotchet = 72", 72), ("dotted quarter = 60", 90),
    ("slow it to 60 to the quarter please", 60), ("put it at 60 quarter notes a minute", 60),
    ("a bit slower, 100ish", 100), ("bit slow for a saturday crowd, 126ish", 126),
    ("slower please, 80 is enough", 80), ("way too fast, 84 tops", 84), ("round 90 would be better", 90),
])
def test_a_number_in_loose_words_is_one_tempo(asked, request_, bpm):
    assert asked(request_)[0] == [Retempo(bpm=bpm)]


@pytest.mark.parametrize("request_", ["medium swing 140", "a jazz trio, swing at 140", "slow swing, 140"])
def test_a_number_beyond_a_hundred_behind_swing_is_the_tempo(bench, request_):
    lexicon = Lexicon(bench.words, bench.styles, bench.palette, Song())
    intent = read(request_, lexicon, has_music=False)
    assert (intent.bpm, intent.tasks) == (140.0, ())


@pytest.mark.parametrize("request_", [
    "bring the tempo down by about a quarter", "a quarter slower", "knock a quarter off the tempo",
    "take the tempo down a quarter",
])
def test_a_share_of_the_tempo_is_taken_from_it(asked, request_):
    assert asked(request_) == ([Retempo(factor=0.75)], [])


def test_a_third_lower_moves_the_notes_and_not_the_tempo(asked):
    assert asked("could we do it a third lower")[0] == [Transpose(-4)]


@pytest.mark.parametrize("request_", ["20bpm faster", "can it jump 20bpm faster", "go up 20 bpm", "get 20 bpm quicker"])
def test_a_difference_of_tempo_is_no_tempo(asked, request_):
    assert asked(request_) == ([Retempo(bpm=132)], [])


@pytest.mark.parametrize("request_", ["the bass clashes around 200", "the lead is harsh round 250"])
def test_a_rough_number_behind_a_part_is_no_tempo(asked, request_):
    assert not any(isinstance(one, Retempo) for one in asked(request_)[0])


def test_a_number_that_follows_no_wish_for_a_tempo_is_told(asked):
    assert asked("80 is enough") == ([], ["80 is enough"])


@pytest.mark.parametrize("request_", [
    "total run time 0:20. Do it with tempo, not by cutting.", "make it last exactly 0:20 by changing the tempo",
    "it needs to run 20 seconds, change the speed not the bars",
])
def test_a_length_comes_about_by_the_tempo_where_that_is_said(bench, sample, asked, request_):
    assert asked(request_)[0] == [Retempo(seconds=20.0)]
    draft = bench.draft(request_, sample)
    song = bench.song(draft, sample)
    assert song.tempo_map.seconds(song.end) == pytest.approx(20, abs=0.5)
    assert (song.bars, song.note_count) == (sample.bars, sample.note_count)
    assert {(ask.measure, ask.goal) for ask in draft.asks} == {("seconds", "at_least"), ("seconds", "at_most")}


@pytest.mark.parametrize(("request_", "key"), [
    ("knock the whole thing down to Gm", Rekey("G", "minor", -1)), ("take it up to B flat", Rekey("Bb", None, 1)),
    ("put it in concert B flat", Rekey("Bb")), ("transpose from A minor to C minor", Rekey("C", "minor")),
    ("transpose from H minor to A minor, because H minor is hard", Rekey("A", "minor")),
    ("our Act 1 dance break needs this in G, not A flat", Rekey("G")), ("the singer wants it in D", Rekey("D")),
    ("the bride wants this one but in E flat", Rekey("Eb")),
])
def test_a_key_is_asked_for_with_any_verb_and_by_anyone(asked, request_, key):
    assert asked(request_)[0] == [key]


@pytest.mark.parametrize(("request_", "steps"), [
    ("too high for me, whole thing down 3 semitones", -3), ("the lot up a fourth", 5),
    ("it's a bit low for me, up a fourth please", 5),
])
def test_a_reason_before_it_does_not_keep_an_interval_from_being_done(asked, request_, steps):
    assert asked(request_)[0] == [Transpose(steps)]


def test_a_key_below_is_reached_downwards(bench, sample):
    down = bench.song(bench.draft("take the whole thing down to Eb minor", sample), sample)
    up = bench.song(bench.draft("take the whole thing up to Eb minor", sample), sample)
    lead = next(track for track in sample.tracks if track.name == "Lead")

    def lowest(song):
        return min(note.pitch for clip in song.track(lead.id).clips for note in clip.notes)

    assert (lowest(down) - lowest(sample), lowest(up) - lowest(sample)) == (-6, 6)


def test_drums_that_do_not_transpose_stay_and_the_rest_moves(bench, sample):
    draft = bench.draft("up a tone from bar 5. Drums obviously don't transpose", sample)
    song = bench.song(draft, sample)
    moved = [track.name for track in sample.tracks if song.track(track.id) != track]
    assert (moved, draft.ignored) == (["Bass", "Chords", "Lead"], ())
