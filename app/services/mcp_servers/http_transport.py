"""A server at an address: no answer without a limit, no redirect to another origin. Import it late."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp.client.streamable_http import streamable_http_client

from agent.providers.routes import BadRoute, client_to, distrust_of
from app.services.mcp_servers.bounded import SAID, crowded
from app.services.mcp_servers.ending import CloseReason

_MOST = 16 * 1024 * 1024
_CONNECT = 10.0
_LONGEST_SESSION = 1000
_SEND = 30.0
UNREACHED = -32050
"""Error code of the answer that replaces one that never came; the protocol leaves such codes to programs."""
_OF_THE_BODY = ("content-encoding", "content-length", "transfer-encoding")


@asynccontextmanager
async def address(url: str, token: str | None, ending: CloseReason) -> AsyncIterator[tuple[Any, Any]]:
    """Context with the (read, write) streams to a server at a URL; the token is only sent to its origin. `ending` gets
    the reason why the connection was closed. Raises `BadRoute`."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    # A call may be silent for as long as the row's own time limit allows.
    patience = httpx2.Timeout(_SEND, connect=_CONNECT, read=None)

    def make(transport: httpx2.AsyncBaseTransport | None) -> _Limited:
        return _Limited(ending, headers=headers, timeout=patience, follow_redirects=False, transport=transport)

    try:
        # Reading the certificates that are trusted takes longer than a frame.
        made = await asyncio.to_thread(client_to, url, make)
    except BadRoute as problem:
        ending.say(f"{problem.what}: {problem.why}")
        ending.fix = problem.fix
        raise
    async with (
        made as client,
        streamable_http_client(url, http_client=client, max_sse_event_size=_MOST) as streams,
    ):
        yield streams


class _Limited(httpx2.AsyncClient):
    """Reads everything that is no stream of events here, up to a limit.

    A request that fails is answered with an error of the protocol: the library would end all others with it.
    """

    def __init__(self, ending: CloseReason, **options: Any) -> None:
        super().__init__(**options)
        self._ending = ending

    async def send(self, request: httpx2.Request, *, stream: bool = False, **how: Any) -> httpx2.Response:
        try:
            response = await super().send(request, stream=True, **how)
            if not _is_session(response.headers.get("mcp-session-id", "")):
                await response.aclose()
                return _failed(request, "its session id is none")
            if stream and response.headers.get("content-type", "").lower().startswith("text/event-stream"):
                return response
            body = await _body(response)
            if await asyncio.to_thread(crowded, body):
                return _failed(request, SAID)
        except httpx2.HTTPError as problem:
            if distrust := distrust_of(problem):
                self._ending.fix = distrust.fix
                return _failed(request, distrust.why)
            return _failed(request, str(problem) or type(problem).__name__)
        headers = [(name, value) for name, value in response.headers.multi_items() if name not in _OF_THE_BODY]
        return httpx2.Response(
            response.status_code, headers=headers, content=body, request=request, extensions=response.extensions
        )


def _is_session(text: str) -> bool:
    """Whether it may be sent back with each request: the protocol takes visible ASCII alone."""
    return len(text) <= _LONGEST_SESSION and text.isascii() and text.isprintable() and " " not in text


async def _body(response: httpx2.Response) -> bytes:
    pieces: list[bytes] = []
    room = _MOST
    try:
        # Counted after unpacking: a small compressed body can hold a thousand times as much.
        async for piece in response.aiter_bytes():
            pieces.append(piece)
            room -= len(piece)
            if room < 0:
                raise httpx2.DecodingError(f"it answered with more than {_MOST // 1024**2} MB")
    finally:
        await response.aclose()
    return b"".join(pieces)


def _failed(request: httpx2.Request, why: str) -> httpx2.Response:
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": UNREACHED, "message": why}}
    return httpx2.Response(502, json=error, request=request)
