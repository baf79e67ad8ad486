"""The rows of the database as frozen values.

Times are ISO 8601 UTC text with microseconds. Fields called JSON hold text that the caller encodes and
decodes; storage never looks inside. A field called a text hash names a text kept by `objects.put_text`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Literal, NewType

from msgspec import Struct

from agent.song.ids import IterationId, ProjectId, RunId
from agent.song.revision import ContentHash

MessageId = NewType("MessageId", int)
PlanningId = NewType("PlanningId", str)
"""One planning; what it used is counted to the run that came of it."""
Source = Literal["ai_iteration", "edit", "import", "restore", "merge"]
Role = Literal["user", "assistant", "system"]
ROW = -1
"""The item number of a plan's row itself; its fan-out's items count from 0."""


def stamp(moment: datetime | None = None) -> str:
    """A moment as the database writes it; without one, now."""
    when = datetime.now(UTC) if moment is None else moment.astimezone(UTC)
    return when.isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"


class Project(Struct, frozen=True):
    """A project. `head` is its newest iteration, `working` the song that a person sees and edits."""

    id: ProjectId
    name: str
    created: str
    head: IterationId | None = None
    working: ContentHash | None = None


class Iteration(Struct, frozen=True):
    """A version of a song; `root` is the hash of the song. `number` counts from 1 within the project; it and `created`
    are given when it is appended. `message` is what a person asked for, `label` a short title. `plan` is a text hash,
    `actions` the number of changes, `tokens`, `cost` (US dollars) and `seconds` what it took. Defaults are left out of
    the row's hash, so that a field added later leaves old rows valid."""

    id: IterationId
    project: ProjectId
    root: ContentHash
    source: Source
    author: str
    parent: IterationId | None = None
    message: str = ""
    label: str = ""
    plan: ContentHash | None = None
    actions: int = 0
    run: RunId | None = None
    planner: str = ""
    tokens: int = 0
    cost: float = 0.0
    seconds: float = 0.0
    number: int = 0
    created: str = ""


class StoredHistory(Struct, frozen=True):
    """A project's iterations, newest first, and a sentence for each that is damaged.

    `names` are those that a person gave, by the iteration's id; `newest` is the highest number, also if damaged.
    """

    iterations: tuple[Iteration, ...]
    damaged: tuple[str, ...] = ()
    names: Mapping[IterationId, str] = {}
    newest: int = 0


class Run(Struct, frozen=True):
    """A request and its run. `state` is a value of `RunState`; `plan` a text hash; `approval` and `answer` JSON.
    `base_revision` is the song that was approved to run on, `revision` the song that the last step left.
    `base_iteration` is the version before the run, `iteration` the one that it made."""

    id: RunId
    project: ProjectId
    request: str
    state: str
    base_revision: ContentHash
    revision: ContentHash
    seed: int
    planner: str
    plan: ContentHash | None = None
    approval: str | None = None
    base_iteration: IterationId | None = None
    iteration: IterationId | None = None
    answer: str | None = None
    created: str = ""
    updated: str = ""


class StepRecord(Struct, frozen=True):
    """What is known of one row (`item` is `ROW`) or item of a run; `place` is the row's in the plan, from 0.

    `key` is its idempotency key, unique over all runs. `inputs` and `result` are JSON. `intent_at` is set
    before an effect on the world, `done_at` once it is done: such a row is final.
    """

    step: str
    place: int
    item: int
    state: str
    tool: str
    key: str
    inputs: str = "{}"
    result: str | None = None
    reason: str = ""
    intent_at: str | None = None
    done_at: str | None = None


class Event(Struct, frozen=True):
    """Something that happened in a run: its `kind`, and all else in the JSON `body`. `number` counts from 1; it and the
    time `at` are given when it is stored."""

    kind: str
    body: str = "{}"
    at: str = ""
    number: int = 0


class RunUpdate(Struct, frozen=True):
    """What one step of a run changes, to be stored in one transaction: `steps` and `events` are added, a `state` or
    `revision` of None stays unchanged."""

    run: RunId
    steps: tuple[StepRecord, ...] = ()
    events: tuple[Event, ...] = ()
    state: str | None = None
    revision: ContentHash | None = None


class ChatMessage(Struct, frozen=True):
    """A line of the chat; `id` and `created` are given when it is appended."""

    project: ProjectId
    role: Role
    text: str
    run: RunId | None = None
    created: str = ""
    id: MessageId = MessageId(0)


Purpose = Literal["plan", "run", "test"]


class UsageEntry(Struct, frozen=True):
    """What a call of a model used, for which planning or run.

    `input` counts all that was read, `cached` the part of it that was cheap. `cost` is in US dollars, None
    where the price is unknown. `created` is given when it is stored.
    """

    provider: str
    model: str
    purpose: Purpose
    input: int
    output: int
    cached: int = 0
    cost: float | None = None
    project: ProjectId | None = None
    run: RunId | None = None
    planning: PlanningId | None = None
    created: str = ""


class VerdictRecord(Struct, frozen=True):
    """What a person did with a proposed row; `step` and `changed` are JSON, `created` is given when it is stored."""

    project: ProjectId
    request: str
    step: str
    deed: Literal["rejected", "changed"]
    reason: str = ""
    changed: str | None = None
    created: str = ""


class Lease(Struct, frozen=True):
    """The right of `owner`, a program, to write a project until `until` (ms since 1970); a lease with a higher `fence`
    has taken it over."""

    project: ProjectId
    owner: str
    fence: int
    until: int
