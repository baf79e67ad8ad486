"""Servers of tools and plug-ins as documents, and their tools as a person reads them: whole, nothing hidden."""

from __future__ import annotations

import json
from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from agent.errors import BandleaderError
from agent.plan.plan import Json
from app.cli.fixes import typed
from app.cli.output import Document
from app.services.mcp_servers.pins import Differences, Pin
from app.services.mcp_servers.plain_text import hides, revealed
from app.services.mcp_servers.tool_names import offered_name
from app.services.plugged_in import PlugIn
from app.studio.integrations.servers import Server


def tool_shape(server: str, one: Pin) -> Document:
    """A tool as it was approved; `name` is its name in plans, `tool` the server's."""
    return {
        "name": offered_name(server, one.name), "tool": one.name, "description": one.description,
        "hidden_characters": _hidden(one), "inputs": one.inputs, "outputs": one.outputs,
        "annotations": one.annotations, "sha256": one.digest,
    }


def server_shape(one: Server, *, whole: bool = False) -> Document:
    """A tool server; with `whole` all details of its approved tools, else their names."""
    tools = [tool_shape(one.name, pin) if whole else offered_name(one.name, pin.name) for pin in one.tools]
    way = "http" if one.address.__class__.__name__ == "Http" else "stdio"
    return {
        "name": one.name, "service": f"mcp:{one.name}", "way": way, "address": one.shown, "created": one.created,
        "approved": one.approved, "tools": tools,
    }


def plug_in_shape(one: PlugIn) -> Document:
    """A service that another Python package provides."""
    return {"name": one.name, "package": one.package, "tools": list(one.tools)}


def fault_shape(one: BandleaderError) -> Document:
    """A server or plug-in that could not be loaded, and why."""
    return {"what": one.what, "why": one.why, "try": typed(one.fix)}


def differences_shape(server: str, found: Differences) -> Document:
    """What changed since the approval of the server named `server`, tool by tool."""
    changed = [{"before": tool_shape(server, old), "now": tool_shape(server, new)} for old, new in found.changed]
    return {
        "changed": changed, "gone": [offered_name(server, one.name) for one in found.gone],
        "new": [tool_shape(server, one) for one in found.new],
    }


def print_tools(console: Console, server: str, tools: Iterable[Pin]) -> None:
    """Print each tool with its full description and schemas; `server` is the name of their server."""
    for one in tools:
        console.print(Text(offered_name(server, one.name), style="bold"))
        if _hidden(one):
            console.print(Text("  It holds hidden characters, shown here as ⟨U+…⟩.", style="yellow"))
        _print_part(console, "", one.description.strip() or "It has no description.")
        _print_part(console, "takes ", _json(one.inputs))
        if one.outputs is not None:
            _print_part(console, "gives ", _json(one.outputs))
        if one.annotations is not None:
            _print_part(console, "says of itself ", _json(one.annotations))
        console.print(Text(f"  sha256 {one.digest}", style="dim"))


def print_differences(console: Console, server: str, found: Differences) -> None:
    """Print what changed since the approval, each part before and now; `server` is the server's name."""
    for old, new in found.changed:
        console.print(Text(f"changed: {offered_name(server, old.name)}", style="yellow"))
        for part in ("description", "inputs", "outputs", "annotations"):
            before, now = getattr(old, part), getattr(new, part)
            if before != now:
                _print_part(console, f"{part} was ", before if isinstance(before, str) else _json(before))
                _print_part(console, f"{part} is  ", now if isinstance(now, str) else _json(now))
    for one in found.gone:
        console.print(Text(f"gone: {offered_name(server, one.name)}", style="yellow"))
    if found.new:
        console.print(Text("new:", style="yellow"))
        print_tools(console, server, found.new)


def _print_part(console: Console, head: str, text: str) -> None:
    lines = revealed(text).split("\n")
    for number, line in enumerate(lines):
        console.print(Text(f"  {head if number == 0 else ' ' * len(head)}{line}"), soft_wrap=True)


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


def _hidden(one: Pin) -> bool:
    return hides(one.description) or hides(_json([one.inputs, one.outputs, one.annotations]))
