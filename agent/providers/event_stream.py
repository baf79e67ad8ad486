"""Read a reply's stream of server-sent events as plain JSON objects, strictly."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING

from agent.plan.plan import Json
from agent.providers.faults import Faults

if TYPE_CHECKING:
    import httpx2

DONE = "[DONE]"
"""The `type` of the event that stands for the line with which some servers end a stream."""

_MOST_BYTES = 64 * 1024 * 1024
_SILENCES = 10
_DRAIN = 0.05


async def stream_events(
    response: httpx2.Response, faults: Faults, *, idle: float, is_last: Callable[[dict[str, Json]], bool]
) -> AsyncGenerator[dict[str, Json], None]:
    """Each event's JSON object until the stream ends or `is_last` is true of one; the event's SSE name is added as
    `type`. A server that does not stream and answers with one JSON object gives that as the only event.

    Raises `ProviderError`: not_a_model for a page or nothing at all, cut_off for a broken connection, stalled if no
    event but pings came for ten times `idle` seconds, malformed for anything that is not UTF-8 and JSON.
    """
    lines, seen, alive = _Lines(), 0, time.monotonic()
    whole = _shape(response, faults) == "application/json"
    async with aclosing(_chunks(response, faults)) as chunks:
        async for chunk in chunks:
            for event in lines.feed(chunk, faults, hold=whole):
                seen += 1
                if event.get("type") != "ping":
                    alive = time.monotonic()
                    yield event
                if is_last(event):
                    await _drain(chunks)
                    return
            if time.monotonic() - alive > _SILENCES * idle:
                raise faults.make("stalled", "it only says that it is still there")
            # Much may lie ready to be read: others get their turn between two chunks.
            await asyncio.sleep(0)
    for event in lines.rest(faults, whole=whole):
        seen += 1
        yield event
    if not seen:
        raise faults.make("not_a_model", "its answer is empty")


def _shape(response: httpx2.Response, faults: Faults) -> str:
    kind = str(response.headers.get("content-type", "")).partition(";")[0].strip().lower()
    if kind in ("text/html", "application/xhtml+xml"):
        raise faults.make("not_a_model", "it sent a web page")
    return kind


async def _chunks(response: httpx2.Response, faults: Faults) -> AsyncGenerator[bytes, None]:
    import httpx2

    total, body = 0, response.aiter_bytes()
    try:
        async for chunk in body:
            total += len(chunk)
            if total > _MOST_BYTES:
                raise faults.make("malformed", f"more than {_MOST_BYTES // 1024**2} MB for one answer")
            yield chunk
    except httpx2.TimeoutException:
        raise
    except httpx2.TransportError as error:
        raise faults.make("cut_off", str(error) or "it hung up") from None
    finally:
        # While `body` still holds the library's generators: they cannot wait for anything once they are garbage.
        await response.aclose()


async def _drain(chunks: AsyncIterator[bytes]) -> None:
    """Read the end of the body, mostly there already, so that the connection can be used again."""
    # The reply is whole: how its connection ends concerns nobody.
    with suppress(Exception):
        async with asyncio.timeout(_DRAIN):
            async for _ in chunks:
                pass


class _Lines:
    """Lines of events as they come in chunks, without copying what grows."""

    def __init__(self) -> None:
        self._open: list[bytes] = []
        self._name = ""
        self._data: list[str] = []

    def feed(self, chunk: bytes, faults: Faults, *, hold: bool) -> Iterator[dict[str, Json]]:
        end = -1 if hold else chunk.rfind(b"\n") + 1
        if end <= 0:
            self._open.append(chunk)
            return
        ready = b"".join([*self._open, chunk[:end]])
        self._open = [chunk[end:]]
        yield from self._events(ready.splitlines(), faults)

    def rest(self, faults: Faults, *, whole: bool) -> Iterator[dict[str, Json]]:
        text = b"".join(self._open)
        if not whole:
            yield from self._events([*text.splitlines(), b""], faults)
        elif text.strip():
            yield _parsed("", _decoded(text, faults), faults)

    def _events(self, lines: list[bytes], faults: Faults) -> Iterator[dict[str, Json]]:
        for raw in lines:
            line = _decoded(raw, faults)
            if not line:
                if self._data:
                    yield _parsed(self._name, "\n".join(self._data), faults)
                self._name, self._data = "", []
                continue
            field, _, value = line.partition(":")
            if field == "data":
                self._data.append(value.removeprefix(" "))
            elif field == "event":
                self._name = value.strip()


def _decoded(line: bytes, faults: Faults) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        raise faults.make("malformed", "its text is not UTF-8") from None


def _parsed(name: str, data: str, faults: Faults) -> dict[str, Json]:
    if data.startswith(DONE):
        return {"type": DONE}
    try:
        event = json.loads(data)
    except (ValueError, RecursionError):
        raise faults.make("malformed", f"an event that is no JSON: {data[:80]}") from None
    if not isinstance(event, dict):
        raise faults.make("malformed", f"an event that is no JSON object: {data[:80]}")
    if name:
        event.setdefault("type", name)
    return event
