"""What a service gave back, checked before anyone uses it: plain JSON of bounded size that fits the tool's schema."""

from __future__ import annotations

import math
from typing import Any, get_args

import msgspec

from agent.message import msg
from agent.plan.inputs import Schema
from agent.plan.plan import Json
from agent.plan.tool import ToolSpec
from agent.services.service import Outcome, ServiceError
from agent.song.edits import Edit

MAX_BYTES = 1_000_000
MAX_DEPTH = 64
_EDITS = get_args(Edit)
_KINDS: dict[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "boolean": (bool,), "null": (type(None),),
    "integer": (int,), "number": (int, float),
}
_NOUNS = {"object": "an object", "array": "a list", "string": "a text", "boolean": "true or false", "null": "nothing",
          "integer": "a whole number", "number": "a number"}


def checked(tool: ToolSpec, outcome: Outcome) -> Outcome:
    """The outcome as it will be stored; raises `ServiceError` for one that cannot be used.

    A result is refused that is not plain JSON, is larger than 1 MB or deeper than 64, or does not fit the types and
    required fields of the tool's schema; so are edits of a tool that does not change the song.
    """
    # A service may be anybody's: its own type annotations prove nothing.
    given: Any = outcome
    if not isinstance(given, Outcome):
        raise _unusable(tool, f"it is {type(given).__name__} instead of an outcome")
    edits: Any = given.edits
    if edits != ():
        if not isinstance(edits, tuple) or not all(isinstance(edit, _EDITS) for edit in edits):
            raise _unusable(tool, "its edits are none that a song knows")
        if not tool.changes_song:
            raise _unusable(tool, "it holds edits, and the tool does not say that it changes the song")
    result = _plain(tool, given.result)
    if problem := _misfit(tool.result, result, "it"):
        raise _unusable(tool, problem)
    return Outcome(result, edits)


def _plain(tool: ToolSpec, result: Json) -> Json:
    """The result as a run that is taken up again would read it from its store."""
    try:
        encoded = msgspec.json.encode(result)
        decoded: Json = msgspec.json.decode(encoded)
        # So many brackets cannot be nested too deeply; what JSON has not comes back as something else.
        plain = decoded == result and encoded.count(b"[") + encoded.count(b"{") <= MAX_DEPTH
    except (ValueError, TypeError, OverflowError, RecursionError) as fault:
        raise _unusable(tool, _problem(result) or str(fault)[:200]) from None
    if not plain and (problem := _problem(result)):
        raise _unusable(tool, problem)
    if len(encoded) > MAX_BYTES:
        raise _unusable(tool, f"it has {len(encoded):,} bytes, at most {MAX_BYTES:,} are kept")
    return decoded


def _problem(result: Json) -> str:
    """Why a value is not plain JSON; level by level, so that no depth hurts."""
    level: list[Json] = [result]
    for _ in range(MAX_DEPTH + 1):
        below: list[Json] = []
        for value in level:
            kind = type(value)
            if kind is dict:
                if not all(type(name) is str for name in value):
                    return "it holds an object with a name that is no text"
                below += value.values()
            elif kind is list or kind is tuple:
                below += value
            elif problem := _scalar_problem(value):
                return problem
        if not below:
            return ""
        level = below
    return f"it is nested deeper than {MAX_DEPTH}"


def _scalar_problem(value: Json) -> str:
    kind = type(value)
    if kind is float:
        return "" if math.isfinite(value) else f"it holds {value!r}, which is no number that JSON has"
    return "" if kind in (str, int, bool) or value is None else f"it holds {kind.__name__}, which JSON has not"


def _misfit(schema: Json, value: Json, path: str) -> str:
    """Why a value does not fit a schema's types and required fields; what the schema does not say fits."""
    if not isinstance(schema, dict):
        return ""
    choices = schema.get("anyOf")
    if isinstance(choices, list):
        problems = [_misfit(choice, value, path) for choice in choices]
        return "" if not all(problems) else problems[0] if problems else ""
    if problem := _wrong_type(schema.get("type"), value, path):
        return problem
    if isinstance(value, dict):
        return _misfit_in_object(schema, value, path)
    if isinstance(value, list):
        items = schema.get("items")
        if isinstance(items, dict) and "prefixItems" not in schema:
            for number, inner in enumerate(value):
                if problem := _misfit(items, inner, f"{path}[{number}]"):
                    return problem
    return ""


def _misfit_in_object(schema: Schema, value: dict[str, Json], path: str) -> str:
    for name in schema.get("required", ()):
        if name not in value:
            return f"{path} has no {name!r:.60}"
    for name, inner in (schema.get("properties") or {}).items():
        if name in value and (problem := _misfit(inner, value[name], f"{path}.{name:.40}")):
            return problem
    return ""


def _wrong_type(wanted: Any, value: Json, path: str) -> str:
    kinds = [wanted] if isinstance(wanted, str) else wanted
    if not isinstance(kinds, list) or not all(kind in _KINDS for kind in kinds):
        return ""
    for kind in kinds:
        whole = kind == "integer" and isinstance(value, float) and value.is_integer()
        if whole or (isinstance(value, _KINDS[kind]) and (kind == "boolean" or not isinstance(value, bool))):
            return ""
    return f"{path} is {value!r:.60}, it must be {' or '.join(_NOUNS[kind] for kind in kinds)}"


def _unusable(tool: ToolSpec, why: str) -> ServiceError:
    return ServiceError(msg("the result of {tool} cannot be used", tool=tool.name), why=why)
