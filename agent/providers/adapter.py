"""What adapters have in common: a model behind an SDK's client, its key, and one connection."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Generic

from agent.providers.connection import Client, ClientPool
from agent.providers.faults import Faults
from agent.providers.listing import listed, names, window_of
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
        entries = await listed(self._list, self._faults)
        self._context = window_of(entries, self._model)
        return names(entries)

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
