"""What planning will use of a model, told before anything is sent."""

from __future__ import annotations

from math import ceil

import msgspec

from agent.model_planner.prompt.budget import tokens, tokens_of
from agent.model_planner.prompt.context import request_turn, system_text
from agent.model_planner.prompt.offered_schema import plan_schema, tool_offers
from agent.model_planner.prompt.prompts import Prompts
from agent.model_planner.prompt.song_text import song_text
from agent.model_planner.prompt.tool_selection import planning_tools, reading_tools
from agent.model_planner.rounds.limits import PlanningLimits
from agent.model_planner.rounds.sizing import first_size
from agent.model_planner.rounds.splitting import numbered_parts
from agent.plan.planning import Brief

ROUNDS = 1.3
"""How often a plan is written on average, as some go back to the model for correction."""
_STEP = 4_096
"""Rooms that differ by less tell a song alike."""


class SongTold:
    """Describes a song for a prompt and caches the text by revision, as that takes a while for a large song."""

    def __init__(self) -> None:
        self._key: tuple[str, int] = ("", 0)
        self._text = ""

    def text(self, brief: Brief, revision: str, room: int) -> str:
        """The description of the brief's song in about `room` tokens; `revision` identifies the song's content."""
        key = (revision, room // _STEP)
        if key != self._key:
            self._text, self._key = song_text(brief.song, brief.palette, "", room), key
        return self._text


def estimate_planning(
    brief: Brief, prompts: Prompts, limits: PlanningLimits, context: int | None, told: SongTold | None = None,
    revision: str = "",
) -> tuple[int, int]:
    """Estimate (input tokens, output tokens) of planning a brief, rather too high than too low; no model is called.

    `context` is the model's window in tokens, None if unknown. Items of a numbered list count as parts planned
    separately. `told` caches the song's text by `revision`. Raises `PlanError` if the brief does not fit into the
    window.
    """
    small, window = limits.is_small(context), limits.window(context)
    tools = planning_tools(brief.tools, brief.request, small=small)
    offers = () if small else tool_offers(reading_tools(brief.tools))
    form = msgspec.json.encode((offers, plan_schema(tools, asks=not small))).decode()
    fixed = tokens(system_text(brief, tools, prompts, small=small)) + tokens(form)
    size = first_size(brief.request, brief.song, limits, window)
    room = window - fixed - limits.spare - size
    song = told.text(brief, revision, room) if told is not None else None
    asked = tokens_of((request_turn(brief, prompts, room, song),))
    sizes = [size]
    if brief.revision is None and 1 < len(parts := numbered_parts(brief.request)) <= limits.parts:
        sizes = [first_size(part.request, brief.song, limits, window) for part in parts]
    return ceil(ROUNDS * len(sizes) * (fixed + asked)), ceil(ROUNDS * sum(sizes))
