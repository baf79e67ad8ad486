"""What a listener of a run can be told: a closed union of facts."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from agent.plan.plan import Json


class _Event(Struct, frozen=True, tag_field="kind", omit_defaults=True):
    pass


class RunCreated(_Event, frozen=True, tag="RUN_CREATED"):
    """A request was stored as a run."""

    request: str


class AgentThinking(_Event, frozen=True, tag="AGENT_THINKING"):
    """The planner reports what it is doing."""

    text: str


class PlanGenerated(_Event, frozen=True, tag="PLAN_GENERATED"):
    """A plan of so many `steps` was made by the `planner` of that name and waits for a decision; `hash` is the
    plan's."""

    hash: str
    steps: int
    planner: str


class PlanApproved(_Event, frozen=True, tag="PLAN_APPROVED"):
    """A person approved exactly this plan."""

    hash: str
    by: str


class RowApproved(_Event, frozen=True, tag="ROW_APPROVED"):
    """A person approved other inputs (by the SHA-256 of their JSON) for the row `step`, which had failed, on exactly
    the song of this `revision`, and `most` as its maximum of items or edits; None if the row has no maximum."""

    step: str
    inputs: str
    revision: str
    by: str
    most: int | None = None


class RunStarted(_Event, frozen=True, tag="RUN_STARTED"):
    """The run holds the song from now on; `revision` is that of the song. `resumed`: it was started before."""

    revision: str
    resumed: bool = False


class Executing(_Event, frozen=True, tag="EXECUTING"):
    """The given number of rows is to be run now."""

    rows: int


class StepStarted(_Event, frozen=True, tag="STEP_STARTED"):
    """A row, or an item of it (-1: the row), begins; `of` is how many items its row has, 0 for a row that is no
    fan-out."""

    step: str
    tool: str
    item: int = -1
    inputs: Json = None
    of: int = 0


class StepProgress(_Event, frozen=True, tag="STEP_PROGRESS"):
    """The progress `share` of a long row or item, 0 to 1, with a `text` on what is being done. Emitted but not
    stored."""

    step: str
    share: float
    text: str = ""
    item: int = -1


class SubStepDone(_Event, frozen=True, tag="SUB_STEP"):
    """A call made by the model that works on a row: carried out on a copy of the song, or (not `ok`) refused or failed.
    `number` counts the row's calls, `told` is the result that the model was given, possibly cut."""

    step: str
    number: int
    tool: str
    inputs: Json
    ok: bool
    told: str = ""
    """The result that the model was given, possibly cut."""


class ModelUsed(_Event, frozen=True, tag="MODEL_USED"):
    """A row's usage of a model; `cost` is in US dollars, None if the price is unknown."""

    step: str
    tokens: int
    calls: int
    cost: float | None = None


class EditsApproved(_Event, frozen=True, tag="EDITS_APPROVED"):
    """A person approved exactly the `edits` (SHA-256 of their JSON) that the row `step` had collected, on exactly the
    song of this `revision`."""

    step: str
    edits: str
    revision: str
    by: str


class StepDone(_Event, frozen=True, tag="STEP_DONE"):
    """A row or item (-1: the row) is done; `result` is its result as JSON."""

    step: str
    item: int = -1
    result: Json = None


class StepFailed(_Event, frozen=True, tag="STEP_FAILED"):
    """A row or item (-1: the row) has failed, or needs review, as `state` says."""

    step: str
    reason: str
    item: int = -1
    state: str = "failed"


class StepSkipped(_Event, frozen=True, tag="STEP_SKIPPED"):
    """A row was left out by a person or by its own condition."""

    step: str
    reason: str


class StepNotRun(_Event, frozen=True, tag="STEP_NOT_RUN"):
    """A row was not reached before the run ended, for `reason`."""

    step: str
    reason: str


class Retrying(_Event, frozen=True, tag="RETRYING"):
    """A transient failure, for `reason`, of a row or item (-1: the row); it is tried again after `seconds`; `attempt`
    counts these retries from 1."""

    step: str
    attempt: int
    seconds: float
    reason: str
    item: int = -1


class CancelRequested(_Event, frozen=True, tag="CANCEL_REQUESTED"):
    """A person requested that the run stops."""


class PauseRequested(_Event, frozen=True, tag="PAUSE_REQUESTED"):
    """A person requested that the run pauses between two rows."""


class RunPaused(_Event, frozen=True, tag="RUN_PAUSED"):
    """The run is paused and keeps the song; `left` rows remain."""

    left: int


class RunProposed(_Event, frozen=True, tag="RUN_PROPOSED"):
    """The run waits for approval: a queued request was planned, or the song has changed since the approval."""

    reason: str


class IterationSaved(_Event, frozen=True, tag="ITERATION_SAVED"):
    """The result was stored as an iteration."""

    iteration: str


class RunCompleted(_Event, frozen=True, tag="RUN_COMPLETED"):
    """All approved rows are done or skipped."""

    done: int


class RunFailed(_Event, frozen=True, tag="RUN_FAILED"):
    """The run ended as PARTIAL, FAILED or NEEDS_REVIEW."""

    state: str
    reason: str


class RunCancelled(_Event, frozen=True, tag="RUN_CANCELLED"):
    """The run was cancelled after `done` rows, whose changes stay."""

    done: int


class RunRolledBack(_Event, frozen=True, tag="RUN_ROLLED_BACK"):
    """The song before the run was restored."""

    iteration: str


Event: TypeAlias = (
    RunCreated | AgentThinking | PlanGenerated | PlanApproved | RowApproved | RunStarted | Executing
    | StepStarted | StepProgress | SubStepDone | ModelUsed | EditsApproved
    | StepDone | StepFailed | StepSkipped | StepNotRun | Retrying
    | CancelRequested | PauseRequested | RunPaused | RunProposed | IterationSaved
    | RunCompleted | RunFailed | RunCancelled | RunRolledBack
)
