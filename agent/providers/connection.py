"""A client of an SDK: made in a thread on first use, because loading one takes a second, and kept."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from agent.providers.routes import client_to

if TYPE_CHECKING:
    import httpx2

_CONNECT = 10.0


class Closable(Protocol):
    """A client that can be closed."""

    def close(self) -> Awaitable[None]:
        """Close the connections."""
        ...


Client = TypeVar("Client", bound=Closable)


class ClientPool(Generic[Client]):
    """Holds one client per running event loop, made in a thread on first use; connections of another loop cannot be
    used."""

    def __init__(self, make: Callable[[], Client]) -> None:
        self._make = make
        self._made: asyncio.Task[Client] | None = None

    async def client(self) -> Client:
        """The client for the running event loop. If the wait for it is cancelled, it is still made in its thread, for
        the next caller."""
        made = self._made
        if made is None or made.get_loop() is not asyncio.get_running_loop() or _failed(made):
            made = self._made = asyncio.create_task(asyncio.to_thread(self._make))
            made.add_done_callback(_failed)
        return await asyncio.shield(made)

    async def close(self) -> None:
        """Close the client; the next call makes a new one."""
        made, self._made = self._made, None
        if made is not None and made.get_loop() is asyncio.get_running_loop() and not _failed(made):
            await (await made).close()


def http_client(url: str, idle: float) -> httpx2.AsyncClient:
    """The HTTP client for the provider's address `url`: proxies as `client_to` says, and no redirect, so that no other
    origin ever gets a prompt or a key. `idle` is the longest silence in seconds. Raises `BadRoute`."""
    from agent.providers.short_answers import ShortAnswers

    return client_to(url, lambda transport: ShortAnswers(
        follow_redirects=False, timeout=patience(idle), transport=transport,
    ))


def patience(idle: float) -> httpx2.Timeout:
    """Time limits in seconds: a fixed one for connecting, and `idle` for each piece of an answer."""
    import httpx2

    return httpx2.Timeout(idle, connect=_CONNECT)


def _failed(task: asyncio.Task[Client]) -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)
