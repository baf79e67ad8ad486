"""Mending one row's inputs by its tool's schema; whatever was changed is said in a sentence."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable

from agent.model_planner.prompt.strict_schema import is_open
from agent.model_planner.reading.note_mending import are_plain, is_note_schema, mended_notes
from agent.plan.inputs import Schema
from agent.plan.plan import Inputs, Json
from agent.plan.references import is_reference

_NUMBER = re.compile(r"\s*[+-]?(\d{1,15}(\.\d{0,15})?|\.\d{1,15})(e[+-]?\d{1,3})?\s*", re.IGNORECASE)
_OTHER_NAMES = {
    "track": ("track_id",), "clip": ("clip_id",), "section": ("section_id",), "effect": ("effect_name", "effect_id"),
    "start": ("start_time",), "time": ("start_time", "at"), "beat": ("at", "at_beat", "start_time"),
    "at": ("start_time", "at_time"), "length": ("duration",), "tempo": ("bpm",), "parameters": ("params",),
    "settings": ("params",), "volume": ("volume_db",), "title": ("name",), "track_name": ("name",),
    "clip_name": ("name",), "type": ("effect_name",),
}
"""What models call an input, and the inputs that it may mean: the first that the tool has."""

_PAIR_NAMES = ("name", "key", "parameter", "param")


class InputMender:
    """Repairs a row's inputs to fit its tool's schema; `say` takes sentences about what was changed."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say

    def inputs(self, schema: Schema, raw: dict[str, Json]) -> Inputs:
        """The inputs with what can be repaired repaired; remaining errors are left for the check of the plan."""
        return self._object(schema, raw, "")

    def _value(self, schema: Schema, value: Json, path: str) -> Json:
        if value is None or is_reference(value):
            return value
        if "anyOf" in schema:
            inner = [choice for choice in schema["anyOf"] if choice.get("type") != "null"]
            return self._value(inner[0], value, path) if len(inner) == 1 else value
        if "enum" in schema:
            return self._chosen(schema["enum"], value, path)
        kind = schema.get("type")
        if kind == "array":
            return self._array(schema, value, path)
        if kind == "object":
            return self._any_object(schema, value, path)
        return self._scalar(kind, value, path)

    def _scalar(self, kind: Json, value: Json, path: str) -> Json:
        made = value
        if kind in ("number", "integer") and isinstance(value, str):
            made = number_in(value)
        elif kind == "boolean" and isinstance(value, str):
            made = {"true": True, "false": False, "yes": True, "no": False}.get(value.strip().lower(), value)
        elif kind == "string" and isinstance(value, int | float) and not isinstance(value, bool):
            made = f"{value:g}" if isinstance(value, float) else str(value)[:40]
        if made is not value and type(made) is not type(value):
            self._say(f"{path}: {_shown(value)} was read as {_shown(made)}")
        return made

    def _chosen(self, choices: list[Json], value: Json, path: str) -> Json:
        if value in choices:
            return value
        said = _folded(value)
        fitting = [choice for choice in choices if _folded(choice) == said]
        if len(fitting) == 1:
            self._say(f"{path}: {_shown(value)} was read as {_shown(fitting[0])}")
            return fitting[0]
        return value

    def _array(self, schema: Schema, value: Json, path: str) -> Json:
        if isinstance(value, str):
            value = self._parsed(value, path)
        items = schema.get("items")
        if isinstance(value, dict) or (isinstance(value, str) and _takes_text(items)):
            self._say(f"{path}: one item was read as a list")
            value = [value]
        if not isinstance(value, list) or not isinstance(items, dict):
            return value
        if is_note_schema(items):
            if are_plain(value):
                return value
            value, changed = mended_notes(value)
            if changed:
                self._say(f"{path}: {len(value)} notes were brought into the form n, s, d, v")
            return self._items(items, value, path)
        return self._items(items, value, path)

    def _items(self, schema: Schema, values: list[Json], path: str) -> list[Json]:
        """Each item mended; of equal sentences on many items one is said."""
        said: dict[str, int] = {}
        mender = InputMender(lambda text: said.update({text: said.get(text, 0) + 1}))
        made = [mender._value(schema, value, path) for value in values]
        for text, count in list(said.items())[:4]:
            self._say(f"{text} ({count} times)" if count > 1 else text)
        return made

    def _parsed(self, value: str, path: str) -> Json:
        if value.lstrip()[:1] not in ("[", "{"):
            return value
        try:
            made = json.loads(value)
        except (ValueError, RecursionError):
            return value
        self._say(f"{path}: a list written as text was read as a list")
        return made

    def _any_object(self, schema: Schema, value: Json, path: str) -> Json:
        if isinstance(value, str):
            value = self._parsed(value, path)
        if isinstance(value, list):
            pairs = pairs_of(value)
            if pairs is None:
                return value
            value = pairs
        return self._object(schema, value, path) if isinstance(value, dict) else value

    def _object(self, schema: Schema, value: dict[str, Json], path: str) -> dict[str, Json]:
        if is_open(schema):
            rest = schema.get("additionalProperties")
            inner = rest if isinstance(rest, dict) else {}
            return {
                name: self._value(inner, item, f"{path}.{name}".lstrip("."))
                for name, item in value.items() if item is not None
            }
        properties: dict[str, Schema] = schema.get("properties", {})
        made: dict[str, Json] = {}
        for name, item in self._named(properties, value, path).items():
            field = f"{path}.{name}".lstrip(".")
            if name not in properties:
                if schema.get("additionalProperties", True) is not False:
                    made[name] = item
                elif item is not None:
                    self._say(f"{field[:80]} was left out: the tool does not take it")
            elif item is not None or name in schema.get("required", ()):
                made[name] = self._value(properties[name], item, field)
        return made

    def _named(self, properties: dict[str, Schema], value: dict[str, Json], path: str) -> dict[str, Json]:
        named: dict[str, Json] = {}
        for name, item in value.items():
            meant = _meant(name, properties)
            if meant is None or value.get(meant) is not None or named.get(meant) is not None:
                named.setdefault(name, item)
            else:
                named[meant] = item
                self._say(f"{path} {name[:40]} was read as {meant}".strip())
        return named


def pairs_of(items: list[Json]) -> dict[str, Json] | None:
    """The object written as a list of `{name, value}` items; None if the list is something else."""
    made: dict[str, Json] = {}
    for item in items:
        if not isinstance(item, dict) or len(item) != 2 or "value" not in item:
            return None
        name = next((item[word] for word in _PAIR_NAMES if word in item), None)
        if not isinstance(name, str):
            return None
        made[name] = item["value"]
    return made


def number_in(text: str) -> Json:
    """The text as a number if it is one, otherwise unchanged."""
    if _NUMBER.fullmatch(text) is None:
        return text
    number = float(text)
    if not math.isfinite(number):
        return text
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def _meant(name: str, properties: dict[str, Schema]) -> str | None:
    """The input that another name stands for: another way to write it, or a usual name."""
    if name in properties:
        return None
    folded = _folded(name)
    for known in properties:
        if _folded(known) == folded:
            return known
    others = _OTHER_NAMES.get(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower(), ())
    return next((other for other in others if other in properties), None)


def _folded(value: Json) -> str:
    return re.sub(r"[\s_-]", "", str(value)[:200]).lower()


def _takes_text(items: Json) -> bool:
    return isinstance(items, dict) and items.get("type") == "string"


def _shown(value: Json) -> str:
    return f"{value!r:.60}"
