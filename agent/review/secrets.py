"""Finds passwords, tokens and keys that stand in a plan as themselves, by their names and by their looks."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from agent.plan.errors import PlanError
from agent.plan.numbers import NUMBERS, only_numbers
from agent.plan.plan import Json, Step
from agent.plan.references import is_reference, parse_reference
from agent.plan.secret_texts import holds_secret

_KEYS = re.compile(
    r"pass(word|wd|phrase)|^pwd$|secret|api[_-]?key|(access|auth|bearer|api|refresh|session|id)[_-]?token|^token$"
    r"|private[_-]?key|^authorization$|^cookie$",
    re.IGNORECASE,
)
_USERS = re.compile(r"^(user(_?name)?|login|account|admin)$", re.IGNORECASE)
_BESIDE_USERS = re.compile(r"^(pass|pw|pin|key|auth|token)$", re.IGNORECASE)
"""Names that mean a secret where a user is named beside them."""
_LONGEST_PLACE = 200
"""Letters shown of where a secret stands; names of fields may be anything."""
_LONGEST_NAMES = 200
"""Letters of the names of an object, together, that are remembered to mean no secret; those of notes are few."""


def secret_in(step: Step) -> str:
    """Where a row holds a secret, empty if nowhere; never the secret itself."""
    for place, value in _parts(step).items():
        found = _secret(place, value)
        if found:
            return found
    return ""


def _parts(step: Step) -> Mapping[str, Json]:
    parts: dict[str, Json] = {
        "inputs": step.inputs, "its title": step.title, "its group": step.group, "its reason": step.why,
        "its goal": step.goal, "its loop": step.for_each,
    }
    if step.when is not None:
        parts["its condition"] = [step.when.left, step.when.right]
    return parts


def _secret(place: str, value: Json) -> str:
    if isinstance(value, dict):
        return _secret_in_object(place, value)
    if isinstance(value, list | tuple):
        return "" if _harmless_numbers(value) else next((found for one in value if (found := _secret(place, one))), "")
    return place if isinstance(value, str) and holds_secret(value) else ""


def _secret_in_object(place: str, value: dict[str, Json]) -> str:
    if _harmless(value):
        inside = ((name, inner) for name, inner in value.items() if type(inner) not in NUMBERS)
        return next((found for name, inner in inside if (found := _secret(_place_in(place, name), inner))), "")
    return _secret_by_names(place, value)


def _harmless_numbers(values: Sequence[Json]) -> bool:
    """Whether a list holds only numbers, under names that tell of no secret, such as those of notes."""
    return only_numbers(values) and _harmless(set(chain.from_iterable(one for one in values if isinstance(one, dict))))


def _harmless(names: Collection[Json]) -> bool:
    """Whether few names, of an object, tell of no secret, are none, and say not what its value is."""
    texts = tuple(map(str, names))
    return sum(map(len, texts)) <= _LONGEST_NAMES and _known_harmless(texts)


@lru_cache(maxsize=1_000)
def _known_harmless(names: tuple[str, ...]) -> bool:
    telling = ("name", "key")
    return not any(
        name in telling or _KEYS.search(name) or _USERS.search(name) or holds_secret(name) for name in names
    )


def _place_in(place: str, name: str) -> str:
    return f"{place}.{name}"[:_LONGEST_PLACE]


def _secret_by_names(place: str, value: dict[str, Json]) -> str:
    field = value.get("name", value.get("key"))
    if isinstance(field, str) and _KEYS.search(field) and _is_literal(value.get("value")):
        return f"{place}.value"
    with_user = any(_USERS.search(str(name)) for name in value)
    for name, inner in value.items():
        if holds_secret(str(name)):
            return f"a name in {place}"
        here = _place_in(place, name)
        named = _KEYS.search(str(name)) or (with_user and _BESIDE_USERS.search(str(name)))
        if named and _is_literal(inner):
            return here
        found = _secret(here, inner)
        if found:
            return found
    return ""


def _is_literal(value: Json) -> bool:
    """Whether something stands there that is not wholly taken from an earlier result."""
    if isinstance(value, str) and is_reference(value):
        return not _is_whole_reference(value)
    return value is not None and not isinstance(value, bool) and value not in ("", [], {})


def _is_whole_reference(text: str) -> bool:
    try:
        parse_reference(text)
    except PlanError:
        return False
    return True
