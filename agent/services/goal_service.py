"""The tool of rows that are left to a model: a goal with its limits instead of exact inputs."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from agent.message import msg
from agent.plan.plan import Json
from agent.plan.tool import ToolSpec
from agent.services.schemas import input_schema, result_schema
from agent.services.service import Call, Outcome, ServiceError

WORK_ON = "work_on"
SONG = "song"
"""The service whose tools a goal may be given: nothing outside of the song is ever left to a model."""
MAX_TOOLS, MAX_TRACKS = 40, 256

_Name = Annotated[str, Meta(min_length=1, max_length=120)]


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """What may be done for a goal: the `tools` that may be used, and the existing `tracks` (ids, references, or
    "master") that may change; tracks that the row makes itself may change too. With `accept` its edits are kept
    without another look, else they wait for an approval."""

    tools: Annotated[tuple[_Name, ...], Meta(min_length=1, max_length=MAX_TOOLS)]
    tracks: Annotated[tuple[_Name, ...], Meta(max_length=MAX_TRACKS)] = ()
    accept: bool = False


class SubStep(Struct, frozen=True):
    """One call that was made for a goal, and what it came to; one that was refused or failed has a reason."""

    number: int
    tool: str
    inputs: Json
    ok: bool
    result: Json = None
    reason: str = ""


class GoalResult(Struct, frozen=True):
    """What became of a goal: all calls in order, how many edits they gave, whether whoever worked on it came to an
    end by itself, and its last words."""

    calls: tuple[SubStep, ...]
    edits: int
    finished: bool
    words: str


class GoalService:
    """The service of `work_on`, the tool of rows with a goal. It only describes the tool: such a row is carried out by
    the run itself, as it takes many calls."""

    name = "model"
    limit = 2

    def __init__(self) -> None:
        self.tools: tuple[ToolSpec, ...] = (
            ToolSpec(
                WORK_ON, self.name, "1",
                "Leaves a goal to the model while the plan runs, within limits that are approved with it: the row is "
                'by "model", with `goal` in words and `max_edits` 1-200.',
                input_schema(Limits), result_schema(GoalResult), changes_song=True, effect="song", safe_to_repeat=True,
            ),
        )

    async def call(self, call: Call) -> Outcome:
        """Always raises: a goal has no exact inputs that could be carried out."""
        return self.foresee(call)

    def foresee(self, call: Call) -> Outcome:
        """Always raises, as nothing can be foreseen of a goal."""
        raise ServiceError(
            msg("{tool} is left to a model", tool=call.tool), why=msg("nobody can tell its edits before it runs"),
        )
