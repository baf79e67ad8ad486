"""Messages of a server that hold too many values become errors, before the library reads them one by one.

It does that on the event loop or holds the interpreter, so a window would stand still for it. Import it late.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import mcp_types as types
import msgspec
from mcp.shared.message import SessionMessage

_MOST_VALUES = 20_000
"""Most objects and lists in one message."""
_MOST_PARTS = 1_000
"""Most content parts of one answer, or tools on one page."""
SAID = "its answer holds too many values"
TOO_MANY = -32051
"""Error code of the answer that replaces one with too many values; the protocol leaves such codes to programs."""


def crowded(message: bytes) -> bool:
    """Whether a raw message contains too many values; False for what is no JSON."""
    if message.count(b"{") + message.count(b"[") <= _MOST_VALUES:
        return False
    try:
        # Many brackets may stand within texts: only reading it tells.
        return _too_many(msgspec.json.decode(message))
    except (msgspec.DecodeError, RecursionError):
        return False


@asynccontextmanager
async def bounded(
    transport: AbstractAsyncContextManager[tuple[Any, Any]]
) -> AsyncIterator[tuple[Any, Any]]:
    """Context with the (read, write) streams of a transport, in which messages of too many values are replaced by
    errors."""
    async with transport as (incoming, outgoing):
        yield _Incoming(incoming), outgoing


class _Incoming:
    """A stream of messages over another, whose other abilities it has."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    async def __aenter__(self) -> _Incoming:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *ended: Any) -> Any:
        return await self._stream.__aexit__(*ended)

    def __aiter__(self) -> _Incoming:
        return self

    async def __anext__(self) -> Any:
        return _checked(await self._stream.__anext__())

    async def receive(self) -> Any:
        """The next message."""
        return _checked(await self._stream.receive())


def _checked(given: Any) -> Any:
    message = given.message if isinstance(given, SessionMessage) else None
    if not isinstance(message, types.JSONRPCResponse) or not (
        _has_many_parts(message.result) or _too_many(message.result)
    ):
        return given
    refusal = types.ErrorData(code=TOO_MANY, message=SAID)
    return SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=message.id, error=refusal))


def _has_many_parts(result: dict[str, Any]) -> bool:
    parts = (result.get("content"), result.get("tools"))
    return any(isinstance(one, list) and len(one) > _MOST_PARTS for one in parts)


def _too_many(message: Any) -> bool:
    found, left = [message] if isinstance(message, dict | list) else [], _MOST_VALUES
    while found:
        value = found.pop()
        inner = value.values() if isinstance(value, dict) else value
        nested = [one for one in inner if isinstance(one, dict | list)]
        left -= len(nested)
        if left < 0:
            return True
        found += nested
    return False
