"""Binding a step to the results before it: its condition, its loop, and its inputs without references."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import ge, gt, le, lt
from typing import Any

from msgspec import Struct

from agent.plan.errors import PlanError
from agent.plan.plan import Inputs, Json, Step, When
from agent.plan.references import ITEM, Unresolved, look_up, parse_reference, resolve

MAX_ITEMS = 200
_ORDERINGS: Mapping[str, Callable[[Any, Any], Any]] = {"lt": lt, "le": le, "gt": gt, "ge": ge}


class Bound(Struct, frozen=True):
    """What a step comes to now: one call, one per item, or none because its condition does not hold."""

    calls: tuple[Inputs, ...]
    fan_out: bool = False
    skipped: str = ""


def bind(step: Step, results: Mapping[str, Json]) -> Bound:
    """The calls of a step; a fan-out over an empty list has none.

    Raises `Unresolved` for a missing result and `PlanError` for a loop over something else than a list of
    at most 200 items.
    """
    if step.when is not None and not holds(step.when, results):
        return Bound((), skipped=f"its condition does not hold: {step.when.left} {step.when.op}")
    if step.for_each is None:
        return Bound((resolve(step.inputs, results),))
    items = look_up(parse_reference(step.for_each), results)
    if not isinstance(items, list | tuple):
        raise PlanError(f"row {step.id} goes through {step.for_each}", why="that is not a list")
    if len(items) > MAX_ITEMS:
        raise PlanError(f"row {step.id} goes through {len(items)} items", why=f"at most {MAX_ITEMS} are allowed")
    calls = tuple(resolve(step.inputs, {**results, ITEM: item}) for item in items)
    return Bound(calls, fan_out=True)


def gathered(bound: Bound, values: list[Json]) -> Json:
    """The result of a step: its only value, or for a fan-out the values of its items in input order."""
    return {"items": values} if bound.fan_out else values[0]


def holds(when: When, results: Mapping[str, Json]) -> bool:
    """Whether a condition is true; an ordering between values that have none is false."""
    try:
        left = look_up(parse_reference(when.left), results)
    except Unresolved:
        if when.op == "exists":
            return False
        raise
    return _compare(when.op, left, when.right)


def _compare(op: str, left: Any, right: Any) -> bool:
    match op:
        case "exists":
            return True
        case "empty" | "not_empty":
            return (not left) == (op == "empty")
        case "eq":
            return bool(left == right)
        case "ne":
            return bool(left != right)
        case "in":
            searchable = isinstance(right, list) or (isinstance(right, str) and isinstance(left, str))
            return searchable and left in right
    try:
        return bool(_ORDERINGS[op](left, right))
    except TypeError:
        return False
