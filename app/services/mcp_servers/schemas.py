"""Schemas of servers, brought into the small JSON Schema that plans are checked by.

References are written out and combinations reduced, within a budget, so that no schema can cost more than it
says. What is left out, a pattern above all (it would run in this program), the server checks itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent.errors import BandleaderError
from agent.plan.inputs import Schema, is_finite, read_inputs
from agent.plan.plan import Json
from app.services.mcp_servers.plain_text import one_line

_TYPES = ("object", "array", "string", "boolean", "null", "integer", "number")
_BOUNDS = ("minimum", "maximum", "exclusiveMinimum")
_COUNTS = ("minLength", "maxLength", "minItems", "maxItems")
_DEEPEST = 12
_MOST = 2000
"""Most nodes of an expanded schema."""
_ABOUT = 300
_CHOICES = 500


def readable_inputs(schema: Json) -> Schema:
    """The simplified schema of a tool's inputs. If it names fields without allowing others, others are refused: most
    servers would silently ignore them."""
    read = _object(schema, defaults=True)
    return {"additionalProperties": False, **read} if read["properties"] else read


def readable_result(schema: Json) -> Schema:
    """The simplified schema of a tool's results."""
    return _object(schema, defaults=False)


def _object(schema: Json, *, defaults: bool) -> Schema:
    reader = _Reader(schema if isinstance(schema, dict) else {}, defaults=defaults)
    read = reader.read(schema, 0)
    for word in ("anyOf", "enum", "default"):
        read.pop(word, None)
    return {"properties": {}, **read, "type": "object"}


class _Reader:
    def __init__(self, root: dict[str, Json], *, defaults: bool) -> None:
        self._root = root
        self._left = _MOST
        self._defaults = defaults

    def read(self, schema: Json, depth: int) -> Schema:
        """One place of the schema; an empty one takes anything."""
        self._left -= 1
        if not isinstance(schema, dict) or depth > _DEEPEST or self._left < 0:
            return {}
        whole = self._followed(schema)
        if whole is None:
            return {}
        read: Schema = {}
        if isinstance(about := whole.get("description"), str) and about.strip():
            read["description"] = one_line(about, _ABOUT)
        choices = next((whole[word] for word in ("anyOf", "oneOf") if isinstance(whole.get(word), list)), None)
        if choices:
            read["anyOf"] = [self.read(choice, depth + 1) for choice in choices[:20]]
            if len(choices) > 20:
                read["anyOf"].append({})
        else:
            read.update(self._kind(whole, depth))
        self._keep_default(read, whole)
        return read

    def _followed(self, schema: dict[str, Json]) -> dict[str, Json] | None:
        """The schema with its reference and its parts put into one; None where that cannot be done."""
        for _ in range(_DEEPEST):
            if isinstance(schema.get("$ref"), str):
                target = self._target(schema["$ref"])
                if target is None:
                    return None
                schema = {**target, **{name: value for name, value in schema.items() if name != "$ref"}}
            elif isinstance(schema.get("allOf"), list):
                schema = self._merged(schema)
            else:
                return schema
        return None

    def _target(self, reference: str) -> dict[str, Json] | None:
        if not reference.startswith("#"):
            return None
        found: Any = self._root
        for part in reference[1:].split("/")[1:]:
            name = part.replace("~1", "/").replace("~0", "~")
            if not isinstance(found, dict) or name not in found:
                return None
            found = found[name]
        return found if isinstance(found, dict) else None

    def _merged(self, schema: dict[str, Json]) -> dict[str, Json]:
        """`allOf` put into one: fields of objects side by side, of everything else the last word."""
        whole: dict[str, Json] = {}
        rest = {name: value for name, value in schema.items() if name != "allOf"}
        for part in (*schema["allOf"][:20], rest):
            for name, value in self._part(part).items():
                before = whole.get(name)
                if name == "properties" and isinstance(before, dict) and isinstance(value, dict):
                    whole[name] = {**before, **value}
                elif name == "required" and isinstance(before, list) and isinstance(value, list):
                    whole[name] = [*before, *value]
                elif name == "additionalProperties":
                    # Each part would close itself to the fields of the others.
                    whole[name] = True
                else:
                    whole[name] = value
        return whole

    def _part(self, part: Json) -> dict[str, Json]:
        if not isinstance(part, dict):
            return {}
        return (self._target(part["$ref"]) or {}) if isinstance(part.get("$ref"), str) else part

    def _kind(self, schema: dict[str, Json], depth: int) -> Schema:
        read: Schema = {}
        kinds = [kind for kind in _listed(schema.get("type")) if kind in _TYPES]
        if kinds:
            read["type"] = kinds[0] if len(kinds) == 1 else kinds
        elif "properties" in schema:
            read["type"] = "object"
        choices = [schema["const"]] if "const" in schema else schema.get("enum")
        if isinstance(choices, list) and 0 < len(choices) <= _CHOICES and all(map(_is_plain, choices)):
            return {"enum": choices}
        read.update({word: schema[word] for word in _BOUNDS if _is_number(schema.get(word))})
        read.update({word: schema[word] for word in _COUNTS if _is_number(schema.get(word))})
        read.update(self._object(schema, depth))
        read.update(self._array(schema, depth))
        return read

    def _object(self, schema: dict[str, Json], depth: int) -> Schema:
        read: Schema = {}
        if isinstance(properties := schema.get("properties"), dict):
            read["properties"] = {str(name): self.read(inner, depth + 1) for name, inner in properties.items()}
        if required := [name for name in _listed(schema.get("required")) if isinstance(name, str)]:
            read["required"] = required
        rest = schema.get("additionalProperties")
        if isinstance(rest, dict):
            read["additionalProperties"] = self.read(rest, depth + 1)
        elif rest is False and not schema.get("patternProperties"):
            read["additionalProperties"] = False
        elif rest is True or schema.get("patternProperties"):
            read["additionalProperties"] = True
        return read

    def _array(self, schema: dict[str, Json], depth: int) -> Schema:
        read: Schema = {}
        if isinstance(first := schema.get("prefixItems"), list):
            read["prefixItems"] = [self.read(inner, depth + 1) for inner in first[:20]]
        items = schema.get("items")
        if isinstance(items, dict):
            read["items"] = self.read(items, depth + 1)
        elif items is False and isinstance(first, list) and len(first) <= 20:
            read["items"] = False
        return read

    def _keep_default(self, read: Schema, schema: dict[str, Json]) -> None:
        """A default counts only if it fits its own schema: else every plan would fail by it."""
        if not self._defaults or "default" not in schema:
            return
        try:
            read_inputs({"type": "object", "properties": {"it": read}}, {"it": schema["default"]})
        except (BandleaderError, TypeError, KeyError):
            return
        read["default"] = schema["default"]


def _listed(value: Json) -> Iterator[Any]:
    yield from value if isinstance(value, list) else [] if value is None else [value]


def _is_plain(value: Json) -> bool:
    return value is None or isinstance(value, str | int | float)


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and is_finite(value)
