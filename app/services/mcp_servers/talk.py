"""One talk with a server by the library: what it offers, and a call of it. Import it late, it takes a second."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any

import mcp_types as types
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError
from pydantic import TypeAdapter, ValidationError

from agent.message import msg
from app.services.mcp_servers.bounded import bounded
from app.services.mcp_servers.errors import BadServer
from app.services.mcp_servers.http_transport import UNREACHED
from app.services.mcp_servers.pins import MOST_TOOLS, Pin, check_pins, pin
from app.services.mcp_servers.results import CallResult

Tell = Callable[[float, float | None, str | None], None]
_ANSWER: TypeAdapter[types.CallToolResult | types.InputRequiredResult] = TypeAdapter(
    types.CallToolResult | types.InputRequiredResult
)
_LOST = (types.CONNECTION_CLOSED, types.REQUEST_TIMEOUT)
_NO_HANDSHAKE = (types.UNSUPPORTED_PROTOCOL_VERSION, types.METHOD_NOT_FOUND, types.INVALID_REQUEST)
_NOT_DONE = (types.INVALID_PARAMS, types.METHOD_NOT_FOUND)
_ME = types.Implementation(name="bandleader", version="1")


class Lost(Exception):
    """No answer came, and none will; the text says why."""


class ServerDeclined(Exception):
    """The server answered that it did not carry out the call, or asked for something that clients may refuse; the text
    says what."""


def quieten() -> None:
    """Keep the library's log messages, which contain server output, off the terminal."""
    for name in ("mcp", "client", "httpx2"):
        logger = logging.getLogger(name)
        logger.propagate = False
        if not logger.handlers:
            logger.addHandler(logging.NullHandler())


def declined(problem: BaseException | None) -> str:
    """The error with which the server answered the connection, or why it cannot be reached; empty for any other
    problem."""
    while isinstance(problem, BaseExceptionGroup):
        problem = problem.exceptions[0]
    if not isinstance(problem, MCPError) or problem.error.code in _LOST:
        return ""
    said = f"{problem.error.message:.200}"
    return said if problem.error.code == UNREACHED else f"it declined to begin: {said}"


def wants_discovery(problem: BaseException | None) -> bool:
    """Whether a server refused the handshake because it only knows the protocol version without one."""
    while isinstance(problem, BaseExceptionGroup):
        problem = problem.exceptions[0]
    return isinstance(problem, MCPError) and problem.error.code in _NO_HANDSHAKE


def client_of(transport: AbstractAsyncContextManager[tuple[Any, Any]], *, handshake: bool) -> Client:
    """A client that offers the server nothing but calls: no model, no questions to a person, no folders, no caching.

    With `handshake` it begins with the handshake that all servers but the newest know, else by asking for the server's
    capabilities; a server that does not know that question may leave it unanswered, which takes ten seconds."""
    quieten()
    return Client(bounded(transport), cache=None, client_info=_ME, mode="legacy" if handshake else "auto")


async def offered(client: Client) -> tuple[Pin, ...]:
    """All tools that the server lists now. Raises `Lost`, and `BadServer` for tools that cannot be used."""
    found: list[Pin] = []
    cursor: str | None = None
    try:
        while True:
            page = await client.list_tools(cursor=cursor)
            found += map(_pinned, page.tools)
            cursor = page.next_cursor
            if cursor is None or not page.tools or len(found) > MOST_TOOLS:
                return check_pins(found)
    except MCPError as problem:
        raise Lost(f"it does not tell its tools: {problem.error.message:.200}") from None
    except ValidationError:
        raise BadServer(msg("the server's list of tools does not follow the protocol")) from None


def _pinned(tool: types.Tool) -> Pin:
    told = tool.model_dump(mode="json", by_alias=True, exclude_none=True)
    return pin(
        tool.name, tool.description or "", told.get("inputSchema"), told.get("outputSchema"), told.get("annotations")
    )


async def called(client: Client, tool: str, inputs: Mapping[str, Any], tell: Tell, *, sure: bool) -> CallResult:
    """The answer to a call of `tool`; `tell` is called with progress. Raises `Lost` and `ServerDeclined`. With `sure`
    an error is certainly the server's own answer; otherwise it may replace an answer that did not arrive."""

    async def told_of(progress: float, total: float | None, message: str | None) -> None:
        tell(progress, total, message)

    request = types.CallToolRequest(params=types.CallToolRequestParams(name=tool, arguments=dict(inputs)))
    try:
        # Not `Client.call_tool`: it would try the server's own patterns on the server's own answer.
        answer = await client.session.send_request(request, _ANSWER, progress_callback=told_of)
    except MCPError as problem:
        said = f"{problem.error.message:.300}"
        if problem.error.code in _NOT_DONE or (sure and problem.error.code not in _LOST):
            raise ServerDeclined(said) from None
        raise Lost(said) from None
    except (ValidationError, RuntimeError, ValueError, RecursionError):
        raise Lost("its answer does not follow the protocol") from None
    if isinstance(answer, types.InputRequiredResult):
        raise ServerDeclined("it asks questions while it works, and those are not answered")
    told = answer.model_dump(mode="json", by_alias=True, exclude_none=True)
    return CallResult(tuple(told.get("content", ())), told.get("structuredContent"), bool(answer.is_error))
