"""Tool schemas derived from the types of edits and results."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from agent.message import msg
from agent.plan.inputs import BadInput
from agent.plan.plan import Inputs
from agent.song.edits import MADE
from agent.song.time import UNIT_BEATS, to_beats

S = TypeVar("S", bound=Struct)


class NoInputs(Struct, frozen=True, forbid_unknown_fields=True):
    """The inputs of a tool that takes nothing."""


def taken(inputs: Inputs, kind: type[S]) -> S:
    """The inputs of a tool as its struct `kind`; for tools whose inputs contain no times. Raises `BadInput`."""
    try:
        return msgspec.convert(inputs, kind)
    except msgspec.ValidationError as problem:
        raise BadInput(msg("its inputs do not fit"), why=str(problem)) from None


def input_schema(kind: type[Struct]) -> dict[str, Any]:
    """The JSON schema of an edit as a tool takes it: times in beats, without the ids that are made."""
    (raw,), definitions = msgspec.json.schema_components([kind], ref_template="{name}")
    schema: dict[str, Any] = _inlined(raw, definitions)
    schema["properties"].pop("edit", None)
    schema["required"] = [name for name in schema.get("required", []) if name != "edit"]
    schema.pop("title", None)
    schema.pop("description", None)
    return schema


def result_schema(kind: type[Struct] | Any) -> dict[str, Any]:
    """The JSON schema of a tool's result."""
    (raw,), definitions = msgspec.json.schema_components([kind], ref_template="{name}")
    schema: dict[str, Any] = _inlined(raw, definitions)
    return schema


def made_fields(kind: type[Struct]) -> tuple[str, ...]:
    """Names of the fields of an edit that receive new ids."""
    (raw,), definitions = msgspec.json.schema_components([kind], ref_template="{name}")
    properties = definitions[raw["$ref"]]["properties"]
    return tuple(name for name, schema in properties.items() if schema.get(MADE))


def _inlined(schema: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_inlined(inner, definitions) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        rest = {name: value for name, value in schema.items() if name != "$ref"}
        return _inlined({**definitions[schema["$ref"]], **rest}, definitions)
    schema = {name: _inlined(inner, definitions) for name, inner in schema.items()}
    if "properties" in schema:
        schema["properties"] = {
            name: inner for name, inner in schema["properties"].items() if not inner.get(MADE)
        }
    return _in_beats(schema) if schema.get("unit") == UNIT_BEATS else schema


def _in_beats(schema: dict[str, Any]) -> dict[str, Any]:
    positive = schema.pop("minimum", 0) > 0
    schema["type"] = "number"
    schema["exclusiveMinimum" if positive else "minimum"] = 0
    if isinstance(schema.get("default"), int):
        schema["default"] = to_beats(schema["default"])
    return schema
