"""Who works on a row that is left to a model: a model with tools, or a planner with a plan of its own."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from agent.plan.plan import Inputs, Step
from agent.services.goal_service import Limits
from agent.services.schemas import taken
from agent.session.cancellation import Cancellation
from agent.session.ghost import GhostSong
from agent.session.spending import Spending


class Goal(Struct, frozen=True):
    """What is to be reached, and within which limits: exactly what was approved."""

    words: str
    limits: Limits
    max_edits: int


class Worked(Struct, frozen=True):
    """How the work on a goal ended.

    `words` are the worker's own. `stopped` says what kept it from coming to an end by itself: its edits are there,
    but nobody called them whole. `failed` says why nothing of it may be used.
    """

    words: str = ""
    stopped: str = ""
    failed: str = ""


class Worker(Protocol):
    """Works on a goal by calls on a ghost of the song, which refuses what is outside of the limits."""

    @property
    def name(self) -> str:
        """How a run names it."""
        ...

    async def work(self, goal: Goal, ghost: GhostSong, cancellation: Cancellation, spending: Spending) -> Worked:
        """Work until the end, counting what it uses in `spending`; raises `WorkCancelled` soon after someone
        asked to stop."""
        ...


def goal_of(step: Step, inputs: Inputs) -> Goal:
    """The goal of a row with inputs without references; raises `BadInput` for limits that do not fit."""
    return Goal(step.goal, taken(inputs, Limits), step.max_edits or 1)


def one_line(text: str, longest: int = 300) -> str:
    """The words of a model or server as one line that is short enough for a reason."""
    text = text.encode("utf-8", "replace").decode()
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
