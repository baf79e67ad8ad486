"""Pins: what the tool of each row was when the plan was approved, and what it reaches, so that a change is noticed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

import msgspec

from agent.plan.plan import Step
from agent.plan.tool import ToolSpec


def pins_of(steps: Iterable[Step], tools: Mapping[str, ToolSpec]) -> dict[str, str]:
    """The pin (a digest of its tool's definition) of each row, by the row's id; a row with an unknown tool has none."""
    known: dict[tuple[str, str], str] = {}
    pins: dict[str, str] = {}
    for step in steps:
        parts = [_known(tools.get(name), step, known) for name in _tools_of(step)]
        if step.tool in tools:
            pins[step.id] = parts[0] if len(parts) == 1 else _short("\x1f".join(parts).encode())
    return pins


def unpinned(steps: Iterable[Step], pins: Mapping[str, str], tools: Mapping[str, ToolSpec]) -> dict[str, str]:
    """Why a row may not run as it was approved, by the row's id: its tool does not exist any more, or its definition
    has changed. Of a row without a pin only the first is checked."""
    rows = tuple(steps)
    now = pins_of(rows, tools)
    found: dict[str, str] = {}
    for row in rows:
        if row.tool not in tools:
            found[row.id] = f"its tool {row.tool} is gone since the plan was approved"
        elif pins.get(row.id, now[row.id]) != now[row.id]:
            reached = tools[row.tool].targets is not None
            which = f"{row.tool}, or what that reaches," if reached else row.tool
            found[row.id] = f"its tool {which} has changed since the plan was approved"
    return found


def _tools_of(step: Step) -> tuple[str, ...]:
    """The row's tool, and those that a goal may use."""
    lent = step.inputs.get("tools") if step.by == "model" else None
    return (step.tool, *(name for name in lent if isinstance(name, str))) if isinstance(lent, list) else (step.tool,)


def _known(tool: ToolSpec | None, step: Step, known: dict[tuple[str, str], str]) -> str:
    """The pin of one tool of a row; many rows share one."""
    if tool is None:
        return ""
    version = tool.version_for(step.inputs)
    if (tool.name, version) not in known:
        known[tool.name, version] = _pin(tool, version)
    return known[tool.name, version]


def _pin(tool: ToolSpec, version: str) -> str:
    """What decides how a call is made and what it does; not how the tool is described."""
    return _short(msgspec.json.encode((
        tool.name, tool.service, version, tool.inputs, tool.result, tool.changes_song, tool.reads_song,
        tool.replaces_song, tool.effect, tool.safe_to_repeat, tool.probes,
    ), order="sorted"))


def _short(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:16]
