"""What the rows of a plan that are left to a model may use of one."""

from __future__ import annotations

from agent.model_planner.prompt.budget import tokens
from agent.model_planner.prompt.offered_schema import compact_tools
from agent.model_planner.prompt.song_text import song_text
from agent.plan.document import Plan
from agent.plan.plan import Step
from agent.providers.provider import Usage
from agent.services.registry import Registry
from agent.session.tool_loop import MAX_TURNS, SONG_ROOM
from agent.song.palette import Palette
from agent.song.song import Song

_PROMPT = 600
"""Tokens of the system prompt, and of the text around the goal."""
_SCHEMAS = 3
"""Factor from a tool's line in the song's text to its schema, in tokens."""
_TURN = 1_500
"""Tokens of the calls in a long turn, and of their results."""


def most_used(plan: Plan, song: Song, registry: Registry, palette: Palette) -> Usage:
    """An upper estimate of what the rows with goals use of a model: every row takes all turns, each reads the song and
    all turns before it. Results of unusual size may exceed it; the spending cap holds all the same."""
    goals = [step for step in plan.steps if step.by == "model"]
    if not goals:
        return Usage()
    told = min(tokens(song_text(song, palette, "", SONG_ROOM)), SONG_ROOM)
    first = sum(_PROMPT + told + tokens(step.goal) + _tools(step, registry) for step in goals)
    turns = len(goals) * MAX_TURNS
    before = (MAX_TURNS - 1) * turns // 2
    return Usage(MAX_TURNS * first + before * 2 * _TURN, turns * _TURN, calls=turns)


def _tools(step: Step, registry: Registry) -> int:
    given = step.inputs.get("tools")
    named = [registry.tools[name] for name in given if name in registry.tools] if isinstance(given, list) else []
    return _SCHEMAS * tokens(compact_tools(named))
