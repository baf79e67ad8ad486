"""Says where the tables of a style file differ from its form, and what may stand there instead."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from math import isfinite
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec import inspect as form

from agent.fixes import Fix

Place: TypeAlias = tuple[str | int, ...]
"""Keys and indices that lead to a value in a file."""

_PATTERNS = {
    "^#[0-9A-Fa-f]{6}$": "a colour such as #7CCDEB",
    "^[a-z][a-z0-9_]*$": "small letters, digits and _, a letter first",
}
_LARGEST = 10**9
_MANY = 16
"""Number of valid names that are listed in full; of more only the nearest are."""


class Fault(Struct, frozen=True):
    """What is wrong with one value: its place, the cause and what to write instead."""

    place: Place
    why: str
    fix: str | Fix = ""


def first_fault(expected: form.Type, value: object, place: Place = ()) -> Fault | None:
    """The first difference between a TOML value and its expected form; None if there is none."""
    match expected:
        case form.StructType():
            return _table_fault(expected, value, place)
        case form.DictType():
            return _names_fault(expected, value, place)
        case form.VarTupleType() | form.TupleType():
            return _list_fault(expected, value, place)
        case form.UnionType(types=types):
            plain = [kind for kind in types if not isinstance(kind, form.NoneType)]
            return first_fault(plain[0], value, place) if len(plain) == 1 else None
        case form.LiteralType(values=values):
            return None if value in values and _same_kind(value, values) else _choice_fault(values, value, place)
        case form.StrType():
            return _text_fault(expected, value, place)
        case form.BoolType():
            return None if isinstance(value, bool) else _other(expected, value, place)
        case form.IntType() | form.FloatType():
            return _number_fault(expected, value, place)
    return None


def odd_number(value: object, place: Place = ()) -> Fault | None:
    """The first number that is not finite or too large; None if there is none."""
    if isinstance(value, dict | list):
        pairs: Iterable[tuple[str | int, object]] = value.items() if isinstance(value, dict) else enumerate(value)
        return next(filter(None, (odd_number(inner, (*place, key)) for key, inner in pairs)), None)
    if isinstance(value, float) and not isfinite(value):
        return Fault(place, f"{value} is no number to work with", "write a plain number")
    if isinstance(value, int) and abs(value) > _LARGEST:
        return Fault(place, "the number is too large", "write a smaller one")
    return None


def said_place(place: Place, tables: object) -> str:
    """A place in words: `parts 2 "Bass", centre`. Lists count from 1; named entries are called by their name."""
    words: list[str] = []
    at: Any = tables
    for step in place:
        at = _inside(at, step)
        if isinstance(step, int):
            name = at.get("name") if isinstance(at, dict) else None
            words[-1:] = [f"{words[-1] if words else ''} {step + 1}" + (f' "{_short(name)}"' if name else "")]
        else:
            words.append(_short(step))
    return ", ".join(words) or "the file"


def offer(name: str, known: Iterable[str]) -> str:
    """A hint at the valid names in place of an unknown one; empty if there is none to give."""
    names = list(known)
    near = get_close_matches(name[:80], names, 3, 0.6)
    if near:
        return f"did you mean {' or '.join(near)}?"
    return f"there are {', '.join(names)}" if 0 < len(names) <= _MANY else ""


def meant(expected: form.Type) -> str:
    """The expected form of a value in words: `a whole number from 12 to 108`."""
    match expected:
        case form.StructType() | form.DictType():
            return "a table"
        case form.TupleType(item_types=items):
            return f"a list of {len(items)}"
        case form.VarTupleType():
            return "a list"
        case form.LiteralType(values=values):
            return f"one of {', '.join(str(value) for value in values)}"
        case form.StrType(pattern=pattern):
            return _PATTERNS.get(pattern or "", "text in quotes")
        case form.BoolType():
            return "true or false"
        case form.IntType() | form.FloatType():
            return _range(expected)
    return "something else"


def _table_fault(expected: form.StructType, value: object, place: Place) -> Fault | None:
    if not isinstance(value, dict):
        return _other(expected, value, place)
    fields = {field.encode_name: field for field in expected.fields}
    for key in value:
        if key not in fields:
            return Fault((*place, key), "there is no such key", offer(key, fields))
    for name, field in fields.items():
        if field.required and name not in value:
            return Fault(place, f"the key {name!r} is missing", f"{name} is {meant(field.type)}")
    rows = [(field.type, value[name], (*place, name)) for name, field in fields.items() if name in value]
    return _first(rows)


def _names_fault(expected: form.DictType, value: object, place: Place) -> Fault | None:
    if not isinstance(value, dict):
        return _other(expected, value, place)
    for key in value:
        fault = first_fault(expected.key_type, key, (*place, key))
        if fault is not None:
            return fault
    return _first([(expected.value_type, inner, (*place, key)) for key, inner in value.items()])


def _list_fault(expected: form.VarTupleType | form.TupleType, value: object, place: Place) -> Fault | None:
    if not isinstance(value, list):
        return _other(expected, value, place)
    if isinstance(expected, form.TupleType):
        if len(value) != len(expected.item_types):
            return Fault(place, f"it has {len(value)} entries", f"write {meant(expected)}")
        kinds = expected.item_types
        return _first([(kinds[number], inner, (*place, number)) for number, inner in enumerate(value)])
    if len(value) < (expected.min_length or 0):
        return Fault(place, f"it has {len(value) or 'no'} entries", f"write {expected.min_length} or more")
    return _first([(expected.item_type, inner, (*place, number)) for number, inner in enumerate(value)])


def _text_fault(expected: form.StrType, value: object, place: Place) -> Fault | None:
    if not isinstance(value, str):
        return _other(expected, value, place)
    if len(value) < (expected.min_length or 0):
        return Fault(place, "it is empty", "write something")
    if expected.max_length is not None and len(value) > expected.max_length:
        return Fault(place, f"it has {len(value)} letters", f"at most {expected.max_length}")
    if expected.pattern is None or re.search(expected.pattern, value):
        return None
    if expected.pattern in _PATTERNS:
        return Fault(place, f"{_short(value)!r} does not fit", f"write {meant(expected)}")
    wrong = next((sign for sign in value if not re.search(expected.pattern, sign)), value)
    return Fault(place, f"{_short(wrong)!r} is no step", "docs/styles.md lists the letters of steps")


def _number_fault(expected: form.IntType | form.FloatType, value: object, place: Place) -> Fault | None:
    kinds = (int,) if isinstance(expected, form.IntType) else (int, float)
    whole = isinstance(expected, form.IntType) and isinstance(value, float) and value.is_integer()
    if isinstance(value, bool) or not (isinstance(value, kinds) or whole):
        return _other(expected, value, place)
    assert isinstance(value, int | float)
    inside = (
        (expected.ge is None or value >= expected.ge) and (expected.gt is None or value > expected.gt)
        and (expected.le is None or value <= expected.le) and (expected.lt is None or value < expected.lt)
    )
    return None if inside else Fault(place, f"{value:g} does not fit", f"write {meant(expected)}")


def _choice_fault(values: Iterable[object], value: object, place: Place) -> Fault:
    known = [str(one) for one in values]
    fix = offer(str(value), known) or f"write one of {', '.join(known)}"
    return Fault(place, f"{_short(value)!r} is not known here", fix)


def _other(expected: form.Type, value: object, place: Place) -> Fault:
    kinds = {bool: "true or false", str: "text", int: "a number", float: "a number", list: "a list", dict: "a table"}
    return Fault(place, f"it is {kinds.get(type(value), 'a date')}", f"write {meant(expected)}")


def _first(rows: Iterable[tuple[form.Type, object, Place]]) -> Fault | None:
    return next(filter(None, (first_fault(kind, value, place) for kind, value, place in rows)), None)


def _range(expected: form.IntType | form.FloatType) -> str:
    kind = "a whole number" if isinstance(expected, form.IntType) else "a number"
    if expected.le is None or (expected.ge is None and expected.gt is None):
        return kind
    if expected.ge is None:
        return f"{kind} above {expected.gt:g}, up to {expected.le:g}"
    return f"{kind} from {expected.ge:g} to {expected.le:g}"


def _same_kind(value: object, values: Iterable[object]) -> bool:
    return any(type(value) is type(one) for one in values)


def _inside(at: object, step: str | int) -> object:
    if isinstance(at, dict):
        return at.get(step)
    return at[step] if isinstance(at, list) and isinstance(step, int) and step < len(at) else None


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 60 else text[:57] + "..."
