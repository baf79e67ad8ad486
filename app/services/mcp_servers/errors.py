"""What can go wrong with a server of tools that the user added."""

from __future__ import annotations

from agent.errors import BandleaderError, Blame
from agent.fixes import FixKind
from agent.message import msg
from agent.services.service import ServiceError


class NotInstalled(BandleaderError):
    """The MCP library is not installed."""

    blame = Blame.MACHINE


class BadServer(BandleaderError):
    """A name, command or address that is not valid for a server, or tools that cannot be used."""


class ServerFault(ServiceError):
    """A server that cannot be started or reached, or does not answer; no tool was called."""


class ChangedTool(ServiceError):
    """A tool that differs from the approved one; it was not called."""


def missing_library() -> NotInstalled:
    """The error for an installation without the MCP library."""
    return NotInstalled(
        msg("MCP servers cannot be used here"), why=msg("the library for them is not installed"),
        fix=FixKind.INSTALL_EXTRA("mcp"),
    )
