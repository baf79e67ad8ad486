"""A remark on a waiting plan changes one value, place or part of what was asked for; all else stays row for row."""

from __future__ import annotations

import pytest
from awaiting import result_of

from agent.composer.composer import Composer
from agent.plan.document import Plan
from agent.plan.errors import PlanError
from agent.plan.planning import Brief
from agent.review.review import Review, review
from agent.song.song import Song

REQUEST = "make the drums louder by 4 dB, move everything up a fourth and slow it down to 90"


def judged(bench, song: Song, plan: Plan) -> Review:
    found = review(plan, song, bench.registry, bench.palette)
    assert found.errors == ()
    return found


def planned(bench, song: Song, request: str) -> Review:
    draft = bench.draft(request, song)
    plan = Plan(steps=draft.steps, project="p", request=request, clauses=draft.clauses, understood=draft.understood)
    return judged(bench, song, plan)


def refined(bench, song: Song, waiting: Review, words: str) -> Review:
    brief = Brief(words, song, bench.palette, tuple(bench.registry.tools.values()), 1)
    assert waiting.preview is not None
    plan = result_of(Composer(bench.styles, bench.words).refine(brief, waiting.plan, waiting.preview))
    assert isinstance(plan, Plan), plan
    return judged(bench, song, plan)


@pytest.fixture(scope="module")
def waiting(bench, sample) -> Review:
    return planned(bench, sample, REQUEST)


def level(review: Review, name: str) -> float:
    assert review.preview is not None
    return next(one.volume_db for one in review.preview.song.tracks if one.name == name)


def tempo(review: Review) -> float:
    assert review.preview is not None
    return review.preview.song.tempos[0].bpm


def top(song: Song, name: str) -> int:
    return max(n.pitch for one in song.tracks if one.name == name for clip in one.clips for n in clip.notes)


@pytest.mark.parametrize(("words", "bpm"), [
    ("hmm 90 is way too slow, go with 100", 100), ("make it 100, the rest is fine", 100),
    ("84 rather than 90 please", 84), ("lovely drums but 90 no, 96", 96),
])  # fmt: skip
def test_another_tempo_replaces_the_one_that_is_planned(bench, sample, waiting, words, bpm):
    found = refined(bench, sample, waiting, words)
    assert tempo(found) == bpm
    changed = [one for one, was in zip(found.plan.steps, waiting.plan.steps, strict=True) if one != was]
    assert [one.tool for one in changed] == ["set_tempo"]
    assert [one.id for one in found.plan.steps] == [one.id for one in waiting.plan.steps]
    assert found.plan.clauses[-1].outcome == "done"


@pytest.mark.parametrize("words", ["a fourth is too much, just a tone will do", "only a whole step please"])
def test_another_interval_is_counted_from_the_song_and_not_from_the_plan(bench, sample, waiting, words):
    found = refined(bench, sample, waiting, words)
    assert found.preview is not None
    assert top(found.preview.song, "Bass") == top(sample, "Bass") + 2
    assert level(found, "Drums") == level(waiting, "Drums")


def test_a_level_is_counted_from_the_song_too(bench, sample, waiting):
    found = refined(bench, sample, waiting, "4 dB is overkill, 2 dB on the drums is plenty")
    was = next(one.volume_db for one in sample.tracks if one.name == "Drums")
    assert level(found, "Drums") == was + 2
    assert tempo(found) == tempo(waiting)


def test_a_place_limits_what_is_planned_and_nothing_is_added(bench, sample):
    waiting = planned(bench, sample, "make the bass quieter")
    found = refined(bench, sample, waiting, "yes but only in bars 5-8")
    assert level(found, "Bass") == next(one.volume_db for one in sample.tracks if one.name == "Bass")
    assert [one.tool for one in found.plan.steps] == ["set_automation"]


def test_a_part_that_is_named_besides_gets_the_same(bench, sample):
    waiting = planned(bench, sample, "make the bass quieter")
    found = refined(bench, sample, waiting, "do the drums as well")
    assert level(found, "Drums") < next(one.volume_db for one in sample.tracks if one.name == "Drums")
    assert waiting.plan.steps[0] in found.plan.steps


def test_a_place_that_is_named_besides_joins_the_one_that_is_planned(bench, sample):
    waiting = planned(bench, sample, "make the bass louder in bars 1-2")
    found = refined(bench, sample, waiting, "in bars 5-6 too please")
    assert any("bars 1-2 and bars 5-6" in one for one in found.plan.understood)


def test_a_yes_and_a_no_part_what_stays_from_what_goes(bench, sample):
    waiting = planned(bench, sample, "make the drums louder and the bass quieter")
    found = refined(bench, sample, waiting, "bass yes drums no")
    assert [one.title for one in found.plan.steps] == ["Mix of Bass"]


def test_not_everywhere_waits_for_where(bench, sample):
    waiting = planned(bench, sample, "remove the bass")
    found = refined(bench, sample, waiting, "don't remove it everywhere, just in bars 1-2")
    assert found.preview is not None
    assert any(one.name == "Bass" for one in found.preview.song.tracks)


def test_a_part_comes_in_earlier_than_planned(bench, sample):
    waiting = planned(bench, sample, "add strings in bars 5-8")
    found = refined(bench, sample, waiting, "could they come in at bar 3 already? the sound is just right")
    clips = [step.inputs for step in found.plan.steps if step.tool == "create_midi_clip"]
    assert [(one["start_time"], one["duration"]) for one in clips] == [(8.0, 24.0)]


def test_remarks_on_remarks_do_not_add_up(bench, sample, waiting):
    once = refined(bench, sample, waiting, "only a tone")
    twice = refined(bench, sample, once, "hmm, a minor third then, and 94 instead of 90")
    assert twice.preview is not None
    assert top(twice.preview.song, "Bass") == top(sample, "Bass") + 3
    assert tempo(twice) == 94


def test_what_was_left_out_by_row_stays_out(bench, sample, waiting):
    without = refined(bench, sample, waiting, "no drums thing please")
    found = refined(bench, sample, without, "make it 100")
    assert level(found, "Drums") == next(one.volume_db for one in sample.tracks if one.name == "Drums")
    assert tempo(found) == 100


def test_praise_alone_changes_nothing(bench, sample, waiting):
    with pytest.raises(PlanError, match="the plan stays as it is"):
        refined(bench, sample, waiting, "the louder drums are great")


def test_a_place_that_the_song_lacks_is_told_and_changes_nothing(bench, sample):
    waiting = planned(bench, sample, "make the bass quieter and slow it down to 90")
    found = refined(bench, sample, waiting, "make it 96, but not in the middle eight")
    assert tempo(found) == 96
    assert level(found, "Bass") == level(waiting, "Bass")


@pytest.mark.parametrize("words", ["remove the strings from the plan", "take the strings out of the plan"])
def test_a_remark_may_name_the_plan_itself(bench, sample, words):
    waiting = planned(bench, sample, "add strings and make the bass louder")
    found = refined(bench, sample, waiting, words)
    assert found.preview is not None
    assert not any(track.name == "Strings" for track in found.preview.song.tracks)
    assert level(found, "Bass") > level_before(sample, "Bass")
    assert [clause.text for clause in found.plan.clauses if clause.outcome == "told"] == ["add strings"]


def level_before(song: Song, name: str) -> float:
    return next(one.volume_db for one in song.tracks if one.name == name)
