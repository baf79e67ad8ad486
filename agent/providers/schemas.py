"""JSON schemas as each provider takes them."""

from __future__ import annotations

from agent.plan.plan import Json

_NOT_STRICT = frozenset({
    "allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "patternProperties",
    "propertyNames", "unevaluatedProperties",
})
_SCHEMAS_BY_NAME = ("properties", "$defs", "definitions")


def fits_strict(schema: Json) -> bool:
    """Whether OpenAI's strict mode accepts the schema unchanged: closed objects with all properties required."""
    if not isinstance(schema, dict) or schema.get("type") != "object":
        return False
    return _strict(schema)


def _strict(schema: Json) -> bool:
    if not isinstance(schema, dict) or _NOT_STRICT & schema.keys():
        return False
    properties = schema.get("properties")
    if schema.get("type") == "object" or properties is not None:
        names = properties if isinstance(properties, dict) else {}
        if schema.get("additionalProperties") is not False or set(schema.get("required", ())) != set(names):
            return False
    return all(map(_strict, _parts(schema)))


def for_anthropic(schema: Json) -> Json | None:
    """The schema in the form of Anthropic's structured output: objects closed, limits in words. None if it cannot be
    expressed; the reply is free text then. Imports the SDK."""
    import anthropic

    try:
        return anthropic.transform_schema(_one_type_each(schema))
    except (ValueError, AssertionError, TypeError, AttributeError, KeyError):
        return None


def _one_type_each(schema: Json) -> Json:
    """The schema with each list of types as `anyOf`, which the SDK's own rewriting does not know."""
    if isinstance(schema, list):
        return [_one_type_each(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    mapped = {
        key: {name: _one_type_each(one) for name, one in value.items()}
        if key in _SCHEMAS_BY_NAME and isinstance(value, dict)
        else value if key in ("enum", "const", "default", "examples", "required") else _one_type_each(value)
        for key, value in schema.items()
    }
    types = mapped.get("type")
    if not isinstance(types, list):
        return mapped
    if "enum" in mapped or "const" in mapped:
        return {key: value for key, value in mapped.items() if key != "type"}
    return {"anyOf": [_of_type(mapped, kind) for kind in types]}


_OF_OBJECT = frozenset({"properties", "required", "additionalProperties"})
_OF_ARRAY = frozenset({"items", "minItems", "maxItems"})


def _of_type(schema: dict[str, Json], kind: Json) -> Json:
    strange = (_OF_OBJECT if kind != "object" else frozenset()) | (_OF_ARRAY if kind != "array" else frozenset())
    if kind == "null":
        return {"type": "null"}
    return {**{key: value for key, value in schema.items() if key not in strange}, "type": kind}


def _parts(schema: dict[str, Json]) -> list[Json]:
    parts: list[Json] = []
    for name in _SCHEMAS_BY_NAME:
        value = schema.get(name)
        if isinstance(value, dict):
            parts += value.values()
    if "items" in schema:
        parts.append(schema["items"])
    any_of = schema.get("anyOf")
    return parts + any_of if isinstance(any_of, list) else parts
