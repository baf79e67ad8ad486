"""What adapters have in common: a model behind an SDK's client, its key, and one connection."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import TYPE_CHECKING, Generic

from agent.plan.plan import Json
from agent.providers.connection import Client, ClientPool
from agent.providers.faults import Faults
from agent.providers.provider import Query, Reply, ReplyEvent
from agent.providers.secret import Secret
from agent.providers.streaming import Outlet, streamed

if TYPE_CHECKING:
    import httpx2


class Adapter(ABC, Generic[Client]):
    """Base of providers: everything but name and abilities. `server` is the server's name for people, `idle` how many
    seconds it may be silent, and `longest` how many one answer may take. `_context` is the model's context window,
    known once `models` was called."""

    def __init__(
        self, model: str, key: str | None, base_url: str, server: str, idle: float, longest: float
    ) -> None:
        self._model = model
        self._secret = Secret(key)
        self._base_url = base_url
        self._idle = idle
        self._longest = longest
        self._faults = Faults(server, self._secret)
        self._connection = ClientPool(self._make)
        self._context: int | None = None

    @property
    def model(self) -> str:
        """The model's name."""
        return self._model

    def reply(self, query: Query) -> AsyncGenerator[ReplyEvent, None]:
        """See `Provider.reply`. A refusal or a filtered answer ends as `refused`, with the text so far."""
        return streamed(lambda outlet: self._reply(query, outlet), self._faults, self._longest)

    async def models(self) -> tuple[str, ...]:
        """See `Provider.models`."""
        entries = await _listed(self._list, self._faults)
        self._context = _window_of(entries, self._model)
        return _names(entries)

    async def close(self) -> None:
        """See `Provider.close`."""
        await self._connection.close()

    @abstractmethod
    async def _reply(self, query: Query, outlet: Outlet) -> Reply:
        """Ask, and put what comes into the outlet. Any error may be raised."""

    @abstractmethod
    async def _list(self) -> httpx2.Response:
        """What the server answers when it is asked for its models. Any error may be raised."""

    @abstractmethod
    def _make(self) -> Client:
        """The SDK's client, with all that its first call needs loaded; called in a thread."""


_WINDOW_NAMES = ("max_input_tokens", "context_length", "max_model_len", "context_window", "max_context_length")


async def _listed(ask: Callable[[], Awaitable[httpx2.Response]], faults: Faults) -> list[dict[str, Json]]:
    """The server's description of each model, sorted by `id`; `ask` sends the request for the list. Raises
    `ProviderError`."""
    try:
        response = await ask()
        found = _entries(response)
    except Exception as error:
        failure = faults.of(error)
    else:
        if found is not None and faults.secret.is_in(json.dumps(found, default=str)):
            failure = faults.repeated_key()
        elif found is not None:
            return sorted(found, key=lambda entry: str(entry["id"]))
        else:
            failure = faults.make("not_a_model", "it sent no list of models")
        # A server may repeat the key: no report of this frame's variables may show it.
        del response, found
    raise failure


def _names(entries: list[dict[str, Json]]) -> tuple[str, ...]:
    """The names of the models, each once."""
    return tuple(dict.fromkeys(str(entry["id"]) for entry in entries))


def _window_of(entries: list[dict[str, Json]], model: str) -> int | None:
    """The model's context window in tokens; None if the server does not say."""
    for entry in entries:
        if entry["id"] == model:
            for name in _WINDOW_NAMES:
                if isinstance(entry.get(name), int) and entry[name] > 0:
                    return int(entry[name])
    return None


def _entries(response: httpx2.Response) -> list[dict[str, Json]] | None:
    try:
        body = response.json()
    except ValueError:
        return None
    data = body.get("data") if isinstance(body, dict) else None
    if not isinstance(data, list):
        return None
    return [entry for entry in data if isinstance(entry, dict) and isinstance(entry.get("id"), str)]
