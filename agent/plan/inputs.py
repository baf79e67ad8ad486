"""Reading a step's inputs by its tool's schema: checked, defaults filled, beats turned into ticks.

The schemas are JSON Schema, reduced to what tools use: types, properties, items, anyOf, enum, bounds,
patterns and defaults. `"unit": "beats"` marks a time.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable
from functools import partial
from itertools import chain, repeat
from typing import Any, TypeAlias

from agent.message import Text, msg
from agent.plan.errors import PlanError
from agent.plan.plan import Json
from agent.plan.references import is_reference
from agent.plan.watch import UNWATCHED, Watch
from agent.song.time import UNIT_BEATS, to_ticks

Schema: TypeAlias = dict[str, Any]
_Read: TypeAlias = Callable[[Json], Json]

_MAX_BEATS = 1e7
_LOOK_EVERY = 5000
"""Items of a list: some hundredths of a second."""
_TYPES: dict[str, Callable[[Json], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list | tuple),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: _is_whole(value),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
}
_USUAL: dict[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list, tuple), "string": (str,), "boolean": (bool,), "null": (type(None),),
    "integer": (int,), "number": (int, float),
}
_NUMBERS = frozenset((int, float))
_NOUNS = {"object": "an object", "array": "a list", "string": "a text", "boolean": "true or false",
          "null": "null", "integer": "a whole number", "number": "a number"}


class BadInput(PlanError):
    """An input that does not fit its tool's schema; `what` begins with its path."""


def read_inputs(
    schema: Schema, inputs: Json, *, open_references: bool = False, watch: Watch = UNWATCHED
) -> dict[str, Json]:
    """The inputs in ticks with defaults filled. With `open_references` a text that holds a reference such as
    `{{row.id}}` is accepted for any type of field and kept unchanged. Raises `BadInput`, and `Stopped` when `watch`
    says so."""
    try:
        read = _Readers(open_references, watch).of(schema)(inputs)
    except _Misfit as problem:
        path = "".join(reversed(problem.path))
        raise BadInput(
            msg("inputs{path} {what}", path=path, what=problem.what), why=problem.why, fix=problem.fix,
        ) from None
    assert isinstance(read, dict)
    return read


class _Misfit(Exception):
    """A value that does not fit; its path is put together, innermost first, on the way out, so that a plan of a million
    values needs none that fit."""

    def __init__(self, what: Text, *, why: Text = "", fix: Text = "") -> None:
        super().__init__(what)
        self.what, self.why, self.fix = what, why, fix
        self.path: list[str] = []


class _Readers:
    """Makes readers of schemas, each when its first value comes: one function reads all the notes of a list."""

    def __init__(self, open_references: bool, watch: Watch) -> None:
        self._open = open_references
        self._watch = watch

    def of(self, schema: Schema) -> _Read:
        """The reader of values of a schema."""
        read = self._closed(schema)
        if not self._open:
            return _quick(schema, read)

        def opened(value: Json) -> Json:
            return value if isinstance(value, str) and is_reference(value) else read(value)

        return _quick(schema, opened)

    def _closed(self, schema: Schema) -> _Read:
        if "anyOf" in schema:
            return self._any_of(schema["anyOf"])
        if schema.get("unit") == UNIT_BEATS:
            return partial(_beats, "exclusiveMinimum" in schema)
        refuse = _type_check(schema)
        if "enum" in schema:
            return lambda value: refuse(value) or _chosen(schema["enum"], value)
        return self._content(schema, refuse)

    def _content(self, schema: Schema, refuse: _Read) -> _Read:
        number, array = partial(_number, schema), self._array(schema)
        readers: dict[type, _Read] = {
            dict: self._object(schema), list: array, tuple: array, str: partial(_text, schema), int: number,
            float: number,
        }
        fitting = _usual_types(schema)
        usual = {kind: reader for kind, reader in readers.items() if kind in fitting}

        def read(value: Json) -> Json:
            reader = usual.get(type(value))
            if reader is None:
                refuse(value)
                reader = readers.get(type(value)) or _by_base(readers, value) or _as_it_is
            return reader(value)

        return read

    def _any_of(self, schemas: list[Schema]) -> _Read:
        readers = [(schema.get("type") == "null", self.of(schema)) for schema in schemas]

        def read(value: Json) -> Json:
            problems = []
            for empty, reader in readers:
                try:
                    return reader(value)
                except _Misfit as problem:
                    problems.append((empty, problem))
            raise min(problems, key=lambda pair: pair[0])[1]

        return read

    def _object(self, schema: Schema) -> _Read:
        properties: dict[str, Schema] = schema.get("properties", {})
        required: tuple[str, ...] = tuple(schema.get("required", ()))
        filled = [(name, inner["default"]) for name, inner in properties.items() if "default" in inner]
        readers: dict[str, _Read] = {}

        def field(name: str) -> _Read:
            rest = schema.get("additionalProperties", True)
            if name in properties:
                return self.of(properties[name])
            if rest is False:
                raise _Misfit(
                    msg("is unknown"), fix=msg("the tool takes {properties}", properties=_listed(list(properties))),
                )
            return self.of(rest) if isinstance(rest, dict) else _as_it_is

        def read(value: dict[str, Json]) -> dict[str, Json]:
            made: dict[str, Json] = {}
            name = ""
            try:
                for name in required:
                    if name not in value:
                        raise _Misfit(
                            msg("is missing"),
                            fix=msg("the tool takes {properties}", properties=_listed(list(properties))),
                        )
                for name, inner in value.items():
                    reader = readers.get(name)
                    if reader is None:
                        reader = readers[name] = field(name)
                    made[name] = reader(inner)
                for name, default in filled:
                    if name not in made:
                        made[name] = default if default is None else field(name)(default)
            except _Misfit as problem:
                problem.path.append(f".{name!s:.40}")
                raise
            return made

        return read

    def _array(self, schema: Schema) -> _Read:
        least, most = schema.get("minItems", 0), schema.get("maxItems", math.inf)
        first: list[Schema] = schema.get("prefixItems", [])
        rest = schema.get("items", True)

        def read(value: list[Json] | tuple[Json, ...]) -> list[Json]:
            if not least <= len(value) <= most:
                raise _Misfit(msg("has {count} items", count=len(value)), why=msg("that is too few or too many"))
            if rest is False and len(value) > len(first):
                raise _Misfit(msg("has {count} items", count=len(value)), why=msg("it takes {count}", count=len(first)))
            readers = chain(map(self.of, first), repeat(self.of(rest if isinstance(rest, dict) else {})))
            made: list[Json] = []
            try:
                for item, reader in zip(value, readers, strict=False):
                    if len(made) % _LOOK_EVERY == _LOOK_EVERY - 1:
                        self._watch.look()
                    made.append(reader(item))
            except _Misfit as problem:
                problem.path.append(f"[{len(made)}]")
                raise
            return made

        return read


def _as_it_is(value: Json) -> Json:
    return value


def _quick(schema: Schema, read: _Read) -> _Read:
    """A reader that takes a number which plainly fits at once, as most values of notes do; others go to `read`."""
    kind = schema.get("type")
    if "enum" in schema or "anyOf" in schema or kind not in ("integer", "number"):
        return read
    if schema.get("unit") == UNIT_BEATS:
        least = 1 if "exclusiveMinimum" in schema else 0
        return lambda value: (
            max(least, to_ticks(value)) if type(value) in _NUMBERS and 0 < value < _MAX_BEATS else read(value)
        )
    low, high = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
    above = schema.get("exclusiveMinimum", -math.inf)
    # What is not a number lies in no bounds, and what is not finite not in those of floats.
    low, high = max(low, -sys.float_info.max), min(high, sys.float_info.max)
    if kind == "integer":
        return lambda value: value if type(value) is int and low <= value <= high and value > above else read(value)
    return lambda value: (
        value + 0.0 if type(value) in _NUMBERS and low <= value <= high and value > above else read(value)
    )


def _by_base(readers: dict[type, _Read], value: Json) -> _Read | None:
    """The reader of a value whose type is derived from one of JSON's; true and false need none."""
    if value is None or isinstance(value, bool):
        return None
    return next((reader for kind, reader in readers.items() if isinstance(value, kind)), None)


def _kinds(schema: Schema) -> tuple[str, ...]:
    wanted = schema.get("type")
    return () if wanted is None else (wanted,) if isinstance(wanted, str) else tuple(wanted)


def _usual_types(schema: Schema) -> frozenset[type]:
    """The types of values that fit without another look."""
    return frozenset(chain.from_iterable(_USUAL[kind] for kind in _kinds(schema)))


def _type_check(schema: Schema) -> Callable[[Json], None]:
    kinds, usual = _kinds(schema), _usual_types(schema)

    def refuse(value: Json) -> None:
        if not kinds or type(value) in usual or any(_TYPES[kind](value) for kind in kinds):
            return
        nouns = " or ".join(_NOUNS[kind] for kind in kinds)
        raise _Misfit(msg("is {value!r:.60}", value=value), why=msg("it must be {nouns}", nouns=nouns))

    return refuse


def _beats(positive: bool, value: Json) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _MAX_BEATS:
        raise _Misfit(msg("is {value!r:.60}", value=value), why=msg("a time is a number of beats"))
    if value < 0:
        raise _Misfit(msg("is {value:g} beats", value=value), why=msg("a time cannot be negative"))
    if not positive:
        return to_ticks(value)
    if value == 0:
        raise _Misfit(msg("is 0 beats"), why=msg("it must last longer than nothing"))
    return max(1, to_ticks(value))


def is_finite(value: float) -> bool:
    """Whether the number fits into a float and is neither infinite nor NaN; JSON can hold whole numbers that no float
    can."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _is_whole(value: Json) -> bool:
    return not isinstance(value, bool) and (isinstance(value, int) or (isinstance(value, float) and value.is_integer()))


def _number(schema: Schema, value: float) -> float:
    if not is_finite(value):
        raise _Misfit(msg("is {value!r:.60}", value=value), why=msg("it must be a finite number, below 1e308"))
    low, high = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
    above = schema.get("exclusiveMinimum", -math.inf)
    if not low <= value <= high or value <= above:
        bounds = f"above {above:g}" if above > -math.inf else f"{low:g} to {high:g}"
        raise _Misfit(msg("is {value:g}", value=value), why=msg("it must lie in {bounds}", bounds=bounds))
    kind = schema.get("type")
    # Adding 0.0 turns -0.0 into 0.0, so that both are one value.
    return int(value) if kind == "integer" else value + 0.0 if kind == "number" else value


def _chosen(choices: list[Json], value: Json) -> Json:
    """The choice that equals the value; true is not 1, but 4.0 is 4."""
    for choice in choices:
        if choice == value and isinstance(choice, bool) == isinstance(value, bool):
            return choice
    raise _Misfit(msg("is {value!r:.60}", value=value), fix=msg("choose one of {choices}", choices=_listed(choices)))


def _text(schema: Schema, value: str) -> str:
    if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", math.inf):
        raise _Misfit(msg("has {count} characters", count=len(value)), why=msg("that is too short or too long"))
    if "pattern" in schema and not re.search(schema["pattern"], value):
        raise _Misfit(msg("is {value!r:.60}", value=value), why=msg("it must match {schema}", schema=schema["pattern"]))
    return value


def _listed(names: list[Json]) -> str:
    text = ", ".join(str(name) for name in names[:24])
    return text if len(names) <= 24 else f"{text}, ..."
