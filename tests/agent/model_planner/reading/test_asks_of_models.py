"""What a model says of each wish: measured by figures that exist, and never against what the request itself states."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_plans import Scripted, a_brief, in_process, pad_rows, written
from studio_parts import a_song, the_palette

from agent.model_planner.prompt.measures import GOALS, MEASURES, Goal
from agent.model_planner.prompt.offered_schema import plan_schema
from agent.model_planner.reading.answer import ParsedAnswer, read_answer
from agent.model_planner.rounds.merging import merged, prefixed_draft
from agent.model_planner.rounds.splitting import RequestPart
from agent.plan.plan import Ask, Draft, Step
from agent.song.song import Song
from agent.theory.figures import figure

FEWER = {"asked": "calmer", "steps": ["s1"], "measure": "onsets_per_bar", "goal": "at_most", "value": 0.6}


def read(*asks: Any) -> ParsedAnswer:
    return read_answer(json.dumps({"steps": pad_rows(2), "asks": list(asks)}), a_brief().tools)


def asked(*asks: Any) -> tuple[tuple[Ask, ...], str]:
    answer = read(*asks)
    return answer.draft.asks, "\n".join(answer.repairs)


def test_a_wish_is_read_with_its_rows_and_its_measure() -> None:
    assert asked(FEWER) == ((Ask("calmer", ("s1",), "onsets_per_bar", "at_most", 0.6),), "")


@pytest.mark.parametrize(("fields", "why"), [
    ({"measure": "loveliness"}, "no measure 'loveliness'"),
    ({"measure": "tracks:kazoo"}, "no measure 'tracks:kazoo'"),
    ({"goal": "nicer"}, "cannot be nicer"),
    ({"value": None}, "no number"),
    ({"value": "a lot"}, "no number"),
    ({"value": 10**400}, "no number"),
    ({"measure": "key", "goal": "higher"}, "cannot be higher"),
    ({"measure": "meter", "goal": "equals", "value": ""}, "no value"),
])
def test_a_wish_that_cannot_be_measured_stands_without_and_it_is_said(fields: dict[str, Any], why: str) -> None:
    asks, said = asked(FEWER | fields)
    assert asks == (Ask("calmer", ("s1",)),)
    assert why in said
    assert "calmer" in said


def test_small_slips_are_read_as_they_are_meant() -> None:
    asks, _ = asked(
        FEWER | {"steps": ["Step 1", 2, "s9"], "value": "0.5"},
        {"asked": "in c minor", "measure": "Key", "goal": "equals", "value": "c Minor"},
        {"asked": "more", "steps": [], "measure": "velocity", "goal": "higher", "value": ""},
        "a lovely song",
    )
    assert asks == (
        Ask("calmer", ("s1", "s2"), "onsets_per_bar", "at_most", 0.5),
        Ask("in c minor", (), "key", "equals", "C minor"),
        Ask("more", (), "velocity", "higher"),
        Ask("a lovely song"),
    )


@given(st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["asked", *Ask.__struct_fields__, "x"]), inner),
))
def test_whatever_stands_there_the_plan_is_read(asks: Any) -> None:
    answer = read_answer(json.dumps({"steps": pad_rows(2), "asks": asks}), a_brief().tools)
    assert len(answer.draft.steps) == 2


@pytest.mark.parametrize("measure", MEASURES)
def test_every_measure_that_is_offered_exists(measure: str) -> None:
    assert figure(measure, a_song(), a_song(), the_palette()) is not None


def test_the_schema_offers_them_all_and_a_model_with_a_short_memory_none() -> None:
    ask = plan_schema(a_brief().tools)["properties"]["asks"]["items"]["properties"]
    assert ask["measure"]["enum"] == ["", *MEASURES]
    assert set(ask["goal"]["enum"]) == set(GOALS) == set(get_args(Goal))
    assert "asks" not in plan_schema(a_brief().tools, asks=False)["properties"]


def test_what_the_request_states_stands_for_what_the_model_says_of_it() -> None:
    mine: dict[str, Any] = {"asked": "the tempo stays", "steps": [], "measure": "tempo", "goal": "same", "value": None}
    provider = Scripted(lambda _: written(pad_rows(8), asks=[mine, FEWER | {"goal": "higher"}]))
    [result] = in_process(provider, a_brief("a pad at 90 bpm", song=Song()), reflections=0)
    assert [(ask.measure, ask.goal, ask.value) for ask in result.draft.asks] == [
        ("tempo", "equals", 90.0), ("onsets_per_bar", "higher", None),
    ]


def test_a_wish_that_the_plan_does_not_meet_goes_back_to_the_model() -> None:
    silent = FEWER | {"asked": "a drum", "measure": "percussion_hits", "goal": "higher"}
    met = FEWER | {"asked": "a held sound", "measure": "pad_share", "goal": "at_least", "value": 0.5}
    provider = Scripted([written(pad_rows(8), asks=[silent]), written(pad_rows(8), asks=[met])])
    [result] = in_process(provider, a_brief("a calm pad", song=Song()))
    assert "does not do what was asked: a drum" in str(provider.queries[1].turns[-1])
    assert [ask.asked for ask in result.draft.asks] == ["a held sound"]


def test_wishes_follow_their_rows_when_parts_are_joined() -> None:
    track = Step("s1", "create_track", {"name": "Pad", "instrument": "pad_warm"})
    drafts = [prefixed_draft(Draft((track,), asks=(Ask(words, ("s1",)),)), n) for n, words in enumerate(("a", "b"), 1)]
    whole = merged([RequestPart("A", "a"), RequestPart("B", "b")], drafts)
    assert [step.id for step in whole.steps] == ["p1_s1"]
    assert whole.asks == (Ask("a", ("p1_s1",)), Ask("b", ("p1_s1",)))
