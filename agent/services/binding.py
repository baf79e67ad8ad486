"""Binding a step to the results before it: its condition, its loop, and its inputs without references."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import ge, gt, le, lt
from typing import Any

import msgspec
from msgspec import Struct

from agent.message import msg
from agent.plan.errors import PlanError
from agent.plan.plan import Inputs, Json, Step, When
from agent.plan.references import ITEM, Reference, Unresolved, look_up, parse_reference, references_in, resolve

MAX_ITEMS = 200
MAX_GIVEN = 4_000_000
"""Bytes that one call may be given of earlier results."""
MAX_GIVEN_TO_ROW = 32_000_000
"""Bytes that all calls of one row may be given of them."""
_ORDERINGS: Mapping[str, Callable[[Any, Any], Any]] = {"lt": lt, "le": le, "gt": gt, "ge": ge}


class Bound(Struct, frozen=True):
    """The calls that a step makes now: one, one per item of its `fan_out`, or none because its condition does not hold;
    `skipped` says so in words then."""

    calls: tuple[Inputs, ...]
    fan_out: bool = False
    skipped: str = ""


def bind(step: Step, results: Mapping[str, Json]) -> Bound:
    """The calls of a step; a fan-out over an empty list has none.

    Raises `Unresolved` for a missing result and `PlanError` for a loop over something else than a list of
    at most 200 items, or where the calls would be given too much of earlier results.
    """
    if step.when is not None and not holds(step.when, results):
        return Bound((), skipped=f"its condition does not hold: {step.when.left} {step.when.op}")
    if step.for_each is None:
        _refuse_too_much(step, results, ())
        return Bound((resolve(step.inputs, results),))
    items = look_up(parse_reference(step.for_each), results)
    if not isinstance(items, list | tuple):
        raise PlanError(
            msg("row {step} goes through {for_each}", step=step.id, for_each=step.for_each),
            why=msg("that is not a list"),
        )
    if len(items) > MAX_ITEMS:
        raise PlanError(
            msg("row {step} goes through {count} items", step=step.id, count=len(items)),
            why=msg("at most {max_items} are allowed", max_items=MAX_ITEMS),
        )
    _refuse_too_much(step, results, items)
    calls = tuple(resolve(step.inputs, {**results, ITEM: item}) for item in items)
    return Bound(calls, fan_out=True)


def _refuse_too_much(step: Step, results: Mapping[str, Json], items: Sequence[Json]) -> None:
    """Counted before anything is put together: a few references can stand for gigabytes."""
    named = list(references_in(step.inputs))
    if not named:
        return
    sizes = {one: _size(look_up(one, results)) for one in set(named) if one.source != ITEM}
    fixed = sum(sizes[one] for one in named if one.source != ITEM)
    of_items = [_item_size(named, item) for item in items]
    largest, whole = fixed + max(of_items, default=0), fixed * len(items) + sum(of_items)
    if largest > MAX_GIVEN or whole > MAX_GIVEN_TO_ROW:
        one_call = largest > MAX_GIVEN
        much, most = (largest, MAX_GIVEN) if one_call else (whole, MAX_GIVEN_TO_ROW)
        raise PlanError(
            msg("row {step} would be given {much:,} bytes of earlier results", step=step.id, much=much),
            why=(
                msg("at most {most:,} are allowed for one call", most=most) if one_call
                else msg("at most {most:,} are allowed for all calls of a row", most=most)
            ),
            fix=msg("refer to the fields that it needs instead of whole results"),
        )


def _item_size(named: Sequence[Reference], item: Json) -> int:
    sizes = {one: _size(look_up(one, {ITEM: item})) for one in set(named) if one.source == ITEM}
    return sum(sizes[one] for one in named if one.source == ITEM)


def _size(value: Json) -> int:
    return len(value) if isinstance(value, str) else len(msgspec.json.encode(value))


def gathered(bound: Bound, values: list[Json]) -> Json:
    """The result of a step: its only value, or for a fan-out the values of its items in input order."""
    return {"items": values} if bound.fan_out else values[0]


def holds(when: When, results: Mapping[str, Json]) -> bool:
    """Whether a condition is true. An ordering ("less than") between values that have no order, such as a text and a
    number, is false."""
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
