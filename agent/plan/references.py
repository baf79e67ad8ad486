"""The closed grammar by which a step names an earlier result: `{{step.field[0].sub}}`, `{{item.field}}`.

There are no filters, calls or arithmetic. A reference goes upward only, a whole-string reference keeps
its type, and a result is never scanned again for references.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct

from agent.message import msg
from agent.plan.errors import PlanError
from agent.plan.numbers import only_numbers
from agent.plan.plan import Json, Step

ITEM = "item"
"""The name that stands for the current element of `for_each`."""

PathPart: TypeAlias = str | int

_BODY = re.compile(r"\s*([a-z][a-z0-9_]{0,31})((?:\.[A-Za-z_][A-Za-z0-9_]{0,63}|\[\d{1,4}\])*+)\s*")
_PART = re.compile(r"\.([A-Za-z_][A-Za-z0-9_]*)|\[(\d+)\]")


class Reference(Struct, frozen=True):
    """A step's id or `item` (`source`), and the field names and indices that lead into its result (`path`):
    `{{row.tracks[0].id}}`."""

    source: str
    path: tuple[PathPart, ...] = ()

    def __str__(self) -> str:
        parts = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in self.path)
        return "{{" + self.source + parts + "}}"


class Unresolved(PlanError):
    """A reference whose value does not exist at the time it is needed."""


@lru_cache(maxsize=2048)
def parse_reference(text: str) -> Reference:
    """The reference that the whole of `text` is; `PlanError` says how it should look."""
    token = text.strip()
    body = _BODY.fullmatch(token[2:-2]) if list(_tokens(token)) == [(0, len(token))] else None
    if body is None:
        raise PlanError(
            msg("{text!r} is no reference", text=text[:80]),
            why=msg("a reference names a step and a field of its result, nothing else"),
            fix=msg("write it like {{{{s1.track_id}}}} or {{{{item.track_id}}}}"),
        )
    path = tuple(int(index) if index else name for name, index in _PART.findall(body.group(2)))
    return Reference(body.group(1), path)


def is_reference(value: Json) -> bool:
    """Whether the value is a text that holds at least one reference."""
    return isinstance(value, str) and next(_tokens(value), None) is not None


def references_in(value: Json) -> Iterator[Reference]:
    """Every reference in a nested value, in order."""
    for text in _texts(value):
        for start, end in _tokens(text):
            yield parse_reference(text[start:end])


def _texts(value: Json) -> list[str]:
    """Every text in a nested value, in order; no generator or recursion, because a plan may hold a million notes."""
    found: list[str] = []
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, dict):
            left += reversed(one.values())
        elif isinstance(one, list | tuple) and not only_numbers(one):
            left += reversed(one)
    return found


def references_of(step: Step) -> Iterator[Reference]:
    """Every reference of a step: inputs, `for_each` and `when`."""
    yield from references_in(step.inputs)
    yield from references_around(step)


def references_around(step: Step) -> Iterator[Reference]:
    """The references of a step outside of its inputs."""
    if step.for_each is not None:
        yield parse_reference(step.for_each)
    if step.when is not None:
        yield parse_reference(step.when.left)


def resolve(value: Json, results: Mapping[str, Json]) -> Json:
    """The value with its references replaced by values from `results`, which are by step id or "item"; replaced texts
    are not searched again. Raises `Unresolved` if a result or field is missing, and if a list or object would be put
    inside a text."""
    if isinstance(value, str):
        return _resolve_text(value, results) if is_reference(value) else value
    if isinstance(value, dict):
        return {name: resolve(inner, results) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        if only_numbers(value):
            return list(value)
        return [resolve(inner, results) for inner in value]
    return value


def look_up(reference: Reference, results: Mapping[str, Json]) -> Json:
    """The value in `results` that a reference points to. Raises `Unresolved` if there is none."""
    if reference.source not in results:
        raise Unresolved(
            msg("{reference} has no value", reference=reference),
            why=msg("{source!r} has no result here", source=reference.source),
        )
    value = results[reference.source]
    for part in reference.path:
        if not _has(value, part):
            raise Unresolved(
                msg("{reference} has no value", reference=reference),
                why=msg("there is no {part!r} in the result", part=part),
            )
        value = value[part]
    return value


def _has(value: Json, part: PathPart) -> bool:
    if isinstance(part, str):
        return isinstance(value, dict) and part in value
    return isinstance(value, list | tuple) and part < len(value)


def _resolve_text(text: str, results: Mapping[str, Json]) -> Json:
    bare = text.strip()
    if list(_tokens(bare)) == [(0, len(bare))]:
        return look_up(parse_reference(bare), results)
    pieces = []
    last = 0
    for start, end in _tokens(text):
        pieces += [text[last:start], _plain(text[start:end], results)]
        last = end
    return "".join(pieces) + text[last:]


def _plain(token: str, results: Mapping[str, Json]) -> str:
    value = look_up(parse_reference(token), results)
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str | int | float):
        raise Unresolved(
            msg("{token} cannot stand inside text", token=token), why=msg("it is a list, an object or nothing"),
        )
    return str(value)


def _tokens(text: str) -> Iterator[tuple[int, int]]:
    """Where each `{{...}}` begins and ends; in one pass, because a plan may hold megabytes of braces."""
    start = text.find("{{")
    while start >= 0:
        close = text.find("}}", start + 2)
        if close < 0:
            return
        yield start, close + 2
        start = text.find("{{", close + 2)
