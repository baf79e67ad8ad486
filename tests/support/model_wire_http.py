"""As much of HTTP/1.1 as a scripted server needs, with full power over how an answer breaks."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

Body = Literal["chunked", "declared", "closed"]


@dataclass(frozen=True)
class Head:
    """A request without its meaning."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


async def read_request(reader: asyncio.StreamReader) -> Head | None:
    """The next request; None when the client has gone."""
    try:
        raw = await reader.readuntil(b"\r\n\r\n")
        first, *lines = raw.decode("latin-1").rstrip("\r\n").split("\r\n")
        method, path, _ = first.split(" ", 2)
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        body = await _body(reader, headers)
    except (asyncio.IncompleteReadError, OSError, ValueError):
        return None
    return Head(method, path, headers, body)


async def _body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    if headers.get("transfer-encoding", "").lower() != "chunked":
        return await reader.readexactly(int(headers.get("content-length", "0")))
    body = b""
    while size := int((await reader.readuntil(b"\r\n")).split(b";")[0], 16):
        body += (await reader.readexactly(size + 2))[:-2]
    await reader.readuntil(b"\r\n")
    return body


class Sender:
    """Writes one answer to one connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._how: Body = "chunked"

    async def head(self, status: int, headers: Iterable[tuple[str, str]], how: Body, length: int = 0) -> None:
        """Status line and headers; what follows comes by `send`."""
        self._how = how
        extra = {
            "chunked": "Transfer-Encoding: chunked", "declared": f"Content-Length: {length}",
            "closed": "Connection: close",
        }[how]
        lines = [f"HTTP/1.1 {status} Scripted", *(f"{name}: {value}" for name, value in headers), extra]
        self._writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
        await self._writer.drain()

    async def send(self, data: bytes) -> None:
        """The next bytes of the body."""
        if self._how == "chunked":
            data = b"%x\r\n%s\r\n" % (len(data), data)
        if self.gone:
            raise ConnectionResetError
        self._writer.write(data)
        await self._writer.drain()

    async def end(self) -> bool:
        """The proper end of the body. True: the connection can take the next request."""
        if self._how == "chunked":
            self._writer.write(b"0\r\n\r\n")
            await self._writer.drain()
        return self._how != "closed"

    async def whole(self, status: int, kind: str, body: bytes, headers: Iterable[tuple[str, str]] = ()) -> bool:
        """A short answer in one piece."""
        await self.head(status, [("Content-Type", kind), *headers], "declared", len(body))
        self._writer.write(body)
        await self._writer.drain()
        return True

    async def json(self, status: int, value: Any, headers: Iterable[tuple[str, str]] = ()) -> bool:
        """A short answer as JSON."""
        return await self.whole(status, "application/json", json.dumps(value).encode(), headers)

    @property
    def gone(self) -> bool:
        """Whether the client has hung up."""
        return self._reader.at_eof() or self._writer.is_closing()

    def bare(self, data: bytes) -> None:
        """Bytes that are no HTTP."""
        self._writer.write(data)

    def reset(self) -> None:
        """End with a TCP reset, which throws away what was not read yet."""
        sock: socket.socket = self._writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()
