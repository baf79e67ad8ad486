"""The plan as it is shown, stored and written to a file, and the hash that an approval is bound to."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from agent.fixes import FixKind
from agent.message import msg
from agent.plan.errors import PlanError
from agent.plan.inputs import is_finite
from agent.plan.plan import Ask, Clause, Inputs, Json, Step
from agent.plan.row_inputs import RowInputs
from agent.plan.tool import ToolSpec
from agent.plan.watch import UNWATCHED, Watch
from agent.song.fence import Fence
from agent.song.locks import Lock

VERSION: Final = 2
"""Of the document and of what its hash is made of: version 1 left out `asks`, `fence`, and what tools reach."""
MAX_STEPS = 2000
MAX_FILE_BYTES = 32 * 1024 * 1024
_LARGEST_INTEGER = 2**53


class Finding(Struct, frozen=True, forbid_unknown_fields=True):
    """A mark on the row `step`: an `error` forbids approval, a `warning` only tells. `rule` is the name of a `Rule`;
    `message` says what is wrong and `fix` what to do."""

    step: str
    rule: str
    message: str
    fix: str = ""
    level: Literal["error", "warning"] = "warning"


class Estimate(Struct, frozen=True, forbid_unknown_fields=True):
    """What is used of a model: `tokens`, and `cost` in US dollars, None where the price is unknown."""

    tokens: int = 0
    cost: float | None = 0.0


class FirstApproved(Struct, frozen=True, forbid_unknown_fields=True):
    """What a row was when it was first approved, before a person changed it: its inputs, the `pin` (digest) of its
    tool, and its `max_edits` as `most`, unset if that was not changed."""

    inputs: Inputs
    pin: str = ""
    most: int | msgspec.UnsetType | None = msgspec.UNSET
    """Unset where the number was not amended."""


class Plan(Struct, frozen=True, forbid_unknown_fields=True):
    """A proposed plan: rows, what they will run on, and what a reader wants to know.

    Only `project`, `song_revision`, `locks`, `fence`, `seed`, `steps` and `asks` are bound by the hash. How large each
    field may be is said in `agent.plan.bounds`. `NOT_FROM_FILES` names the fields that are not taken from plan files.
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
    clauses: tuple[Clause, ...] = ()
    """What became of every part of the request; `ignored` are those that were not done."""
    normalised: tuple[str, ...] = ()
    asks: tuple[Ask, ...] = ()
    fence: Fence | None = None
    """Where alone the song may change; None for the whole song."""
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
    version: Literal[1, 2] = VERSION

    def step(self, step_id: str) -> Step:
        """The row with the id `step_id`, which must be in the plan."""
        for step in self.steps:
            if step.id == step_id:
                return step
        raise PlanError(
            msg("the plan has no row {step_id!r}", step_id=step_id),
            why=msg("it has {count} rows", count=len(self.steps)),
        )


NOT_FROM_FILES = ("clauses", "hash", "lint", "estimate", "used", "planning", "pins", "amended")
"""Fields that are written for readers, or for Bandleader's own records: what a file says there counts for nothing."""


def read_plan_text(data: bytes, name: str) -> Plan:
    """The plan in the JSON of a file that anyone may have written, without the fields in `NOT_FROM_FILES`; `name` is
    the file's, for the error. Raises `PlanError`."""
    if len(data) > MAX_FILE_BYTES:
        raise too_large(name, len(data))
    return without_records(read_plan(data, name))


def without_records(plan: Plan) -> Plan:
    """The plan with the fields in `NOT_FROM_FILES` (hash, marks, estimates, …) set to their defaults."""
    nothing = Plan(())
    return msgspec.structs.replace(plan, **{field: getattr(nothing, field) for field in NOT_FROM_FILES})


def too_large(name: str, size: int) -> PlanError:
    """The error for the plan file `name`, which is too large to be read with its `size` in bytes."""
    why = msg("{size:,} bytes; at most {max_file_bytes:,} are read", size=size, max_file_bytes=MAX_FILE_BYTES)
    return PlanError(msg("{name} is too large for a plan", name=name), why=why, fix=msg("make it two plans"))


def read_plan(data: bytes, name: str) -> Plan:
    """The plan in a JSON text as Bandleader itself stored it; `name` is for the error."""
    try:
        return msgspec.json.decode(data, type=Plan)
    except msgspec.ValidationError as problem:
        raise PlanError(msg("{name} is not a plan", name=name), why=str(problem)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise PlanError(
            msg("{name} is not JSON", name=name), why=str(problem) or msg("nested too deeply"),
            fix=FixKind.SAVE_PLAN(),
        ) from None


def write_plan(plan: Plan) -> bytes:
    """The plan as JSON: indented, or on one line if only that is small enough for a file."""
    dense = msgspec.json.encode(plan)
    indented = msgspec.json.format(dense, indent=1)
    return indented if len(indented) <= MAX_FILE_BYTES else dense


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
