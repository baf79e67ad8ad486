"""An MCP server over HTTP, made with the protocol's own library: prints its port, ends with its input."""

from __future__ import annotations

import asyncio
import socket
import sys
import threading
from typing import Any

import uvicorn
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from pydantic import BaseModel

made = MCPServer("web", log_level="CRITICAL")
cancelled = 0


class Sum(BaseModel):
    """A result with a shape."""

    total: int


@made.tool()
async def add(a: int, b: int) -> Sum:
    """Adds two numbers."""
    return Sum(total=a + b)


@made.tool()
async def slow(ctx: Context[Any, Any]) -> str:
    """Takes an hour."""
    global cancelled
    try:
        await ctx.report_progress(1, 2, "half")
        await asyncio.sleep(3600)
    finally:
        cancelled += 1
    return "done"


@made.tool()
async def stopped() -> int:
    """How many slow calls were stopped."""
    return cancelled


def end_with_input(server: uvicorn.Server) -> None:
    """Wait for whoever started this."""
    sys.stdin.read()
    server.should_exit = server.force_exit = True


if __name__ == "__main__":
    door = socket.socket()
    door.bind(("127.0.0.1", 0))
    # Whoever reads the port may come before the loop has begun.
    door.listen()
    sys.stdout.write(f"{door.getsockname()[1]}\n")
    sys.stdout.flush()
    app = made.streamable_http_app(json_response="json" in sys.argv, stateless_http="stateless" in sys.argv)
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical"))
    threading.Thread(target=end_with_input, args=(server,), daemon=True).start()
    asyncio.run(server.serve([door]))
