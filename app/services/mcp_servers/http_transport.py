"""A server at an address: no answer without a limit, no redirect to another origin. Import it late."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp.client.streamable_http import streamable_http_client

_MOST = 16 * 1024 * 1024
_CONNECT = 10.0
_SEND = 30.0
UNREACHED = -32050
"""The code of the answer that stands for one that never came; the protocol leaves these codes to programs."""
_OF_THE_BODY = ("content-encoding", "content-length", "transfer-encoding")


@asynccontextmanager
async def address(url: str, token: str | None) -> AsyncIterator[tuple[Any, Any]]:
    """The streams to a server; the token goes to its origin alone."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    # A call may be silent for as long as the row's own time limit allows.
    patience = httpx2.Timeout(_SEND, connect=_CONNECT, read=None)
    async with (
        _Limited(headers=headers, timeout=patience, follow_redirects=False) as client,
        streamable_http_client(url, http_client=client, max_sse_event_size=_MOST) as streams,
    ):
        yield streams


class _Limited(httpx2.AsyncClient):
    """Reads everything that is no stream of events here, up to a limit.

    A request that fails is answered with an error of the protocol: the library would end all others with it.
    """

    async def send(self, request: httpx2.Request, *, stream: bool = False, **how: Any) -> httpx2.Response:
        try:
            response = await super().send(request, stream=True, **how)
            if stream and response.headers.get("content-type", "").lower().startswith("text/event-stream"):
                return response
            body = await _body(response)
        except httpx2.HTTPError as problem:
            return _failed(request, str(problem) or type(problem).__name__)
        headers = [(name, value) for name, value in response.headers.multi_items() if name not in _OF_THE_BODY]
        return httpx2.Response(
            response.status_code, headers=headers, content=body, request=request, extensions=response.extensions
        )


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
