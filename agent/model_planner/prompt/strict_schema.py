"""A tool's input schema in the narrow dialect that strict modes take: closed objects, all fields required."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agent.plan.inputs import Schema
from agent.song.time import UNIT_BEATS

TEXT: Schema = {"type": "string"}
NULL: Schema = {"type": "null"}
_SCALARS = ("number", "integer", "boolean")


def closed(properties: dict[str, Schema], about: str = "") -> Schema:
    """The schema of an object with exactly these fields, all required; `about` is its description."""
    schema: Schema = {
        "type": "object", "properties": properties, "required": list(properties), "additionalProperties": False,
    }
    return {**schema, "description": about} if about else schema


def listed(items: Schema, about: str = "") -> Schema:
    """The schema of a list; `about` is its description."""
    schema: Schema = {"type": "array", "items": items}
    return {**schema, "description": about} if about else schema


def either(*schemas: Schema, about: str = "") -> Schema:
    """The schema of a choice (`anyOf`) with the description `about`; nested choices are flattened."""
    flat = [inner for schema in schemas for inner in _choices(schema)]
    kept = [schema for place, schema in enumerate(flat) if schema not in flat[:place]]
    abouts = " ".join(dict.fromkeys(text for text in (*map(_about, schemas), about) if text))
    result: Schema = {"anyOf": kept} if len(kept) > 1 else dict(kept[0])
    return {**result, "description": abouts} if abouts else result


def strict(schema: Schema, *, references: bool = True) -> Schema:
    """The schema without bounds, patterns, defaults and open objects, for a provider's strict mode: bounds, patterns
    and defaults are told in the description, an object with free names becomes a list of name-value pairs.

    With `references` a number or boolean may also be a string such as `{{row.field}}`.
    """
    about = schema_words(schema)
    if "anyOf" in schema:
        kept = [strict(inner, references=references) for inner in schema["anyOf"] if inner.get("type") != "null"]
        return either(*kept, about=about)
    if "enum" in schema:
        return _with_words(_enum(schema["enum"]), about)
    kind = _kind(schema)
    if kind == "array":
        items = schema.get("items")
        return listed(strict(items, references=False) if isinstance(items, dict) and items else TEXT, about)
    if kind == "object":
        return _object(schema, about)
    if kind in _SCALARS:
        plain: Schema = {"type": kind}
        return either(plain, TEXT, about=about) if references else _with_words(plain, about)
    if kind == "string":
        return _with_words(dict(TEXT), about)
    return either({"type": "number"}, {"type": "boolean"}, TEXT, about=about)


def strict_inputs(schema: Schema) -> Schema:
    """The strict schema of a tool's inputs; an optional field may be null."""
    required = schema.get("required", ())
    fields = {
        name: strict(inner) if name in required else either(strict(inner), NULL)
        for name, inner in schema.get("properties", {}).items()
    }
    return closed(fields)


def schema_words(schema: Schema) -> str:
    """What the strict dialect cannot express, as a description: unit, bounds, pattern, default."""
    parts = [" ".join(str(schema["description"]).split())] if "description" in schema else []
    if schema.get("unit") == UNIT_BEATS:
        parts.append("in beats")
    elif "unit" in schema:
        parts.append(f"in {schema['unit']}")
    if span := span_of(schema):
        parts.append(span)
    if "pattern" in schema:
        parts.append(f"matches {schema['pattern']}")
    if schema.get("maxLength") is not None and schema.get("type") == "string":
        parts.append(f"at most {schema['maxLength']} characters")
    if schema.get("default") not in (None, [], {}, ()):
        parts.append(f"else {plain(schema['default'])}")
    return "; ".join(parts)


def span_of(schema: Schema) -> str:
    """The bounds of a number in words, such as `0 to 127` or `above 0`; "" for none."""
    low, above, high = schema.get("minimum"), schema.get("exclusiveMinimum"), schema.get("maximum")
    if low is not None and high is not None:
        return f"{low:g} to {high:g}"
    begins = f"above {above:g}" if above is not None else f"from {low:g}" if low is not None else ""
    return " ".join(part for part in (begins, f"up to {high:g}" if high is not None else "") if part)


def plain(value: Any) -> str:
    """A default value as JSON writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, int | float) else str(value)


def is_open(schema: Schema) -> bool:
    """Whether the schema is an object with free field names."""
    return _kind(schema) == "object" and not schema.get("properties") and bool(schema.get("additionalProperties", True))


def pair(value: Schema) -> Schema:
    """The schema of one field of an open object, as name and value."""
    return closed({"name": TEXT, "value": value})


def _object(schema: Schema, about: str) -> Schema:
    if is_open(schema):
        rest = schema.get("additionalProperties")
        value = strict(rest) if isinstance(rest, dict) and rest else either({"type": "number"}, TEXT)
        return listed(pair(value), f"{about}; one item for each".removeprefix("; "))
    required = schema.get("required", ())
    fields = {
        name: strict(inner, references=False) if name in required or "default" in inner
        else either(strict(inner, references=False), NULL)
        for name, inner in schema.get("properties", {}).items()
    }
    return closed(fields, about)


def _enum(choices: Iterable[Any]) -> Schema:
    values = [choice for choice in choices if choice is not None]
    if all(isinstance(value, str) for value in values):
        return {"type": "string", "enum": values}
    if all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        return {"type": "integer", "enum": values}
    return {"enum": values}


def _kind(schema: Schema) -> str:
    kind = schema.get("type", "object" if "properties" in schema else "")
    return kind if isinstance(kind, str) else next((one for one in kind if one != "null"), "")


def _choices(schema: Schema) -> list[Schema]:
    if "anyOf" in schema:
        return list(schema["anyOf"])
    return [{name: value for name, value in schema.items() if name != "description"} or schema]


def _about(schema: Schema) -> str:
    return str(schema.get("description", ""))


def _with_words(schema: Schema, about: str) -> Schema:
    return {**schema, "description": about} if about else schema
