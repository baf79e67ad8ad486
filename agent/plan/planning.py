"""The door of every planner: what it is given and what it streams back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol, TypeAlias

from msgspec import Struct

from agent.plan.plan import Draft, Step
from agent.plan.tool import ToolSpec
from agent.song.locks import Lock
from agent.song.palette import Palette
from agent.song.song import Song


class Brief(Struct, frozen=True):
    """All that a planner may know. `seed` fixes every choice of an offline planner."""

    request: str
    song: Song
    palette: Palette
    tools: tuple[ToolSpec, ...]
    seed: int
    locks: tuple[Lock, ...] = ()


class Thinking(Struct, frozen=True):
    """A sentence on what the planner is doing."""

    text: str


class StepProposed(Struct, frozen=True):
    """A row, as soon as it is known; the rows of `DraftReady` are the ones that count."""

    step: Step


class Choice(Struct, frozen=True):
    """An answer to a question: its words, and the full request to plan when it is taken."""

    label: str
    request: str


class Question(Struct, frozen=True):
    """The request is unclear; the stream ends here and the person picks a choice."""

    text: str
    choices: tuple[Choice, ...]


class DraftReady(Struct, frozen=True):
    """The whole plan; the stream ends here."""

    draft: Draft


PlannerEvent: TypeAlias = Thinking | StepProposed | Question | DraftReady


class Planner(Protocol):
    """Turns a brief into a stream that ends in a draft or a question.

    Raises `PlanError` where there is nothing to plan. Has no means to change a song.
    """

    @property
    def name(self) -> str:
        """How iterations name this planner."""
        ...

    def plan(self, brief: Brief) -> AsyncIterator[PlannerEvent]:
        """Begin to plan."""
        ...
