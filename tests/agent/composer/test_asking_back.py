"""Asking back: what was not understood is said, choices come from the song and can be planned, and take turns."""

from __future__ import annotations

import pytest

from agent.composer.composer import Composer
from agent.composer.understanding.intent import Intent
from agent.plan.planning import Brief, ClarifyingQuestion, ConversationLine
from agent.song.song import Song


def asked(bench, request: str, song: Song, said: tuple[ConversationLine, ...] = ()) -> ClarifyingQuestion:
    return bench.asked(intent(bench, request, song), request, song, said)


def intent(bench, request: str, song: Song) -> Intent:
    return Composer(bench.styles, bench.words).read(Brief(request, song, bench.palette, (), 1))


def reads_in_full(bench, request: str, song: Song) -> bool:
    found = intent(bench, request, song)
    return bool(found.tasks) and not any(one.outcome == "told" for one in found.clauses)


def test_strange_words_are_named(bench, sample):
    question = asked(bench, "asdf qwer zxcv", sample)
    assert question.text.startswith("I do not know “asdf”, “qwer”, “zxcv”.")
    assert asked(bench, "make it wibble", sample).text.startswith("“make it wibble”: ")


@pytest.mark.parametrize("words", ["make it better", "add something"])
def test_the_same_question_has_other_choices_the_next_time(bench, sample, words):
    seen = []
    said: tuple[ConversationLine, ...] = ()
    for _ in range(3):
        question = asked(bench, words, sample, said)
        seen.append({choice.label for choice in question.choices})
        said = (*said, ConversationLine("you", words), ConversationLine("bandleader", question.text))
    assert not (seen[0] & seen[1])
    assert not (seen[1] & seen[2])


def test_choices_name_what_the_song_has(bench, sample):
    said = (ConversationLine("bandleader", "How should this song change?"),)
    labels = [choice.label for choice in asked(bench, "make it better", sample, said).choices]
    assert "Vary Lead" in labels
    assert "Half-time Drums" in labels
    assert "Add drums" not in labels


@pytest.mark.parametrize("times", range(3))
@pytest.mark.parametrize("request_said", ["make it better", "add something"])
def test_every_choice_is_a_request_that_is_understood(bench, sample, request_said, times):
    question = asked(bench, request_said, sample)
    question = asked(bench, request_said, sample, (ConversationLine("bandleader", question.text),) * times)
    assert 2 <= len(question.choices) <= 4
    for choice in question.choices:
        assert reads_in_full(bench, choice.request, sample), choice.request


@pytest.mark.parametrize("times", range(2))
def test_choices_about_a_part_are_understood(bench, sample, times):
    said = (ConversationLine("bandleader", "What should happen to the bass?"),) * times
    question = asked(bench, "the bagpipes should wobble like a jelly on the bass", sample, said)
    assert len(question.choices) == 4
    for choice in question.choices:
        assert reads_in_full(bench, choice.request, sample), choice.request


def test_an_artist_is_a_direction_and_asked_about(bench, sample):
    question = asked(bench, "make it sound like Daft Punk", sample)
    assert question.text.startswith("I take Daft Punk as a direction: filtered disco loops")
    assert [choice.label for choice in question.choices] == ["Turn it into House", "Only the tempo, 124 BPM"]
    assert all(reads_in_full(bench, choice.request, sample) for choice in question.choices)
    assert asked(bench, "make it sound like Daft Punk", Song()).choices[0].request == "compose a house piece"


@pytest.mark.parametrize("text", [
    "the alto notes should wobble exactly as Vivaldi left them standing",
    "spread the horseradish all over the Beethoven",
])
def test_who_is_only_spoken_of_is_no_direction(bench, sample, text):
    assert "as a direction" not in asked(bench, text, sample).text


def test_what_an_order_needs_is_asked_for(bench, sample):
    question = asked(bench, "transpose from bar 3 on", sample)
    assert question.text.endswith("By how much?")
    assert question.choices[1].request == "transpose from bar 3 on up a whole step"


def test_what_is_said_to_stay_goes_along_with_every_choice(bench, sample):
    question = asked(bench, "yes, but leave the tempo alone", sample)
    assert question.text.startswith("The tempo stays as it is")
    for choice in question.choices:
        assert intent(bench, choice.request, sample).keep_tempo


def test_starting_over_keeps_all_that_was_said(bench, sample):
    question = asked(bench, "Make a lo-fi song in D minor, 16 bars, no drums", sample)
    over = next(choice.request for choice in question.choices if choice.label.startswith("Start over"))
    draft = bench.draft(over, sample)
    song = bench.song(draft, sample)
    assert str(song.key) == "D minor"
    assert song.bars == 16
    assert not any(track.name == "Drums" for track in song.tracks)


def test_the_rows_that_clear_a_song_belong_to_who_asked_to_start_over(bench, sample):
    draft = bench.draft("start over: compose a lofi piece", sample)
    gone = {step.id for step in draft.steps if step.tool == "delete_track"}
    assert len(gone) == 4
    assert gone <= {step for clause in draft.clauses if clause.removes for step in clause.steps}


def test_a_style_is_described_only_with_its_own_players(bench):
    assert bench.draft("12 bar blues in A").musical_reasoning
    assert not bench.draft("only brass, no drums, no piano").musical_reasoning


def test_a_style_is_described_only_where_the_song_becomes_of_it(bench, sample):
    assert bench.draft("recompose this song as swing", sample).musical_reasoning
    assert not bench.draft("swing the hats a bit more", sample).musical_reasoning


def test_words_that_are_to_be_sung_are_told(bench):
    request = 'generate vocals singing "I love you"'
    told = [clause for clause in bench.draft(request).clauses if clause.outcome == "told"]
    assert [clause.text for clause in told] == ["I love you"]
    assert request[told[0].start : told[0].end] == "I love you"
    titled = bench.draft('a calm piano piece called "Night Train"')
    assert all(clause.outcome == "done" for clause in titled.clauses)
