"""The plan as it is shown, stored and written to a file, and the hash that an approval is bound to."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from agent.plan.errors import PlanError
from agent.plan.inputs import is_finite, read_inputs
from agent.plan.plan import Ask, Inputs, Json, Step
from agent.plan.tool import ToolSpec
from agent.song.locks import Lock

VERSION = 1
MAX_STEPS = 2000
_LARGEST_INTEGER = 2**53
MAX_FILE_BYTES = 64 * 1024 * 1024


class Finding(Struct, frozen=True, forbid_unknown_fields=True):
    """A mark on a row: an `error` forbids approval, a `warning` only tells. `fix` says what to do."""

    step: str
    rule: str
    message: str
    fix: str = ""
    level: Literal["error", "warning"] = "warning"


class Estimate(Struct, frozen=True, forbid_unknown_fields=True):
    """What is used of a model; `cost` is in US dollars, None where the price is unknown."""

    tokens: int = 0
    cost: float | None = 0.0


class FirstApproved(Struct, frozen=True, forbid_unknown_fields=True):
    """What a row was before it was amended; `pin` is that of its tool then, `most` its `max_edits`."""

    inputs: Inputs
    pin: str = ""
    most: int | msgspec.UnsetType | None = msgspec.UNSET
    """Unset where the number was not amended."""


class Plan(Struct, frozen=True, forbid_unknown_fields=True):
    """A proposed plan: rows, what they will run on, and what a reader wants to know.

    Only `project`, `song_revision`, `locks`, `seed` and `steps` are bound by the hash. `hash`, `lint` and
    `estimate` are written for readers and computed again when a file is read; `used` is as it was told.
    """

    steps: Annotated[tuple[Step, ...], Meta(max_length=MAX_STEPS)]
    project: str = ""
    song_revision: str = ""
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)] = 0
    locks: tuple[Lock, ...] = ()
    request: str = ""
    provider: str = ""
    analysis: str = ""
    musical_reasoning: str = ""
    understood: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    normalised: tuple[str, ...] = ()
    asks: tuple[Ask, ...] = ()
    hash: str = ""
    lint: tuple[Finding, ...] = ()
    estimate: Estimate = Estimate()
    """What running will use at most; nothing where every row is exact."""
    used: Estimate = Estimate()
    """What planning has used."""
    planning: Annotated[str, Meta(max_length=64)] = ""
    """Under which name that was counted; empty where no model planned."""
    pins: dict[str, str] = {}
    """By row, what its tool was when the row was approved (`agent.plan.pins`); written like `hash`."""
    amended: dict[str, FirstApproved] = {}
    """By row that got other inputs, or another number, after the approval, what the hash was made of."""
    version: Literal[1] = 1

    def step(self, step_id: str) -> Step:
        """The row of that id."""
        for step in self.steps:
            if step.id == step_id:
                return step
        raise PlanError(f"the plan has no row {step_id!r}", why=f"it has {len(self.steps)} rows")


def read_plan(data: bytes, name: str) -> Plan:
    """The plan in a JSON text; `name` is the file's, for the error."""
    if len(data) > MAX_FILE_BYTES:
        raise PlanError(f"{name} is too large for a plan", why=f"{len(data):,} bytes")
    try:
        return msgspec.json.decode(data, type=Plan)
    except msgspec.ValidationError as problem:
        raise PlanError(f"{name} is not a plan", why=str(problem)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise PlanError(
            f"{name} is not JSON", why=str(problem) or "nested too deeply",
            fix="`bandleader plan \"…\" --out FILE` writes a plan to begin from",
        ) from None


def write_plan(plan: Plan) -> bytes:
    """The plan as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(plan), indent=1)


def plan_hash(plan: Plan, tools: Mapping[str, ToolSpec]) -> str:
    """SHA-256 over the canonical form of all that will run, and of what it will run on.

    Canonical: sorted keys, UTF-8, times in ticks, fractions as decimal strings, defaults filled.
    Titles, groups and reasons are outside. Every tool must be known and every input fit its schema.
    """
    canonical = {
        "v": VERSION,
        "project": plan.project,
        "song_revision": plan.song_revision,
        "locks": [_plain(msgspec.to_builtins(lock)) for lock in plan.locks],
        "seed": _plain(plan.seed),
        "steps": [_canonical_step(step, tools) for step in plan.steps],
    }
    return hashlib.sha256(msgspec.json.encode(canonical, order="sorted")).hexdigest()


def approved_hash(plan: Plan, tools: Mapping[str, ToolSpec]) -> str:
    """`plan_hash` of the plan as it was approved at first, before rows were amended; raises as that does."""
    first = tuple([_first(step, plan.amended[step.id]) if step.id in plan.amended else step for step in plan.steps])
    return plan_hash(msgspec.structs.replace(plan, steps=first), tools)


def _first(step: Step, approved: FirstApproved) -> Step:
    most = step.max_edits if approved.most is msgspec.UNSET else approved.most
    return msgspec.structs.replace(step, inputs=approved.inputs, max_edits=most)


def _canonical_step(step: Step, tools: Mapping[str, ToolSpec]) -> dict[str, Any]:
    tool = tools.get(step.tool)
    if tool is None:
        raise PlanError(f"row {step.id} uses the unknown tool {step.tool!r}")
    inputs = read_inputs(tool.inputs, step.inputs, open_references=True)
    return {
        "id": step.id,
        "tool": tool.name,
        "tool_version": tool.version,
        "inputs": _plain(inputs),
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
            raise PlanError(f"{value!r:.60} is no number that a plan can hold", why="at most 1e308 is")
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
