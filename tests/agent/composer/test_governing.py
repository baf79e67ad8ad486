"""A fragment of a clause is not carried out: what governs it must be understood too, and limits hold in many words."""

from __future__ import annotations

import pytest
from msgspec import structs

from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.operations import Add, Colour, Reshape, Retempo, Transpose
from agent.composer.understanding.tasks import Bars, Named
from agent.song.ids import SectionId
from agent.song.song import Section, Song
from agent.song.time import Ticks
from tests.agent.composer.doing import read


@pytest.fixture(scope="module")
def lexicon(bench, sample: Song) -> Lexicon:
    """A song of eight bars with a bass, the last four its chorus."""
    chorus = Section(SectionId("s1"), "Chorus", Ticks(4 * 3840), Ticks(4 * 3840))
    return Lexicon(bench.words, bench.styles, bench.palette, structs.replace(sample, sections=(chorus,)))


@pytest.mark.parametrize("text", [
    "add a slow wobble that breathes", "put in a short bright bugle call", "a slow trill on the last note",
    "the fast bit is a mess", "make the 3/4 part a little slower", "play it at 1/2 volume",
    "the tune moves in too slow notes", "a really slow bugle please", "a 7/8 bar before the chorus",
    "double kick in bars 2-3",
])
def test_a_quality_of_something_strange_is_none_of_the_song(lexicon, text):
    intent = read(text, lexicon, has_music=True)
    assert not intent.tasks
    assert [one.outcome for one in intent.clauses] == ["told"]


@pytest.mark.parametrize("text", [
    "swing like a drunk, only on the bass", "with swing of samba", "a bugle that wobbles, quiet",
])
def test_what_stands_beside_an_order_and_narrows_it_is_not_passed_over(lexicon, text):
    assert not read(text, lexicon, has_music=True).tasks


@pytest.mark.parametrize(("text", "kinds"), [
    ("give it a slower tempo", [Retempo]), ("make it a slower piece", [Retempo]),
    ("add a low cello", [Add, Transpose]), ("add a very quiet oboe", [Add, Colour]),
    ("add a slow oboe", [Add, Reshape]),
])
def test_a_quality_is_of_the_song_or_of_what_comes_in(lexicon, text, kinds):
    assert [type(task.operation) for task in read(text, lexicon, has_music=True).tasks] == kinds


@pytest.mark.parametrize(("text", "bpm"), [("+20 bpm", 20), ("-10 bpm", -10), ("tempo -6", -6), ("tempo: 96", None)])
def test_a_sign_before_a_number_says_how_much_more(lexicon, text, bpm):
    operation = read(text, lexicon, has_music=True).tasks[0].operation
    assert isinstance(operation, Retempo)
    assert operation.bpm == (96 if bpm is None else lexicon.song.tempos[0].bpm + bpm)


@pytest.mark.parametrize(("text", "excluded"), [
    ("don't touch anything before bar 3, make it louder", (Bars(1, 2),)),
    ("make it louder, hands off bars 2-3", (Bars(2, 3),)),
    ("the chorus is off limits. Make it louder", (Named("chorus"),)),
])
def test_bars_that_may_not_be_touched_are_left_out(lexicon, text, excluded):
    intent = read(text, lexicon, has_music=True)
    assert [task.scope.excluded for task in intent.tasks] == [excluded]
    assert not intent.ignored


@pytest.mark.parametrize("text", [
    "louder, but the bass must not be touched", "make it louder, let the bass be", "louder, without altering the bass",
    "the bass shall remain as it is, all else louder", "louder and don't mess with the bass",
])
def test_a_part_that_may_not_be_touched_is_kept(lexicon, text):
    assert [wish.role for wish in read(text, lexicon, has_music=True).kept] == ["bass"]


def test_no_faster_keeps_the_tempo(lexicon):
    assert read("more energetic but don't speed it up", lexicon, has_music=True).keep_tempo


def test_a_section_that_stays_is_left_out_everywhere(lexicon):
    tasks = read("Chorus stays. Make the bass louder", lexicon, has_music=True).tasks
    assert [task.scope.excluded for task in tasks] == [(Named("chorus"),)]
