"""What forbids an approval: every error with its row and its fix."""

from __future__ import annotations

from typing import Any

import pytest
from studio_parts import Bench, a_registry, a_tool, small_rows, step

from agent.plan.document import Finding
from agent.plan.plan import Step
from agent.plan.secret_texts import holds_secret
from agent.review.check import check

RANDOM = "a1b2c3d4" * 4
TOOLS = {
    **a_registry(Bench()).tools,
    "restore": a_tool("restore", "versions", changes_song=True, replaces_song=True, effect="song"),
}


def found(*rows: Step) -> tuple[Finding, ...]:
    return check(rows, TOOLS)


def only(*rows: Step) -> Finding:
    [finding] = found(*rows)
    assert finding.level == "error"
    return finding


def test_a_sound_plan_has_no_errors() -> None:
    rows = (
        *small_rows(),
        step("s4", "find_tracks", {"family": "drums"}),
        step(
            "s5",
            "update_track",
            {"track_id": "{{item.track_id}}", "volume_db": -9},
            for_each="{{s4.items}}",
            when={"left": "{{s4.items}}", "op": "not_empty"},
            after=["s1"],
        ),
        step("s6", "get_track", {"track_id": "{{s4.items[0].track_id}}"}),
        step("s7", "echo", {"x": "{{s6.track.clips[0].notes}}", "credential": "studio login", "max_tokens": 100}),
        step("s8", "echo", {"x": "{{s5.items}}", "token": "{{s7.anything}}"}),
    )
    assert found(*rows) == ()


@pytest.mark.semantics("1.2")
def test_an_unknown_tool_comes_with_the_nearest_names() -> None:
    finding = only(step("s1", "create_trak", {"name": "x"}))
    assert (finding.step, finding.rule) == ("s1", "unknown tool")
    assert "create_track" in finding.fix


@pytest.mark.semantics("1.2")
def test_inputs_that_do_not_fit_name_row_and_field() -> None:
    finding = only(*small_rows(), step("s4", "set_tempo", {"bpm": 5000}))
    assert (finding.step, finding.rule) == ("s4", "inputs")
    assert "row 4 (s4): inputs.bpm is 5000" in finding.message


@pytest.mark.parametrize(
    ("rows", "row"),
    [
        ((step("a", "echo"), step("b", "echo", {"x": "{{c.y}}"}), step("c", "echo")), "b"),
        ((step("a", "echo"), step("b", "echo", {"x": "{{nope.y}}"})), "b"),
        ((step("a", "echo"), step("b", "echo", {"x": "{{item.y}}"})), "b"),
        ((step("a", "echo"), step("b", "echo", after=["c"]), step("c", "echo", after=["b"])), "b"),
    ],
)
@pytest.mark.semantics("3.1")
def test_dangling_forward_and_circular_references_name_their_row(rows: tuple[Step, ...], row: str) -> None:
    finding = only(*rows)
    assert finding.rule == "order"
    assert finding.step in ({"b", "c"} if "circle" in finding.message else {row})


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        ("{{s1.clip_id}}", "that row gives track_id"),
        ("{{s3.track_id}}", "that row gives effect_id"),
        ("{{s1.track_id.name}}", "a plain value"),
        ("{{s1[0]}}", "an object"),
        ("{{s4.tracks}}", "that row gives items"),
        ("{{s4.items.track_id}}", "a list"),
        ("{{s4.items[0].id}}", "that row gives track_id"),
        ("{{s5.sections[0][1].name}}", "a plain value"),
        ("{{s6.track_id}}", "that row gives items"),
        ("{{s6.items[0].nope}}", "nothing"),
    ],
)
@pytest.mark.semantics("1.2")
def test_a_result_that_does_not_exist_is_found_before_it_is_needed(reference: str, words: str) -> None:
    rows = (
        *small_rows(),
        step("s4", "find_tracks"),
        step("s5", "get_song"),
        step("s6", "update_track", {"track_id": "{{item.track_id}}"}, for_each="{{s4.items}}"),
    )
    finding = only(*rows, step("s7", "echo", {"x": reference}))
    assert (finding.step, finding.rule) == ("s7", "reference")
    assert words in finding.message


def test_a_missing_field_is_found_through_the_item_of_a_loop() -> None:
    finding = only(
        step("s1", "find_tracks"), step("s2", "delete_track", {"track_id": "{{item.id}}"}, for_each="{{s1.items}}")
    )
    assert (finding.step, finding.rule) == ("s2", "reference")
    again = only(
        step("s1", "find_tracks"),
        step("s2", "duplicate_track", {"track_id": "{{item.track_id}}"}, for_each="{{s1.items}}"),
        step("s3", "delete_track", {"track_id": "{{item.clip_id}}"}, for_each="{{s2.items}}"),
    )
    assert (again.step, again.rule) == ("s3", "reference")


def test_a_loop_through_something_else_than_a_list_is_found() -> None:
    finding = only(
        step("s1", "create_track", {"name": "x", "instrument": "y"}), step("s2", "echo", {}, for_each="{{s1.track_id}}")
    )
    assert (finding.step, finding.rule) == ("s2", "loop")


@pytest.mark.parametrize(
    "inputs",
    [
        {"password": "hunter2"},
        {"Password": 1234},
        {"login": {"api_key": "abc"}},
        {"x": [{"secret": "abc"}]},
        {"token": "abc"},
        {"access_token": "abc"},
        {"api-key": "abc"},
        {"apikey": "abc"},
        {"private_key": "abc"},
        {"passphrase": ["abc"]},
        {"text": f"use sk-ant-{RANDOM}"},
        {"text": f"ghp_{RANDOM}"},
        {"text": f"AKIA{RANDOM.upper()}"},
        {"text": f"sk-{RANDOM}"},
        {"text": "-----BEGIN RSA " + "PRIVATE KEY-----"},
        {"password": "a{{b"},
        {"password": "hunter2{{s0.x}}"},
        {"authorization": "hunter2"},
        {"headers": [{"name": "api_key", "value": "hunter2"}]},
        {f"sk-{RANDOM}": 1},
        {"text": "https://me:hunter2@example.org/"},
        {"text": f"Bearer {RANDOM}"},
        {"text": f"sk_live_{RANDOM}"},
        {"text": f"glpat-{RANDOM}"},
        {"text": f"eyJ{RANDOM}.{RANDOM}.abc"},
        {"text": "password=hunter2"},
        {"text": "mount -o user=me,PASSWORD='hunter2'"},
        {"text": "https://example.org/?n=1&api_key=hunter2"},
    ],
)
def test_a_literal_secret_is_refused_and_not_repeated(inputs: dict[str, Any]) -> None:
    finding = only(step("s1", "echo", inputs))
    assert (finding.step, finding.rule) == ("s1", "secret")
    for value in ("hunter2", "abc", "sk-ant", "ghp_", "AKIA"):
        assert value not in finding.message


@pytest.mark.parametrize("text", [
    "a secret: keep the bass low", "password={{s0.x}}", "password=$PASSWORD", "api_key=<yours>", "secret=no",
])
def test_words_about_secrets_are_none(text: str) -> None:
    assert not holds_secret(text)


def test_a_secret_is_found_in_a_goal_and_in_a_condition() -> None:
    key = f"sk-{RANDOM}"
    assert only(goal(words=f"use {key}")).rule == "secret"
    assert (
        only(step("s1", "echo"), step("s2", "echo", when={"left": "{{s1.x}}", "op": "eq", "right": key})).rule
        == "secret"
    )


@pytest.mark.parametrize("field", ["title", "group", "why"])
def test_a_secret_is_found_in_the_words_around_a_row(field: str) -> None:
    assert only(step("s1", "echo", **{field: f"with sk-ant-{RANDOM}"})).rule == "secret"


def test_ids_are_unique_and_none_is_called_item() -> None:
    assert only(step("s1", "echo"), step("s1", "echo")).rule == "step id"
    assert only(step("item", "echo")).rule == "step id"


def goal(words: str = "warmer", **fields: Any) -> Step:
    inputs = fields.pop("inputs", {"tools": ["update_track"]})
    return step("s1", fields.pop("tool", "work_on"), inputs, **{"by": "model", "goal": words, "max_edits": 5, **fields})


@pytest.mark.parametrize(
    "row",
    [
        goal(""),
        goal(" \n"),
        goal(tool="echo"),
        goal(tool="update_track"),
        goal(max_edits=None),
        goal(for_each="{{s0.items}}"),
        step("s1", "work_on", {"tools": ["update_track"]}),
    ],
)
def test_a_row_that_is_left_to_a_model_needs_a_goal_and_a_limit(row: Step) -> None:
    assert found(goal()) == ()
    assert only(row).rule == "goal"


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({}, "tools is missing"),
        ({"tools": []}, "0 items"),
        ({"tools": ["nope"]}, "no tool called 'nope'"),
        ({"tools": ["update_track", "echo"]}, "service bench"),
        ({"tools": ["get_song"]}, "no tool that changes the song"),
        ({"tools": ["{{s0.name}}"]}, "reference"),
        ({"tools": "{{s0.names}}"}, "reference"),
        ({"tools": ["work_on"]}, "service model"),
        ({"tools": ["update_track"], "accept": "{{s0.yes}}"}, "inputs.accept"),
        ({"tools": ["update_track"], "tracks": [3]}, "tracks[0]"),
        ({"tools": ["update_track"], "all": True}, "unknown"),
    ],
)
def test_a_goal_is_given_known_tools_of_the_song_and_only_a_person_accepts(inputs: dict[str, Any], said: str) -> None:
    finding = only(goal(inputs=inputs))
    assert finding.rule == "inputs"
    assert said in finding.message


def test_restore_stands_alone() -> None:
    assert found(step("s1", "restore")) == ()
    finding = only(step("s1", "restore"), step("s2", "rename_song", {"name": "x"}))
    assert (finding.step, finding.rule) == ("s1", "alone")


def test_all_rows_with_errors_are_told_at_once() -> None:
    rows = (step("s1", "nope"), step("s2", "set_tempo", {"bpm": 0}), step("s3", "echo", {"password": "x"}))
    assert [(one.step, one.rule) for one in found(*rows)] == [
        ("s1", "unknown tool"),
        ("s2", "inputs"),
        ("s3", "secret"),
    ]
