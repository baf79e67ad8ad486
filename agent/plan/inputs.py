"""Reading a step's inputs by its tool's schema: checked, defaults filled, beats turned into ticks.

The schemas are JSON Schema, reduced to what tools use: types, properties, items, anyOf, enum, bounds,
patterns and defaults. `"unit": "beats"` marks a time.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from itertools import chain, repeat
from typing import Any, TypeAlias

from agent.plan.errors import PlanError
from agent.plan.plan import Json
from agent.plan.references import is_reference
from agent.song.time import UNIT_BEATS, to_ticks

Schema: TypeAlias = dict[str, Any]

_MAX_BEATS = 1e7
_TYPES: dict[str, Callable[[Json], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list | tuple),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: _is_whole(value),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
}
_NOUNS = {"object": "an object", "array": "a list", "string": "a text", "boolean": "true or false",
          "null": "null", "integer": "a whole number", "number": "a number"}


class BadInput(PlanError):
    """An input that does not fit its tool's schema; `what` begins with its path."""


def read_inputs(schema: Schema, inputs: Json, *, open_references: bool = False) -> dict[str, Json]:
    """The inputs in ticks with defaults filled; raises `BadInput`.

    With `open_references` a text that holds a reference passes wherever it stands and is kept as it is.
    """
    read = _Reader(open_references).value(schema, inputs, "inputs")
    assert isinstance(read, dict)
    return read


class _Reader:
    def __init__(self, open_references: bool) -> None:
        self._open = open_references

    def value(self, schema: Schema, value: Json, path: str) -> Json:
        if self._open and is_reference(value):
            return value
        if "anyOf" in schema:
            return self._any_of(schema["anyOf"], value, path)
        if schema.get("unit") == UNIT_BEATS:
            return self._beats(schema, value, path)
        self._check_type(schema, value, path)
        if "enum" in schema:
            return _chosen(schema["enum"], value, path)
        if isinstance(value, dict):
            return self._object(schema, value, path)
        if isinstance(value, list | tuple):
            return self._array(schema, value, path)
        if isinstance(value, str):
            _check_text(schema, value, path)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            return _number(schema, value, path)
        return value

    def _any_of(self, schemas: list[Schema], value: Json, path: str) -> Json:
        problems = []
        for schema in schemas:
            try:
                return self.value(schema, value, path)
            except BadInput as problem:
                problems.append((schema.get("type") == "null", problem))
        raise min(problems, key=lambda pair: pair[0])[1]

    def _beats(self, schema: Schema, value: Json, path: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _MAX_BEATS:
            raise BadInput(f"{path} is {value!r:.60}", why="a time is a number of beats")
        if value < 0:
            raise BadInput(f"{path} is {value:g} beats", why="a time cannot be negative")
        if "exclusiveMinimum" not in schema:
            return to_ticks(value)
        if value == 0:
            raise BadInput(f"{path} is 0 beats", why="it must last longer than nothing")
        return max(1, to_ticks(value))

    def _check_type(self, schema: Schema, value: Json, path: str) -> None:
        wanted = schema.get("type")
        if wanted is None:
            return
        kinds = [wanted] if isinstance(wanted, str) else wanted
        if not any(_TYPES[kind](value) for kind in kinds):
            nouns = " or ".join(_NOUNS[kind] for kind in kinds)
            raise BadInput(f"{path} is {value!r:.60}", why=f"it must be {nouns}")

    def _object(self, schema: Schema, value: dict[str, Json], path: str) -> dict[str, Json]:
        properties: dict[str, Schema] = schema.get("properties", {})
        read: dict[str, Json] = {}
        for name in schema.get("required", ()):
            if name not in value:
                raise BadInput(f"{path}.{name} is missing", fix=f"the tool takes {_listed(list(properties))}")
        for name, inner in value.items():
            rest = schema.get("additionalProperties", True)
            if name in properties:
                read[name] = self.value(properties[name], inner, f"{path}.{name}")
            elif rest is False:
                known = _listed(list(properties))
                raise BadInput(f"{path}.{name!s:.40} is unknown", fix=f"the tool takes {known}")
            else:
                read[name] = self.value(rest, inner, f"{path}.{name}") if isinstance(rest, dict) else inner
        for name, inner_schema in properties.items():
            if name not in read and "default" in inner_schema:
                read[name] = self._default(inner_schema, f"{path}.{name}")
        return read

    def _default(self, schema: Schema, path: str) -> Json:
        default = schema["default"]
        return default if default is None else self.value(schema, default, path)

    def _array(self, schema: Schema, value: list[Json] | tuple[Json, ...], path: str) -> list[Json]:
        if len(value) < schema.get("minItems", 0) or len(value) > schema.get("maxItems", math.inf):
            raise BadInput(f"{path} has {len(value)} items", why="that is too few or too many")
        first: list[Schema] = schema.get("prefixItems", [])
        rest = schema.get("items", True)
        if rest is False and len(value) > len(first):
            raise BadInput(f"{path} has {len(value)} items", why=f"it takes {len(first)}")
        schemas = chain(first, repeat(rest if isinstance(rest, dict) else {}))
        pairs = enumerate(zip(value, schemas, strict=False))
        return [self.value(inner, item, f"{path}[{i}]") for i, (item, inner) in pairs]


def is_finite(value: float) -> bool:
    """Whether the number can be counted with; JSON can hold whole numbers that no float can."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _is_whole(value: Json) -> bool:
    return not isinstance(value, bool) and (isinstance(value, int) or (isinstance(value, float) and value.is_integer()))


def _number(schema: Schema, value: float, path: str) -> float:
    if not is_finite(value):
        raise BadInput(f"{path} is {value!r:.60}", why="it must be a finite number, below 1e308")
    low, high = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
    above = schema.get("exclusiveMinimum", -math.inf)
    if not low <= value <= high or value <= above:
        bounds = f"above {above:g}" if above > -math.inf else f"{low:g} to {high:g}"
        raise BadInput(f"{path} is {value:g}", why=f"it must lie in {bounds}")
    # Adding 0.0 turns -0.0 into 0.0, so that both are one value.
    return int(value) if schema.get("type") == "integer" else value + 0.0 if schema.get("type") == "number" else value


def _chosen(choices: list[Json], value: Json, path: str) -> Json:
    """The choice that equals the value; true is not 1, but 4.0 is 4."""
    for choice in choices:
        if choice == value and isinstance(choice, bool) == isinstance(value, bool):
            return choice
    raise BadInput(f"{path} is {value!r:.60}", fix=f"choose one of {_listed(choices)}")


def _check_text(schema: Schema, value: str, path: str) -> None:
    if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", math.inf):
        raise BadInput(f"{path} has {len(value)} characters", why="that is too short or too long")
    if "pattern" in schema and not re.search(schema["pattern"], value):
        raise BadInput(f"{path} is {value!r:.60}", why=f"it must match {schema['pattern']}")


def _listed(names: list[Json]) -> str:
    text = ", ".join(str(name) for name in names[:24])
    return text if len(names) <= 24 else f"{text}, ..."
