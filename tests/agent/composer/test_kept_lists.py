"""What is to stay is named in lists: parts, tempo, key, chords, form, length, meter and mix."""

from __future__ import annotations

import pytest
from msgspec import structs

from agent.composer.changing.change import as_mixed
from agent.composer.understanding.lexicon import Lexicon
from agent.plan.errors import NothingToDo
from agent.song.song import Song
from tests.agent.composer.doing import read

KINDS = ("bass", "tempo", "key", "chords", "form", "melody", "length", "meter", "mix")


@pytest.fixture(scope="module")
def lexicon(bench, sample: Song) -> Lexicon:
    return Lexicon(bench.words, bench.styles, bench.palette, sample)


@pytest.mark.parametrize("text", ["keep the {} and the {}", "make it darker, but the {} and the {} must not change",
                                  "don't touch the {} or the {}"])
@pytest.mark.parametrize(("one", "other"), [*zip(KINDS, (*KINDS[1:], KINDS[0]), strict=True)])
def test_all_of_a_list_is_kept(lexicon, text, one, other):
    intent = read(text.format(one, other), lexicon, has_music=True)
    told = [clause for clause in intent.clauses if clause.outcome == "told"]
    assert not told
    assert {*intent.stays} >= {one, other}


def test_a_list_of_three_ends_where_another_wish_begins(lexicon):
    intent = read("keep the key, the form and the drums, add a flute", lexicon, has_music=True)
    assert {*intent.stays} == {"key", "form", "drums"}
    assert [task.operation.wish.label for task in intent.tasks] == ["flute"]


@pytest.mark.parametrize("text", [
    "keep the bass and make the key G minor", "keep the bass and the drums louder", "keep the key and the bass quieter",
    "keep the key and the bass part simple",
])
def test_of_what_more_is_said_nothing_is_kept_with_it(lexicon, text):
    intent = read(text, lexicon, has_music=True)
    assert intent.tasks or any(one.outcome == "told" for one in intent.clauses)
    assert len(intent.stays) < 2


@pytest.mark.parametrize(("text", "kept"), [
    ("make it a waltz, keep the meter", "meter"), ("make it twice as long, keep the form", "form"),
    ("make it twice as long, keep the length", "length"),
])
def test_what_would_change_it_is_not_done(bench, sample, text, kept):
    with pytest.raises(NothingToDo, match=f"the {kept} is to stay"):
        bench.draft(text, sample)


def test_a_kept_mix_stays_under_what_is_played_otherwise(bench, sample):
    song = structs.replace(sample, tracks=tuple(structs.replace(one, volume_db=-5.0) for one in sample.tracks))
    darker = bench.song(bench.draft("make it darker", song), song)
    kept = bench.song(bench.draft("make it darker, keep the mix", song), song)
    assert as_mixed(song, darker) != darker
    assert as_mixed(song, kept) == kept
    assert kept != song


def test_a_mix_that_is_kept_but_for_one_part_is_changed_there_alone(bench, sample):
    draft = bench.draft("keep the mix, but the bass louder", sample)
    after = {track.name: track.volume_db for track in bench.song(draft, sample).tracks}
    before = {track.name: track.volume_db for track in sample.tracks}
    assert after["Bass"] > before["Bass"]
    assert {**after, "Bass": 0} == {**before, "Bass": 0}
    assert [one.reason for one in draft.clauses if "mix" in one.text] == ["nothing else in this plan touches it"]
