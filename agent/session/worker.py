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
    """A goal in `words`, and the limits within which it is to be reached, as approved: tools, tracks, and `max_edits`
    edits at most."""

    words: str
    limits: Limits
    max_edits: int


class Worked(Struct, frozen=True):
    """How the work on a goal ended, with the worker's own words. `stopped` says why it did not finish by itself: its
    edits exist, but may be incomplete. `failed` says why nothing of it may be used."""

    words: str = ""
    stopped: str = ""
    failed: str = ""


class Worker(Protocol):
    """Works on a goal by calls on a copy of the song, which refuses calls outside of the limits."""

    @property
    def name(self) -> str:
        """The name in events and reports."""
        ...

    async def work(self, goal: Goal, ghost: GhostSong, cancellation: Cancellation, spending: Spending) -> Worked:
        """Work until the end, adding usage to `spending`. Raises `WorkCancelled` soon after a stop is requested."""
        ...


def goal_of(step: Step, inputs: Inputs) -> Goal:
    """The goal of a row from its inputs without references. Raises `BadInput` for invalid limits."""
    return Goal(step.goal, taken(inputs, Limits), step.max_edits or 1)


def one_line(text: str, longest: int = 300) -> str:
    """A model's or server's text on one line, cut to `longest` characters."""
    text = text.encode("utf-8", "replace").decode()
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
