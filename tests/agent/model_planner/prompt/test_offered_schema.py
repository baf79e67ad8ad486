"""What is offered to models keeps to the dialect of strict modes and leaves no input out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from studio_parts import a_registry

from agent.model_planner.prompt.offered_schema import compact_tools, plan_schema, tool_offers

TOOLS = tuple(a_registry().tools.values())
ALLOWED = {"type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "const", "description"}
MOST_UNIONS = 16
"""How many unions the strictest API takes in one schema."""


def schemas(schema: dict[str, Any], depth: int = 0) -> Iterator[tuple[dict[str, Any], int]]:
    """Every schema in a schema, and how many objects it stands in."""
    yield schema, depth
    for inner in schema.get("properties", {}).values():
        yield from schemas(inner, depth + 1)
    for inner in (*schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else [])):
        yield from schemas(inner, depth)


@pytest.mark.parametrize("typed", [False, True])
def test_the_schema_keeps_to_the_dialect_of_strict_modes(typed: bool) -> None:
    for schema, depth in schemas(plan_schema(TOOLS, typed=typed)):
        assert set(schema) <= ALLOWED
        assert isinstance(schema.get("type", ""), str)
        assert "type" in schema or "anyOf" in schema or "enum" in schema
        assert depth <= 5
        if schema.get("type") == "object":
            assert schema["additionalProperties"] is False
            assert schema["required"] == list(schema["properties"])


def test_the_plain_schema_has_few_unions_and_a_small_size() -> None:
    schema = plan_schema(TOOLS)
    assert sum("anyOf" in inner for inner, _ in schemas(schema)) <= MOST_UNIONS
    assert len(json.dumps(schema)) < 8000


def test_members_of_a_union_of_objects_differ_in_their_first_field() -> None:
    for typed in (False, True):
        for schema, _ in schemas(plan_schema(TOOLS, typed=typed)):
            firsts = [
                json.dumps(next(iter(choice["properties"].items())))
                for choice in schema.get("anyOf", ()) if choice.get("type") == "object"
            ]
            assert len(firsts) == len(set(firsts))


def test_each_tool_has_its_row_with_all_its_inputs_and_room_for_references() -> None:
    rows = plan_schema(TOOLS, typed=True)["properties"]["steps"]["items"]["anyOf"]
    assert [row["properties"]["tool"]["const"] for row in rows] == [tool.name for tool in TOOLS]
    for row, tool in zip(rows, TOOLS, strict=True):
        inputs = row["properties"]["inputs"]["properties"]
        assert set(inputs) == set(tool.inputs["properties"])
        for name, schema in inputs.items():
            choices = schema.get("anyOf", [schema])
            takes_text = any(choice.get("type") in ("string", "array", "integer") for choice in choices)
            assert takes_text, f"{tool.name}.{name}"
            optional = name not in tool.inputs["required"]
            assert any(choice.get("type") == "null" for choice in choices) is optional
    by_name = {row["properties"]["tool"]["const"]: row["properties"]["inputs"]["properties"] for row in rows}
    assert "1 to 999" in by_name["set_tempo"]["bpm"]["description"]
    assert "in beats" in by_name["set_tempo"]["at_beat"]["description"]


def test_tools_are_offered_with_ordinary_schemas() -> None:
    offers = {offer.name: offer for offer in tool_offers(TOOLS)}
    assert set(offers) == {tool.name for tool in TOOLS}
    clip = offers["create_midi_clip"].schema
    assert "unit" not in json.dumps(clip)
    assert clip["properties"]["start_time"]["description"] == "in beats"
    assert set(offers["set_time_signature"].schema["properties"]) == {"beats", "unit", "at_beat"}


def test_the_short_list_names_every_tool_and_input_in_few_words() -> None:
    text = compact_tools(TOOLS)
    lines = text.splitlines()
    assert len(lines) == len(TOOLS)
    for line, tool in zip(lines, TOOLS, strict=True):
        assert line.startswith(f"{tool.name}(")
        assert all(f"{name}" in line for name in tool.inputs["properties"])
    assert "set_tempo(bpm: 1 to 999, at_beat?: beats = 0)" in text
    assert "notes?: [{n: 0 to 127, s: beats, d: beats, v?: 1 to 127 = 100}]" in text
    assert "params?: {name: number}" in text
    assert "-> track_id" in text
    assert len(text) < 6000
