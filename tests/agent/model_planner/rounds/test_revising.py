"""Asking again for some rows: the whole plan comes back, and only these rows differ."""

from __future__ import annotations

import msgspec
import pytest
from model_plans import Scripted, a_brief, in_process, many_rows, row, written
from studio_parts import a_plan, step

from agent.conversation.messages import UserTurn
from agent.model_planner.rounds.errors import NoPlan
from agent.plan.document import Plan
from agent.plan.errors import PlanError
from agent.plan.plan import Draft
from agent.plan.planning import Revision
from agent.providers.provider import Abilities
from agent.song.song import Song

ROWS = many_rows(6)
PLAN = a_plan(*(step(one["id"], one["tool"], one["inputs"], group="Harmony") for one in ROWS), song=Song())
NEW = row("s3", "create_midi_clip", track_id="{{s1.track_id}}", start_time=4, duration=4,
          notes=[{"n": 64, "s": 0, "d": 3, "v": 40}])


def revised(*answers: str, plan: Plan = PLAN, steps: tuple[str, ...] = ("s3",)) -> tuple[Draft, Scripted]:
    provider = Scripted(list(answers))
    [result] = in_process(provider, a_brief("a pad", song=Song(), revision=Revision(plan, steps, "softer")))
    return result.draft, provider


def test_only_the_wanted_row_changes() -> None:
    draft, provider = revised(written([NEW]))
    assert [one.id for one in draft.steps] == [one.id for one in PLAN.steps]
    assert draft.steps[2].inputs == NEW["inputs"]
    assert draft.steps[2].group == "Harmony"
    for old, new in zip(PLAN.steps, draft.steps, strict=True):
        if old.id != "s3":
            assert msgspec.json.encode(new) == msgspec.json.encode(old)
    told = provider.queries[0].turns[-1]
    assert isinstance(told, UserTurn)
    assert "softer" in told.text
    assert '"id":"s6"' in told.text


def test_a_model_that_answers_the_whole_plan_changes_no_other_row() -> None:
    others = [{**one, "inputs": {**one["inputs"], "duration": 99}} for one in ROWS if one["id"] != "s3"]
    draft, _ = revised(written([*others[:2], NEW, *others[2:]]))
    assert [one for one in draft.steps if one.id != "s3"] == [one for one in PLAN.steps if one.id != "s3"]
    assert draft.steps[2].inputs == NEW["inputs"]
    assert sum("was not asked for" in note for note in draft.normalised) == 5


def test_rows_with_new_ids_stand_for_the_wanted_ones_in_order() -> None:
    second = {**NEW, "id": "b", "inputs": {**NEW["inputs"], "start_time": 8}, "after": ["a"]}
    draft, _ = revised(written([{**NEW, "id": "a"}, second]), steps=("s3", "s4"))
    assert [one.id for one in draft.steps] == [one.id for one in PLAN.steps]
    assert draft.steps[3].inputs["start_time"] == 8
    assert draft.steps[3].after == ("s3",)


def test_a_wanted_row_that_is_not_answered_stays_and_is_said() -> None:
    draft, _ = revised(written([NEW]), steps=("s3", "s4"))
    assert draft.steps[3] == PLAN.steps[3]
    assert any("s4 was not planned anew" in note for note in draft.normalised)


def test_an_answer_without_any_wanted_row_is_no_plan() -> None:
    with pytest.raises(NoPlan, match="other rows"):
        revised(written([ROWS[0]]))


def test_a_row_that_the_plan_lacks_cannot_be_asked_for() -> None:
    with pytest.raises(PlanError, match="no row 's9'"):
        revised(written([NEW]), steps=("s9",))


def test_findings_on_other_rows_ask_for_no_round() -> None:
    faulty = msgspec.structs.replace(PLAN.steps[4], inputs={**PLAN.steps[4].inputs, "track_id": "tnone"})
    plan = msgspec.structs.replace(PLAN, steps=(*PLAN.steps[:4], faulty, PLAN.steps[5]))
    draft, provider = revised(written([NEW]), plan=plan)
    assert draft.steps[4] == faulty
    assert len(provider.queries) == 1


def test_a_faulty_new_row_is_mended_alone() -> None:
    wrong = {**NEW, "inputs": {**NEW["inputs"], "track_id": "tnone"}}
    draft, provider = revised(written([wrong]), written([NEW]))
    assert draft.steps[2].inputs == NEW["inputs"]
    assert [one for one in draft.steps if one.id != "s3"] == [one for one in PLAN.steps if one.id != "s3"]
    assert len(provider.queries) == 2


def test_a_long_plan_is_told_by_its_headings_to_a_small_model() -> None:
    rows = many_rows(120)
    plan = a_plan(*(step(one["id"], one["tool"], one["inputs"]) for one in rows), song=Song())
    provider = Scripted([written([NEW])], Abilities(context=16_000))
    in_process(provider, a_brief("a pad", song=Song(), revision=Revision(plan, ("s3",))))
    told = provider.queries[0].turns[-1]
    assert isinstance(told, UserTurn)
    assert "s119: create_midi_clip" in told.text
    assert told.text.count('"notes"') == 1
