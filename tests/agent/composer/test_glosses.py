"""Glosses in brackets and corrections of figures: what says a clause again belongs to it."""

from __future__ import annotations

import pytest
from msgspec import structs

from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.operations import Rekey, Remeter, Resize, Retempo
from agent.plan.errors import NothingToDo
from agent.song.ids import ClipId
from agent.song.song import Song
from tests.agent.composer.doing import read


@pytest.fixture(scope="module")
def lexicon(bench, sample: Song) -> Lexicon:
    return Lexicon(bench.words, bench.styles, bench.palette, sample)


@pytest.mark.parametrize(("order", "gloss"), [
    ("duck the bass under the kick", '("sidechain")'), ("make it swing", "(like a shuffle)"),
    ("make it swing", "[shuffle]"), ("raise it an octave", "(8va)"), ("quantize the drums", "(tighten them up)"),
])
def test_a_gloss_that_says_its_clause_again_is_part_of_it(lexicon, order, gloss):
    asked = [task.operation for task in read(order, lexicon, has_music=True).tasks]
    intent = read(f"{order} {gloss}", lexicon, has_music=True)
    assert [task.operation for task in intent.tasks] == asked
    assert [(one.outcome, one.text) for one in intent.clauses] == [("understood", f"{order} {gloss}")]


def test_a_gloss_with_a_wish_of_its_own_is_a_clause(lexicon):
    intent = read("make the bass louder (and add strings)", lexicon, has_music=True)
    assert [(one.outcome, one.text) for one in intent.clauses] == [
        ("understood", "make the bass louder"), ("understood", "add strings"),
    ]


@pytest.mark.parametrize(("text", "word"), [
    ("make the lead louder (frobnicate it)", "frobnicate"), ("make the lead louder (sidechain)", "sidechain"),
    ("make it swing (8va)", "8va"), ("make the lead louder (not the drums)", "not the drums"),
])
def test_a_gloss_that_says_something_else_is_told(lexicon, text, word):
    told = [one.text for one in read(text, lexicon, has_music=True).clauses if one.outcome == "told"]
    assert any(word in one for one in told)


def test_a_technique_that_can_be_ordered_is_told_with_its_order(lexicon):
    (clause,) = read("sidechain", lexicon, has_music=True).clauses
    assert "sidechain the bass to the kick" in clause.reason
    assert "nothing here plays it" not in clause.reason


@pytest.mark.parametrize(("text", "operation"), [
    ("128 not 112", Retempo(128)), ("it should be 128, not 112", Retempo(128)), ("128 bpm not 112 bpm", Retempo(128)),
    ("not 112 but 128", Retempo(128)), ("make it 128 rather than 112", Retempo(128)), ("no, 128", Retempo(128)),
    ("no, I said 128, not 112", Retempo(128)), ("G minor not A minor", Rekey("G", "minor")),
    ("in G, not A", Rekey("G")), ("3/4 not 4/4", Remeter(3, 4)), ("make it 16 bars, not 8", Resize(16)),
])
def test_a_corrected_figure_is_the_one_that_is_right(lexicon, text, operation):
    intent = read(text, lexicon, has_music=True)
    assert [task.operation for task in intent.tasks] == [operation]
    assert [one.outcome for one in intent.clauses] == ["understood"]


def test_of_two_bare_numbers_the_one_that_counts_the_bars_is_no_tempo(bench, sample):
    first = sample.tracks[0]
    late = structs.replace(first.clips[0], id=ClipId("late"), start=first.clips[0].start + 80 * 3840)
    song = structs.replace(sample, tracks=(structs.replace(first, clips=(*first.clips, late)), *sample.tracks[1:]))
    lexicon = Lexicon(bench.words, bench.styles, bench.palette, song)
    assert read(f"72, not {song.bars}", lexicon, has_music=True).clauses[-1].outcome == "told"
    assert read("72, not 112", lexicon, has_music=True).clauses[-1].outcome == "understood"


@pytest.mark.parametrize("text", ["no drums", "add a flute, not 3", "16, not 8", "it is 112 not 8 bars"])
def test_what_is_denied_otherwise_corrects_no_figure(lexicon, text):
    assert not any(isinstance(task.operation, Retempo) for task in read(text, lexicon, has_music=True).tasks)


@pytest.mark.parametrize(("text", "told"), [
    ("112 not 128", "112 BPM already"), ("no, 112", "112 BPM already"), ("A minor, not C", "A minor already"),
])
def test_a_correction_to_what_the_song_is_says_so(bench, sample, text, told):
    with pytest.raises(NothingToDo, match=told):
        bench.draft(text, structs.replace(sample, key=structs.replace(sample.key, tonic="A", mode="minor")))
