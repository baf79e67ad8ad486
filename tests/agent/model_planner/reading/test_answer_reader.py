"""Rows appear while the answer streams, each once and as it will be read at the end."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sample_plan import sample_steps
from studio_parts import a_registry

from agent.model_planner.reading import answer
from agent.model_planner.reading.answer import AnswerReader, read_answer
from agent.plan.plan import Step

TOOLS = tuple(a_registry().tools.values())
WHOLE = json.dumps({"understood": ["a [song] {with} \"steps\": ["], "question": None, "steps": sample_steps()})


AROUND = ("{}", "Sure [so]:\n```json\n{}\n```", 'As {"bpm": 90} it was, {{s1.x}}:\n{}', '{"plan": {}}')


def streamed(text: str, size: int) -> list[Step]:
    reader = AnswerReader(TOOLS)
    rows = [row for place in range(0, len(text), size) for row in reader.feed(text[place:place + size])]
    assert reader.text == text
    return rows


@settings(max_examples=25)
@given(
    size=st.integers(1, 300),
    around=st.sampled_from(AROUND),
    indent=st.sampled_from([None, 1]),
)
def test_every_row_is_given_once_whatever_the_pieces(size: int, around: str, indent: int | None) -> None:
    text = around.replace("{}", json.dumps(json.loads(WHOLE), indent=indent))
    assert tuple(streamed(text, size)) == read_answer(text, TOOLS).draft.steps


def test_a_row_is_given_with_its_closing_brace_and_not_before() -> None:
    reader = AnswerReader(TOOLS)
    text = '{"steps": [{"id": "s1", "tool": "set_tempo", "inputs": {"bpm": 90}}'
    assert reader.feed(text[:-1]) == ()
    assert [row.id for row in reader.feed(text[-1])] == ["s1"]
    assert reader.feed(', {"id": "s2"') == ()


def test_bare_lists_and_mended_rows_stream_too() -> None:
    first, last = '{"id": 1, "name": "set_tempo", "args": {"bpm": "90"}}', '{"id": 3, "tool": "get_song"}'
    rows = streamed(f'[{first}, {{"bad": 1}}, {last}]', 5)
    assert [(row.id, row.inputs) for row in rows] == [("s1", {"bpm": 90}), ("s3", {})]


def test_a_long_plan_in_small_pieces_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[int] = []
    decode = answer.msgspec.json.decode

    def counted(text: str) -> Any:
        parsed.append(len(text))
        return decode(text)

    monkeypatch.setattr(answer.msgspec.json, "decode", counted)
    notes = [{"n": 60, "s": number / 4, "d": 0.25, "v": 90} for number in range(4000)]
    inputs = {"track_id": "t1", "start_time": 0, "duration": 1000, "notes": notes}
    steps = [{"id": f"s{number}", "tool": "get_song", "inputs": {}} for number in range(60)]
    steps[30] = {"id": "s30", "tool": "create_midi_clip", "inputs": inputs}
    text = json.dumps({"steps": steps})
    rows = streamed(text, 7)
    assert [row.id for row in rows] == [f"s{number}" for number in range(60)]
    assert len(rows[30].inputs["notes"]) == 4000
    assert len(parsed) == 60
    assert sum(parsed) < len(text)
