"""Pins: what the tool of each row was when the plan was approved, so that a tool that changed since is noticed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

import msgspec

from agent.plan.plan import Step
from agent.plan.tool import ToolSpec


def pins_of(steps: Iterable[Step], tools: Mapping[str, ToolSpec]) -> dict[str, str]:
    """The pin of each row by its id; a row whose tool is unknown has none."""
    known: dict[str, str] = {}
    pins: dict[str, str] = {}
    for step in steps:
        names = _tools_of(step)
        for name in names:
            if name not in known and name in tools:
                known[name] = _pin(tools[name])
        if step.tool in known:
            parts = [known.get(name, "") for name in names]
            pins[step.id] = parts[0] if len(parts) == 1 else _short("\x1f".join(parts).encode())
    return pins


def unpinned(steps: Iterable[Step], pins: Mapping[str, str], tools: Mapping[str, ToolSpec]) -> dict[str, str]:
    """Why a row may not run as it was approved, by its id: its tool is gone or is another one now.

    A row without a pin is only asked whether its tool is there.
    """
    rows = tuple(steps)
    now = pins_of(rows, tools)
    found: dict[str, str] = {}
    for row in rows:
        if row.tool not in tools:
            found[row.id] = f"its tool {row.tool} is gone since the plan was approved"
        elif pins.get(row.id, now[row.id]) != now[row.id]:
            found[row.id] = f"its tool {row.tool} has changed since the plan was approved"
    return found


def _tools_of(step: Step) -> tuple[str, ...]:
    """The row's tool, and those that a goal may use."""
    lent = step.inputs.get("tools") if step.by == "model" else None
    return (step.tool, *(name for name in lent if isinstance(name, str))) if isinstance(lent, list) else (step.tool,)


def _pin(tool: ToolSpec) -> str:
    """What decides how a call is made and what it does; not how the tool is described."""
    return _short(msgspec.json.encode((
        tool.name, tool.service, tool.version, tool.inputs, tool.result, tool.changes_song, tool.reads_song,
        tool.replaces_song, tool.effect, tool.safe_to_repeat, tool.probes,
    ), order="sorted"))


def _short(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:16]
