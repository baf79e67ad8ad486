"""Merging: rows written anew for an amended request take the places, ids and decisions of those of the plan.

Rows are the same where their tool works on the same thing; references between rows count by what they point at.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, structs

from agent.plan.plan import Inputs, Json, Step, StepId

_REFERENCE = re.compile(r"\{\{([a-z][a-z0-9_]{0,31})\.")
_OWN = ("name", "target", "effect_name", "at_beat", "start_time")
"""Inputs that say which thing a row makes or sets, beside ids."""
_MAKING = ("create_track", "create_midi_clip", "add_effect", "add_section")
"""Tools whose `name` tells apart what they make; elsewhere it is a value."""

_Identity = tuple[object, ...]


class _Side(Struct, frozen=True):
    """The rows of one plan by what they work on."""

    steps: dict[_Identity, Step]
    same: dict[_Identity, object]
    """What a row does, with references by what they point at, to be compared with that of another plan."""


def merged(
    plan: Sequence[Step], base: Sequence[Step], anew: Sequence[Step]
) -> tuple[list[Step], dict[StepId, StepId]]:
    """The rows of the plan after its request was amended, and new ids for the rows of `anew`. `base` are the rows of
    the request as it was, `anew` those of the amended one.

    A row equal in `base` and `anew` stays as it is in the plan, or stays out if the person removed it.
    """
    was, old, new = _side(plan), _side(base), _side(anew)
    ids: dict[StepId, StepId] = {new.steps[key].id: was.steps[key].id for key in new.steps if key in was.steps}
    taken = {step.id for step in plan}
    for step in anew:
        if step.id not in ids:
            ids[step.id] = _free(step.id, taken)
            taken.add(ids[step.id])
    steps: list[Step] = []
    for key, step in was.steps.items():
        if key in new.steps:
            kept = key in old.steps and old.same[key] == new.same[key]
            steps.append(step if kept else _renamed(new.steps[key], ids))
        elif key not in old.steps:
            steps.append(step)
    left_out = {key for key in old.steps if key not in was.steps and old.same[key] == new.same.get(key)}
    added = [step for key, step in new.steps.items() if key not in was.steps and key not in left_out]
    return [*steps, *(_renamed(step, ids) for step in added)], ids


def shares_a_row(plan: Sequence[Step], base: Sequence[Step]) -> bool:
    """Whether the plan has at least one row exactly as in `base`; otherwise the composer did not write it."""
    was, old = _side(plan), _side(base)
    return any(was.same.get(key) == same for key, same in old.same.items())


def _side(steps: Sequence[Step]) -> _Side:
    found: dict[_Identity, Step] = {}
    same: dict[_Identity, object] = {}
    known: dict[StepId, _Identity] = {}
    seen: Counter[_Identity] = Counter()
    for step in steps:
        names = step.tool in _MAKING
        told = {
            name: value for name, value in step.inputs.items()
            if name.endswith("_id") or (name in _OWN and (name != "name" or names))
        }
        plain: _Identity = (step.tool, *(_frozen(told[name], known) for name in sorted(told)))
        seen[plain] += 1
        key: _Identity = (*plain, seen[plain])
        known[step.id] = key
        found[key] = step
        same[key] = (_frozen(step.inputs, known), step.title)
    return _Side(found, same)


def _frozen(value: Json, known: Mapping[StepId, _Identity]) -> object:
    """A value that can be compared, with references by what they point at."""
    if isinstance(value, str) and (found := _REFERENCE.search(value)) is not None:
        return known.get(found[1], value)
    if isinstance(value, dict):
        return tuple((name, _frozen(value[name], known)) for name in sorted(value))
    if isinstance(value, list | tuple):
        return tuple(_frozen(one, known) for one in value)
    return value


def _free(wanted: StepId, taken: set[StepId]) -> StepId:
    return wanted if wanted not in taken else next(one for one in _numbered() if one not in taken)


def _numbered() -> Iterator[StepId]:
    number = 1
    while True:
        yield f"s{number}"
        number += 1


def _renamed(step: Step, ids: Mapping[StepId, StepId]) -> Step:
    inputs: Inputs = _with_ids(step.inputs, ids)
    after = tuple(ids.get(one, one) for one in step.after)
    return structs.replace(step, id=ids[step.id], inputs=inputs, after=after)


def _with_ids(value: Json, ids: Mapping[StepId, StepId]) -> Json:
    if isinstance(value, str):
        return _REFERENCE.sub(lambda found: f"{{{{{ids.get(found[1], found[1])}.", value)
    if isinstance(value, dict):
        return {name: _with_ids(one, ids) for name, one in value.items()}
    return [_with_ids(one, ids) for one in value] if isinstance(value, list | tuple) else value
