"""What models really answer is read, what was mended is said, and nothing else gets through."""

from __future__ import annotations

import json
from typing import Any

import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from sample_plan import sample_steps
from studio_parts import a_registry

from agent.model_planner.reading.answer import (
    AnswerReader,
    ParsedAnswer,
    TruncatedAnswer,
    UnreadableAnswer,
    read_answer,
)
from agent.plan.normalise import normalise
from agent.plan.plan import Step

REGISTRY = a_registry()
TOOLS = tuple(REGISTRY.tools.values())
NOTE = {"n": 60, "s": 0, "d": 1, "v": 90}
TEMPO = {"id": "s1", "tool": "set_tempo", "inputs": {"bpm": 90}}


def whole(*steps: Any, **around: Any) -> dict[str, Any]:
    return {
        "understood": ["a song"], "analysis": "Empty.", "musical_reasoning": "Air.", "ignored": [], "question": None,
        "steps": list(steps), **around,
    }


def read(value: Any) -> ParsedAnswer:
    return read_answer(value if isinstance(value, str) else json.dumps(value), TOOLS)


def the_row(raw: Any) -> tuple[Step, str]:
    answer = read(whole(raw))
    [step] = answer.draft.steps
    return step, "\n".join(answer.repairs)


def test_an_answer_as_asked_for_is_read_without_a_repair() -> None:
    answer = read(whole(*sample_steps()))
    assert [step.id for step in answer.draft.steps] == [row["id"] for row in sample_steps()]
    assert [step.inputs for step in answer.draft.steps] == [row["inputs"] for row in sample_steps()]
    assert (answer.draft.analysis, answer.draft.musical_reasoning) == ("Empty.", "Air.")
    assert (answer.draft.understood, answer.repairs, answer.question) == (("a song",), (), None)


def test_the_strict_forms_read_like_the_plain_one() -> None:
    flat = {
        "tool": "add_effect", "id": "s1", "title": "Room", "group": "", "why": "", "by": "exact", "goal": "",
        "inputs": [
            {"name": "track_id", "value": "master"}, {"name": "effect_name", "value": "reverb"},
            {"name": "params", "value": [{"name": "mix", "value": 0.3}]},
        ],
        "for_each": "", "when": None, "on_error": "default", "after": [],
    }
    typed = {
        **flat, "by": None, "goal": None, "for_each": None, "on_error": None, "after": None,
        "inputs": {
            "track_id": "master", "effect_name": "reverb", "params": [{"name": "mix", "value": 0.3}],
            "enabled": None, "position": None,
        },
    }
    inputs = {"track_id": "master", "effect_name": "reverb", "params": {"mix": 0.3}}
    expected = Step("s1", "add_effect", inputs, title="Room")
    assert the_row(flat) == (expected, "")
    assert the_row(typed) == (expected, "")


@pytest.mark.parametrize(
    "text",
    [
        "```json\n{}\n```",
        "Here is the plan for {{s1.track_id}} [as asked]:\n\n{}\n\nEnjoy {it}!",
        "First a sketch: {\"bpm\": 90}\n```\n{}\n```",
        "{\"plan\": {}}",
        "{\"result\": {\"answer\": {}}}",
    ],
)
def test_json_among_words_fences_and_wrappers(text: str) -> None:
    assert read(text.replace("{}", json.dumps(whole(TEMPO)))).draft.steps == (Step("s1", "set_tempo", {"bpm": 90}),)


@pytest.mark.parametrize("value", [[TEMPO], TEMPO, {"steps": [TEMPO]}, {"actions": [TEMPO]}, {"plan": [TEMPO]}])
def test_rows_without_the_rest(value: Any) -> None:
    assert read(value).draft.steps == (Step("s1", "set_tempo", {"bpm": 90}),)


def test_rows_one_by_one() -> None:
    lines = "\n".join(json.dumps({**TEMPO, "id": f"s{number}"}) for number in (1, 2, 3))
    assert [step.id for step in read(lines).draft.steps] == ["s1", "s2", "s3"]


@pytest.mark.parametrize(
    "text",
    [
        "{'steps': [{'id': 's1', 'tool': 'set_tempo', 'inputs': {'bpm': 90}, 'why': 'it\\'s calm'}]}",
        '{"steps": [{"id": "s1", "tool": "set_tempo", "inputs": {"bpm": 90,},},],}',
        '{steps: [{id: "s1", tool: "set_tempo", inputs: {bpm: 90}}]}',
        '{"steps": [ // the tempo\n{"id": "s1", "tool": "set_tempo", /* slow */ "inputs": {"bpm": 90}}]}',
        '{"steps": [{"id": "s1", "tool": "set_tempo", "why": "a\nbreak", "inputs": {"bpm": 90}}]}',
        '{"steps": [{"id": "s1", "tool": "set_tempo", "inputs": {"bpm": 90}]}',
    ],
)
def test_sloppy_json_is_mended_and_said_to_have_been(text: str) -> None:
    answer = read(text)
    assert [(step.tool, step.inputs) for step in answer.draft.steps] == [("set_tempo", {"bpm": 90})]
    assert "was mended" in answer.repairs[0]
    assert answer.draft.normalised == answer.repairs


@pytest.mark.parametrize("form", ["{}", "```json\n{}", "Sure:\n{}", "'"])
def test_no_closing_is_ever_made_up_for_a_cut_answer(form: str) -> None:
    text = json.dumps(whole(*sample_steps()))
    text = text.replace('"', "'") if form == "'" else text
    for cut in range(40, len(text) - 1, 617):
        with pytest.raises(TruncatedAnswer):
            read(form.replace("{}", text[:cut]) if form != "'" else text[:cut])


@pytest.mark.parametrize("name", ["parameters", "params", "args", "arguments", "input"])
def test_other_names_for_inputs(name: str) -> None:
    assert the_row({"id": "s1", "tool": "set_tempo", name: {"bpm": 90}})[0].inputs == {"bpm": 90}
    assert the_row({"id": "s1", "tool": "set_tempo", name: '{"bpm": 90}'})[0].inputs == {"bpm": 90}


@pytest.mark.parametrize(
    "raw",
    [
        {"id": "s1", "name": "set_tempo", "inputs": {"bpm": 90}},
        {"id": "s1", "type": "function", "function": {"name": "set_tempo", "arguments": '{"bpm": 90}'}},
        {"id": "s1", "type": "tool_use", "name": "set_tempo", "input": {"bpm": 90}},
        {"id": "s1", "tool": "functions.set_tempo", "inputs": {"bpm": 90}},
        {"id": "s1", "tool": "SetTempo", "inputs": {"tempo": "90"}},
        {"id": "s1", "tool": "set_tempo", "bpm": 90},
        {"set_tempo": {"bpm": 90}},
    ],
)
def test_other_ways_to_name_the_tool(raw: dict[str, Any]) -> None:
    step, _ = the_row(raw)
    assert (step.id, step.tool, step.inputs) == ("s1", "set_tempo", {"bpm": 90})


@pytest.mark.parametrize(
    ("notes", "read_as"),
    [
        ([{"pitch": 60, "start": 0, "duration": 1, "velocity": 90}], [NOTE]),
        ([{"note": "C4", "start_time": 0, "length": 1, "vel": 90}], [NOTE]),
        ([{"pitch": "60", "time": "0", "dur": "1", "velocity": "90"}], [NOTE]),
        ([[60, 0, 1, 90]], [NOTE]),
        ([[60, 0, 1]], [{"n": 60, "s": 0, "d": 1}]),
        ([{"n": 60, "start": 2, "end": 3.5, "v": 90}], [{"n": 60, "s": 2, "d": 1.5, "v": 90}]),
        ([{"n": "F#3", "s": 0, "d": 1, "v": 0.5}], [{"n": 54, "s": 0, "d": 1, "v": 64}]),
        (json.dumps([NOTE]), [NOTE]),
    ],
)
def test_other_forms_of_notes(notes: Any, read_as: Any) -> None:
    inputs = {"track_id": "t1", "start_time": 0, "duration": 4, "notes": notes}
    step, said = the_row({"id": "s1", "tool": "create_midi_clip", "inputs": inputs})
    assert step.inputs["notes"] == read_as
    assert "row s1: notes:" in said


def test_numbers_words_and_unknown_fields() -> None:
    step, said = the_row({
        "id": "s1", "tool": "create_track", "mood": "calm",
        "inputs": {"name": 808, "instrument": "Pad Warm", "volume_db": "-6.5", "mute": "false", "colour": "red"},
    })
    assert step.inputs == {"name": "808", "instrument": "Pad Warm", "volume_db": -6.5, "mute": False}
    assert "volume_db: '-6.5' was read as -6.5" in said
    assert "colour was left out" in said
    assert "mood was left out" in said
    assert the_row({"id": "s1", "tool": "set_key", "inputs": {"tonic": "A", "mode": "Harmonic Minor"}})[0].inputs == {
        "tonic": "A", "mode": "harmonic_minor"
    }


def test_ids_and_all_that_names_them_are_brought_into_one_form() -> None:
    clip = {"track_id": "{{1.track_id}}", "start_time": 0, "duration": 4}
    answer = read([
        {"id": 1, "tool": "create_track", "inputs": {"name": "Pad", "instrument": "pad_warm"}},
        {"step": "Step 2", "tool": "create_midi_clip", "inputs": clip},
        {"id": "Big Clip", "tool": "create_midi_clip", "inputs": {**clip, "track_id": "{1.track_id}"}, "after": [2]},
        {"tool": "delete_clip", "inputs": {"clip_id": "{{Big Clip.clip_id}}"}, "depends_on": "Big Clip"},
    ])
    rows = answer.draft.steps
    assert [row.id for row in rows] == ["s1", "s2", "big_clip", "s4"]
    assert [row.inputs.get("track_id") for row in rows[1:3]] == ["{{s1.track_id}}", "{{s1.track_id}}"]
    assert rows[3].inputs == {"clip_id": "{{big_clip.clip_id}}"}
    assert (rows[2].after, rows[3].after) == (("s2",), ("big_clip",))


def test_a_row_is_named_by_its_own_number_where_that_is_not_its_place() -> None:
    answer = read([
        {"id": 5, "tool": "set_tempo", "inputs": {"bpm": 90}},
        {"id": 7, "tool": "create_track", "inputs": {"name": "Pad", "instrument": "pad_warm"}},
        {"id": 8, "tool": "add_effect", "inputs": {"track_id": "[from Step 7]", "effect_name": "reverb"}},
    ])
    assert normalise(answer.draft.steps, REGISTRY.tools).steps[2].inputs["track_id"] == "{{s7.track_id}}"


def test_a_condition_that_cannot_be_read_is_never_dropped() -> None:
    good = {**TEMPO, "when": {"left": "{{s0.bpm}}", "op": "==", "right": 90}}
    condition = the_row(good)[0].when
    assert condition is not None
    assert (condition.left, condition.op, condition.right) == ("{{s0.bpm}}", "eq", 90)
    for when in ("if it is loud", {"op": "eq"}, {"left": "{{s0.bpm}}", "op": "resembles"}):
        with pytest.raises(UnreadableAnswer):
            the_row({**TEMPO, "when": when})


def test_a_question_with_its_choices() -> None:
    answer = read(whole(question={"text": "Which?", "choices": [{"label": "A", "request": "make A"}, "B"]}))
    assert answer.question is not None
    assert answer.question.text == "Which?"
    assert [(choice.label, choice.request) for choice in answer.question.choices] == [("A", "make A"), ("B", "B")]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "no plan"),
        ("I am sorry, I cannot do that.", "no plan"),
        ("[1, 2, 3]", "no row"),
        (json.dumps(whole()), "no row"),
        (json.dumps(whole("create a track")), "row 1 is"),
        (json.dumps(whole({"id": "s1", "inputs": {}})), "names no tool"),
        (json.dumps(whole({**TEMPO, "inputs": 7})), "no object"),
        (json.dumps(whole(*[TEMPO] * 2001)), "too long"),
        (json.dumps(whole({**TEMPO, "inputs": json.loads("[" * 70 + "]" * 70)})), "nested too deeply"),
        ('{"steps": ' + "[" * 100_000 + "]" * 100_000 + "}", ""),
        (" " * 9_000_000, "too long"),
        (json.dumps(whole({**TEMPO, "inputs": {"x": [0] * 3_000_001}}), separators=(",", ":")), "200,000 notes"),
    ],
)
def test_what_is_no_plan_is_refused_in_words_for_the_model(text: str, what: str) -> None:
    with pytest.raises(UnreadableAnswer) as refused:
        read(text)
    assert what in str(refused.value)


def read_or_refused(text: str) -> ParsedAnswer | None:
    """The answer, or None where it is refused; any other error is the reader's."""
    try:
        return read_answer(text, TOOLS)
    except UnreadableAnswer:
        return None


pieces = st.sampled_from([
    "{", "}", "[", "]", '"', "'", ":", ",", "\\", "steps", '"steps"', '"tool"', '"set_tempo"', '"inputs"', '"id"', "1",
    "-0.", "null", "\n", "Step 1: set_tempo - x", "  - bpm: [", "```json", "//", "/*", "NaN", "\ud800", "\\ud800", "é",
    "{{s1.x}}", json.dumps(TEMPO), '{"steps": [', "]}", '"when"', '"after"', "true",
])


@settings(max_examples=examples(400))
@given(st.lists(pieces, max_size=40).map("".join))
def test_no_text_breaks_the_reading(text: str) -> None:
    reader = AnswerReader(TOOLS)
    for place in range(0, len(text), 3):
        reader.feed(text[place:place + 3])
    assert reader.text == text
    answer = read_or_refused(text)
    assert answer is None or all(isinstance(step, Step) for step in answer.draft.steps)


leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
values = st.recursive(leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
    st.sampled_from(["id", "tool", "inputs", "name", "value", "notes", "when", "left", "op", "after", "bpm", "n", "s"]),
    inner, max_size=5,
), max_leaves=20)


@settings(max_examples=examples(300))
@given(st.lists(values, max_size=4), st.sampled_from(["set_tempo", "create_midi_clip", "add_effect", "nothing"]))
def test_no_value_breaks_the_mending(rows: list[Any], tool: str) -> None:
    steps = [{"tool": tool, **row} if isinstance(row, dict) else row for row in rows]
    answer = read_or_refused(json.dumps(whole(*steps)))
    assert answer is None or len(answer.draft.steps) == len(rows)
