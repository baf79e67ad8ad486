"""The plan as it is shown, stored and written to a file."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from agent.fixes import FixKind
from agent.message import msg
from agent.plan.errors import PlanError
from agent.plan.plan import Ask, Clause, Inputs, Step
from agent.song.fence import Fence
from agent.song.locks import Lock

VERSION: Final = 2
"""Of the document and of what its hash is made of: version 1 left out `asks`, `fence`, and what tools reach."""
MAX_STEPS = 2000
MAX_FILE_BYTES = 32 * 1024 * 1024


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
