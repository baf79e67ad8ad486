"""A server that the user added, as a service: its tools as they were approved, each call checked against that."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Sequence

from agent.message import msg
from agent.plan.tool import ToolSpec, targets
from agent.services.service import Call, Outcome, ServiceError, Unforeseen
from app.services.mcp_servers.connection import Connection
from app.services.mcp_servers.pins import Pin
from app.services.mcp_servers.plain_text import one_line
from app.services.mcp_servers.results import error_of, result_of, result_schema
from app.services.mcp_servers.schemas import readable_inputs
from app.services.mcp_servers.tool_names import offered_name

PREFIX = "mcp:"
_ABOUT = 1000
_SAID = 120
_BETWEEN = 0.1
"""Seconds between two reports of progress: a server may send thousands."""
_TIMEOUT = 300.0


class McpService:
    """The approved tools of one server. Neither making the service nor planning connects to the server."""

    limit = 4

    def __init__(self, server: str, pins: Sequence[Pin], connection: Connection) -> None:
        self.name = f"{PREFIX}{server}"
        self._connection = connection
        self._targets = targets({server: connection.address})
        self._pins = {offered_name(server, one.name): one for one in pins}
        self.tools = tuple(self._spec(server, name, one) for name, one in self._pins.items())

    async def call(self, call: Call) -> Outcome:
        """Call the tool if it is still what was approved. Raises as `Connection.call`."""
        approved = self._pins[call.tool]
        answer, clean = await self._connection.call(approved, call.inputs, _teller(call))
        if answer.failed:
            raise ServiceError(
                msg("{tool} failed", tool=call.tool), why=error_of(answer, clean) or msg("the server does not say why"),
            )
        # A long answer takes longer than a frame to clean.
        return Outcome(await asyncio.to_thread(result_of, answer, approved, clean))

    def foresee(self, call: Call) -> Outcome:
        """Raises `Unforeseen`: a server is only called by a run."""
        raise Unforeseen(msg("what {tool} answers is known once the plan runs", tool=call.tool))

    async def close(self) -> None:
        """Close the connection."""
        await self._connection.close()

    def _spec(self, server: str, name: str, one: Pin) -> ToolSpec:
        return ToolSpec(
            name, self.name, one.digest[:12], _about(server, one), readable_inputs(one.inputs), result_schema(one),
            effect="outside", timeout=_TIMEOUT, targets=self._targets,
        )


def _about(server: str, one: Pin) -> str:
    """The server's own words on one line, with whose they are; its claims count only where they warn."""
    claims = one.annotations if isinstance(one.annotations, dict) else {}
    warning = " It says of itself that it may destroy things." if claims.get("destructiveHint") is True else ""
    said = one_line(one.description, _ABOUT) or "No description."
    return f"{said} (as the server {server} says){warning}"


def _teller(call: Call) -> Callable[[float, float | None, str | None], None]:
    """What passes progress on, now and then."""
    last = -math.inf

    def tell(done: float, whole: float | None, said: str | None) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < _BETWEEN:
            return
        last = now
        known = whole is not None and math.isfinite(done) and math.isfinite(whole) and whole > 0
        share = min(1.0, max(0.0, done / whole)) if known and whole is not None else 0.0
        call.progress(share, one_line(said or call.tool, _SAID))

    return tell
