"""Schemas of servers as plans check them: whatever a server writes, checking ends, and refuses what it can."""

from __future__ import annotations

from typing import Any

import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.model_planner.prompt.offered_schema import compact_tools, plan_schema, tool_offers
from agent.plan.inputs import BadInput, read_inputs
from agent.plan.tool import ToolSpec
from app.services.mcp_servers.schemas import readable_inputs, readable_result

PLACE = {"type": "object", "properties": {"x": {"type": "number", "minimum": 0}}, "required": ["x"]}


def offered(schema: Any) -> ToolSpec:
    return ToolSpec("web__do", "mcp:web", "1", "Does it.", readable_inputs(schema), readable_result(schema))


def test_references_are_written_out_and_checked() -> None:
    schema = readable_inputs({
        "type": "object", "properties": {"at": {"$ref": "#/$defs/Place"}}, "required": ["at"],
        "$defs": {"Place": PLACE},
    })
    read_inputs(schema, {"at": {"x": 1}})
    for wrong in ({}, {"at": {}}, {"at": {"x": -1}}, {"at": 3}, {"at": {"x": 1}, "ta": 2}):
        with pytest.raises(BadInput):
            read_inputs(schema, wrong)


def test_choices_and_parts_are_reduced_to_what_they_mean() -> None:
    schema = readable_inputs({"properties": {
        "one": {"oneOf": [{"type": "string"}, {"const": 7}]},
        "both": {"allOf": [{"$ref": "#/definitions/Place"}, {"properties": {"y": {"type": "string"}}}]},
    }, "definitions": {"Place": PLACE}})
    read_inputs(schema, {"one": "a", "both": {"x": 1, "y": "b"}})
    read_inputs(schema, {"one": 7})
    for wrong in ({"one": 8}, {"both": {"y": "b"}}, {"both": {"x": 1, "y": 2}}):
        with pytest.raises(BadInput):
            read_inputs(schema, wrong)


def test_a_schema_that_refers_to_itself_or_outside_takes_anything_there() -> None:
    tree = {"type": "object", "properties": {"left": {"$ref": "#"}, "far": {"$ref": "https://example.com/a.json"}}}
    schema = readable_inputs(tree)
    read_inputs(schema, {"left": {"left": {"left": {}}}, "far": [1]})
    with pytest.raises(BadInput):
        read_inputs(schema, {"left": {"right": 1}, "other": 2})


def test_one_that_would_grow_without_end_is_cut() -> None:
    doubling: dict[str, Any] = {"n40": {"type": "string"}}
    doubling |= {f"n{i}": {"anyOf": [{"$ref": f"#/$defs/n{i + 1}"}] * 2} for i in range(40)}
    schema = readable_inputs({"type": "object", "properties": {"a": {"$ref": "#/$defs/n0"}}, "$defs": doubling})
    assert len(str(schema)) < 200_000


def test_a_bound_that_no_number_can_be_compared_with_is_left_to_the_server() -> None:
    huge = {"minimum": -(10**400), "maximum": 10**400, "exclusiveMinimum": 10**400, "default": 10**400}
    assert read_inputs(readable_inputs({"properties": {"x": {"type": "number", **huge}}}), {"x": 3}) == {"x": 3}


def test_a_default_that_does_not_fit_and_words_of_ours_are_left_out() -> None:
    schema = readable_inputs({"properties": {
        "many": {"type": "integer", "default": "lots"}, "few": {"type": "integer", "default": 3},
        "when": {"type": "number", "unit": "beats"}, "made": {"type": "string", "pattern": "(a+)+$"},
    }})
    assert read_inputs(schema, {"when": 1.5, "made": "a" * 60 + "b"}) == {"few": 3, "when": 1.5, "made": "a" * 60 + "b"}


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3), max_leaves=8,
)
_WORDS = st.sampled_from((
    "type", "properties", "items", "prefixItems", "anyOf", "oneOf", "allOf", "enum", "const", "required", "default",
    "additionalProperties", "$ref", "$defs", "minimum", "maximum", "exclusiveMinimum", "minLength", "maxItems",
    "pattern", "description", "unit", "not", "format",
))
_KINDS = st.sampled_from(("object", "array", "string", "integer", "number", "boolean", "null", "strange"))
_SCHEMAS = st.recursive(
    st.fixed_dictionaries({}, optional={"type": _KINDS, "$ref": st.sampled_from(("#", "#/a", "#/$defs/b"))}) | _JSON,
    lambda inner: st.dictionaries(_WORDS, inner | st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(("a", "b", "c")), inner, max_size=3), max_size=5), max_leaves=12,
)


@settings(max_examples=examples(300))
@given(schema=_SCHEMAS, value=st.dictionaries(st.sampled_from(("a", "b", "c")), _JSON, max_size=3))
def test_no_schema_breaks_the_checking_or_what_models_are_told(schema: Any, value: dict[str, Any]) -> None:
    tool = offered(schema)
    for read in (tool.inputs, tool.result):
        try:
            read_inputs(read, value)
        except BadInput:
            continue
    plan_schema((tool,))
    plan_schema((tool,), typed=True)
    compact_tools((tool,))
    tool_offers((tool,))
