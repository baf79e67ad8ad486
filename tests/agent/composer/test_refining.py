"""A plan that waits is changed in words; rows that the words do not touch stay as they are."""

from __future__ import annotations

import pytest
from awaiting import result_of

from agent.composer.composer import Composer
from agent.plan.document import Plan
from agent.plan.errors import PlanError
from agent.plan.planning import Brief, ClarifyingQuestion
from agent.review.review import Review, review
from agent.song.song import Song

REQUEST = "add strings in bars 5-8, make the drums louder, and slow it down a bit"


@pytest.fixture(scope="module")
def waiting(bench, sample) -> Review:
    draft = bench.draft(REQUEST, sample)
    return judged(bench, sample, Plan(steps=draft.steps, project="p", request=REQUEST, clauses=draft.clauses))


def judged(bench, song: Song, plan: Plan) -> Review:
    found = review(plan, song, bench.registry, bench.palette)
    assert found.errors == ()
    return found


def refined(bench, song: Song, waiting: Review, words: str) -> Review:
    brief = Brief(words, song, bench.palette, tuple(bench.registry.tools.values()), 1)
    assert waiting.preview is not None
    plan = result_of(Composer(bench.styles, bench.words).refine(brief, waiting.plan, waiting.preview))
    assert isinstance(plan, Plan), plan
    return judged(bench, song, plan)


def titles(review: Review) -> list[str]:
    return [step.title for step in review.plan.steps]


def track(review: Review, name: str):
    assert review.preview is not None
    return next(one for one in review.preview.song.tracks if one.name == name)


@pytest.mark.parametrize("words", ["without the strings", "no strings", "leave out the strings, please"])
def test_rows_of_a_part_that_is_left_out_go_and_all_others_stay(bench, sample, waiting, words):
    found = refined(bench, sample, waiting, words)
    assert [one for one in titles(waiting) if "Strings" not in one] == titles(found)
    assert all(step in waiting.plan.steps for step in found.plan.steps)


@pytest.mark.parametrize("words", [
    "yes, lovely, only not the drums, those should stay as loud as they are",
    "great, but the drums should stay as strong as they were", "perfect, just keep the drum kit as loud as it is",
])
def test_praise_with_an_exception_leaves_out_the_rows_about_that_part(bench, sample, waiting, words):
    found = refined(bench, sample, waiting, words)
    assert [one for one in titles(waiting) if "Drums" not in one] == titles(found)
    assert found.preview is not None
    assert track(found, "Drums") == next(one for one in sample.tracks if one.name == "Drums")


@pytest.mark.parametrize("words", ["leave the tempo", "keep the tempo", "don't change the tempo"])
def test_what_is_to_stay_stays_as_the_song_has_it(bench, sample, waiting, words):
    found = refined(bench, sample, waiting, words)
    assert found.preview is not None
    assert found.preview.song.tempos == sample.tempos
    assert [one for one in titles(waiting) if not one.startswith("Tempo")] == titles(found)


def test_only_a_part_leaves_the_rest_of_the_song_as_it_was(bench, sample, waiting):
    found = refined(bench, sample, waiting, "only the strings")
    assert found.plan.steps
    assert found.preview is not None
    after = {one.id: one for one in found.preview.song.tracks}
    assert all(after[one.id] == one for one in sample.tracks)
    assert found.preview.song.tempos == sample.tempos
    assert any(one.name == "Strings" for one in found.preview.song.tracks)


def test_a_row_is_changed_by_its_number_and_keeps_its_id(bench, sample, waiting):
    number = next(n for n, step in enumerate(waiting.plan.steps, 1) if step.tool == "create_midi_clip")
    found = refined(bench, sample, waiting, f"row {number} an octave higher")
    before, after = waiting.plan.steps[number - 1], found.plan.steps[number - 1]
    assert (after.id, after.title) == (before.id, before.title)
    assert [note["n"] - 12 for note in after.inputs["notes"]] == [note["n"] for note in before.inputs["notes"]]
    assert len(found.plan.steps) == len(waiting.plan.steps)
    assert [one for at, one in enumerate(found.plan.steps) if at != number - 1] == [
        one for at, one in enumerate(waiting.plan.steps) if at != number - 1
    ]


@pytest.mark.parametrize("words", ["drop row {}", "without step {}, please", "leave out number {}"])
def test_a_row_is_left_out_by_its_number(bench, sample, waiting, words):
    number = next(n for n, step in enumerate(waiting.plan.steps, 1) if step.tool == "set_tempo")
    found = refined(bench, sample, waiting, words.format(number))
    assert [step for at, step in enumerate(waiting.plan.steps, 1) if at != number] == list(found.plan.steps)


def test_more_is_added_to_the_plan_behind_what_it_holds(bench, sample, waiting):
    found = refined(bench, sample, waiting, "and make the bass quieter")
    assert found.plan.steps[: len(waiting.plan.steps)] == waiting.plan.steps
    assert track(found, "Bass").volume_db < track(waiting, "Bass").volume_db
    assert found.plan.clauses[-1].outcome == "done"
    assert found.plan.clauses[-1].steps == (found.plan.steps[-1].id,)
    assert found.plan.request[found.plan.clauses[-1].start : found.plan.clauses[-1].end] in "and make the bass quieter"


def test_a_part_that_the_plan_makes_can_be_changed(bench, sample, waiting):
    found = refined(bench, sample, waiting, "make the strings quieter")
    assert track(found, "Strings").volume_db < track(waiting, "Strings").volume_db
    assert len(found.plan.steps) == len(waiting.plan.steps)


@pytest.mark.parametrize("words", ["row 99 louder", "without the bagpipes", "row 1 upside down and inside out"])
def test_what_cannot_be_done_to_the_plan_is_said(bench, sample, waiting, words):
    brief = Brief(words, sample, bench.palette, tuple(bench.registry.tools.values()), 1)
    try:
        found = result_of(Composer(bench.styles, bench.words).refine(brief, waiting.plan, waiting.preview))
    except PlanError:
        return
    assert isinstance(found, ClarifyingQuestion)


@pytest.mark.parametrize(("words", "gone"), [
    ("love it, only leave the pace where it was, it's a lullaby after all", "Tempo"),
    ("go for it but bin the slower tempo", "Tempo"),
    ("yes please, just not the drums thing", "Drums"),
    ("the strings yes, the drums no", "Drums"),
    ("brilliant, but don't touch the speed", "Tempo"),
])
def test_a_row_that_is_taken_back_goes_alone(bench, sample, waiting, words, gone):
    found = refined(bench, sample, waiting, words)
    assert titles(found) == [one for one in titles(waiting) if gone not in one]


@pytest.mark.parametrize("words", ["just the tempo bit please", "go ahead with the slower tempo only"])
def test_what_alone_is_wanted_stays_alone(bench, sample, waiting, words):
    assert [one.partition(" ")[0] for one in titles(refined(bench, sample, waiting, words))] == ["Tempo"]


def test_a_row_goes_less_far_and_the_others_as_far_as_before(bench, sample, waiting):
    found = refined(bench, sample, waiting, "the drums a bit less")
    changed = [one for one, was in zip(found.plan.steps, waiting.plan.steps, strict=True) if one != was]
    assert [one.title for one in changed] == ["Mix of Drums"]
    was = next(one for one in sample.tracks if one.name == "Drums").volume_db
    assert track(waiting, "Drums").volume_db > track(found, "Drums").volume_db > was


def test_what_is_taken_back_is_understood_no_more(bench, sample, waiting):
    found = refined(bench, sample, waiting, "drop the drums one, and my cat likes it")
    outcomes = {clause.text: clause.outcome for clause in found.plan.clauses}
    assert outcomes["my cat likes it"] == "told"
    assert all("drums" not in one for one in found.plan.understood)


@pytest.mark.parametrize("words", ["the strings yes, the rest no", "strings are lovely, but not the others"])
def test_the_rest_is_all_that_was_not_named(bench, sample, waiting, words):
    assert titles(refined(bench, sample, waiting, words)) == [one for one in titles(waiting) if "Strings" in one]


@pytest.mark.parametrize("words", ["the bass must stay", "yes, but keep the bass in"])
def test_a_part_that_the_plan_removes_can_stay(bench, sample, words):
    draft = bench.draft("make the drums louder and remove the bass", sample)
    removing = judged(bench, sample, Plan(steps=draft.steps, project="p", request="remove it", clauses=draft.clauses))
    found = refined(bench, sample, removing, words)
    assert [one for one in titles(removing) if one != "Remove Bass"] == titles(found)
    assert [one.name for one in found.preview.song.tracks] == [one.name for one in sample.tracks]
