"""The messages of a talk with a model, in no provider's own form."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from agent.plan.plan import Json


class ToolCall(Struct, frozen=True):
    """A tool that the model wants used. `id` is the provider's own and pairs it with its result."""

    id: str
    name: str
    arguments: dict[str, Json]


class ToolResult(Struct, frozen=True):
    """What came of one call; `failed` tells the model that `text` is an error."""

    id: str
    text: str
    failed: bool = False


class UserTurn(Struct, frozen=True, tag="user"):
    """Words to the model."""

    text: str


class ModelTurn(Struct, frozen=True, tag="model"):
    """What the model answered. `kept` are parts of the provider's own form that must go back as they came."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    kept: tuple[Json, ...] = ()


class ResultsTurn(Struct, frozen=True, tag="results"):
    """The results of all calls of the turn before, one for each, in its order."""

    results: tuple[ToolResult, ...]


Turn: TypeAlias = UserTurn | ModelTurn | ResultsTurn
