"""The hash that an approval is bound to: what it covers of a plan, in one canonical form."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import msgspec

from agent.message import msg
from agent.plan.document import VERSION, FirstApproved, Plan
from agent.plan.errors import PlanError
from agent.plan.inputs import is_finite
from agent.plan.plan import Json, Step
from agent.plan.row_inputs import RowInputs
from agent.plan.tool import ToolSpec
from agent.plan.watch import UNWATCHED, Watch

_LARGEST_INTEGER = 2**53


def plan_hash(
    plan: Plan, tools: Mapping[str, ToolSpec], watch: Watch = UNWATCHED, inputs: RowInputs | None = None
) -> str:
    """SHA-256 over the canonical form of everything that an approval covers: the rows, what they will run on, and the
    asks. Titles, groups and reasons are left out. Canonical: sorted keys, UTF-8, times in ticks, fractions as decimal
    strings, defaults filled.

    Every tool must be known and every input fit its schema. Inputs that were already read are taken from `inputs`.
    """
    return _hashed(plan, tools, VERSION, watch, inputs)


def hash_before(plan: Plan, tools: Mapping[str, ToolSpec]) -> str:
    """The hash that an earlier version of Bandleader gave the plan; raises as `plan_hash` does."""
    return _hashed(plan, tools, 1)


def _hashed(
    plan: Plan, tools: Mapping[str, ToolSpec], version: int, watch: Watch = UNWATCHED, inputs: RowInputs | None = None
) -> str:
    read = inputs or RowInputs()
    canonical = {
        "v": version,
        "project": plan.project,
        "song_revision": plan.song_revision,
        "locks": [_plain(msgspec.to_builtins(lock)) for lock in plan.locks],
        "seed": _plain(plan.seed),
        "steps": [_canonical_step(step, tools, version, watch, read) for step in watch.each(plan.steps)],
    }
    if version > 1:
        canonical["fence"] = _plain(msgspec.to_builtins(plan.fence))
        canonical["asks"] = [_plain(msgspec.to_builtins(ask)) for ask in plan.asks]
    return hashlib.sha256(msgspec.json.encode(canonical, order="sorted")).hexdigest()


def approved_hash(plan: Plan, tools: Mapping[str, ToolSpec]) -> str:
    """The hash of the plan as it was approved at first, before rows were amended, made as in the plan's version;
    raises as `plan_hash` does."""
    first = tuple([_first(step, plan.amended[step.id]) if step.id in plan.amended else step for step in plan.steps])
    return _hashed(msgspec.structs.replace(plan, steps=first), tools, plan.version)


def _first(step: Step, approved: FirstApproved) -> Step:
    most = step.max_edits if approved.most is msgspec.UNSET else approved.most
    return msgspec.structs.replace(step, inputs=approved.inputs, max_edits=most)


def _canonical_step(
    step: Step, tools: Mapping[str, ToolSpec], version: int, watch: Watch, read: RowInputs
) -> dict[str, Any]:
    tool = tools.get(step.tool)
    if tool is None:
        raise PlanError(msg("row {step} uses the unknown tool {tool!r}", step=step.id, tool=step.tool))
    return {
        "id": step.id,
        "tool": tool.name,
        "tool_version": tool.version_for(step.inputs) if version > 1 else tool.version,
        "inputs": _plain(read.of(step, tool, watch)),
        "by": step.by,
        "goal": step.goal,
        "max_edits": step.max_edits,
        "for_each": step.for_each,
        "when": _plain(msgspec.to_builtins(step.when)),
        "on_error": _plain(msgspec.to_builtins(step.on_error or tool.default_on_error)),
        "retry": step.retry,
        "timeout": _plain(float(step.timeout or tool.timeout)),
        "after": list(step.after),
        "accept_partial": step.accept_partial,
    }


def _plain(value: Json) -> Json:
    """Without floats: 1.0 is 1, and 0.5 is "=0.5"; texts that begin with "=" get another one to stay apart."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        if not is_finite(value):
            raise PlanError(
                msg("{value!r:.60} is no number that a plan can hold", value=value), why=msg("at most 1e308 is"),
            )
        if value == int(value):
            return int(value) if abs(value) < _LARGEST_INTEGER else f"={int(value)}"
        return "=" + format(Decimal(repr(value)).normalize(), "f")
    if isinstance(value, str):
        return f"={value}" if value.startswith("=") else value
    if isinstance(value, dict):
        return {str(name): _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value
