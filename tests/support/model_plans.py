"""Briefs, written plans and models with a script, for the rooms of planning by a model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from asking import provider_at
from model_server import Form, ModelServer, Script, model_server
from patience import PATIENCE
from studio_parts import a_song, the_palette

from agent.model_planner.memory import AnswerMemory
from agent.model_planner.planner import ModelPlanner
from agent.model_planner.prompt.prompts import Prompts
from agent.model_planner.rounds.limits import PlanningLimits
from agent.plan.plan import Draft, Step
from agent.plan.planning import (
    Brief,
    ClarifyingQuestion,
    DraftReady,
    PlannerEvent,
    StepProposed,
    StepsWithdrawn,
    Thinking,
)
from agent.providers.provider import Abilities, Finished, Query, Reply, ReplyEvent, TextPart, Usage
from agent.services.registry import Registry
from agent.services.song_service import SongService
from agent.song.song import Song
from app.services.prompt_files import read_prompts

Row: TypeAlias = dict[str, Any]
WHITE = (48, 50, 52, 53, 55, 57, 59, 60, 62, 64, 65, 67, 69, 71)
RESOURCES = Path(__file__).parents[2] / "resources"


@cache
def the_prompts() -> Prompts:
    """The prompts that ship."""
    return read_prompts(RESOURCES)


@cache
def the_registry() -> Registry:
    """The tools that make songs."""
    return Registry([SongService(the_palette())])


def a_brief(request: str = "a warm pad", song: Song | None = None, **more: Any) -> Brief:
    """A brief on the small song of the tests."""
    given = a_song() if song is None else song
    return Brief(**{
        "request": request, "song": given, "palette": the_palette(), "tools": tuple(the_registry().tools.values()),
        "seed": 7, **more,
    })


def row(step: str, tool: str, **inputs: Any) -> Row:
    """A row as a model writes it."""
    return {"id": step, "tool": tool, "title": f"{tool} {step}", "group": "", "why": "", "inputs": inputs}


def pad_rows(bars: int = 2, instrument: str = "pad_warm", name: str = "Pad") -> list[Row]:
    """A track with one clip of whole notes; nothing about it is to be found fault with."""
    notes = [{"n": WHITE[bar % 14], "s": 4 * bar, "d": 4, "v": 60 + bar % 9} for bar in range(bars)]
    return [
        row("s1", "create_track", name=name, instrument=instrument),
        row("s2", "create_midi_clip", track_id="{{s1.track_id}}", start_time=0, duration=4 * bars, notes=notes),
    ]


def many_rows(count: int) -> list[Row]:
    """A plan of so many rows, each clip on the first row's track after the one before."""
    rows = [row("s1", "create_track", name="Pad", instrument="pad_warm")]
    for number in range(2, count + 1):
        notes = [{"n": WHITE[(number + step) % 14], "s": step, "d": 1, "v": 50 + 7 * step} for step in range(4)]
        start = 4 * (number - 2)
        rows.append(row(
            f"s{number}", "create_midi_clip", track_id="{{s1.track_id}}", start_time=start, duration=4, notes=notes,
        ))
    return rows


def written(rows: Sequence[Row], **around: Any) -> str:
    """An answer of these rows."""
    return json.dumps({"analysis": "as asked", "musical_reasoning": "held chords", "steps": list(rows), **around})


def pieces(text: str, count: int) -> list[str]:
    """The text in so many pieces of about equal length."""
    size = -(-len(text) // count)
    return [text[place : place + size] for place in range(0, len(text), size)]


@dataclass
class Planned:
    """What came of a planning."""

    events: list[PlannerEvent] = field(default_factory=list)

    @property
    def draft(self) -> Draft:
        """The draft that it ended in."""
        end = self.events[-1]
        assert isinstance(end, DraftReady), end
        return end.draft

    @property
    def question(self) -> ClarifyingQuestion:
        """The question that it ended in."""
        end = self.events[-1]
        assert isinstance(end, ClarifyingQuestion), end
        return end

    @property
    def shown(self) -> list[Step]:
        """The rows on show at the end."""
        rows: list[Step] = []
        for event in self.events:
            if isinstance(event, StepsWithdrawn):
                rows = []
            elif isinstance(event, StepProposed):
                rows.append(event.step)
        return rows

    @property
    def thoughts(self) -> list[str]:
        """What it told of itself."""
        return [event.text for event in self.events if isinstance(event, Thinking)]


async def planned(planner: ModelPlanner, brief: Brief) -> Planned:
    """Plan a brief to its end."""
    result = Planned()
    async with aclosing(planner.plan(brief)) as events:
        async for event in events:
            result.events.append(event)
    return result


def over_the_wire(
    script: Script, *briefs: Brief, form: Form = "anthropic", **more: Any
) -> tuple[list[Planned], ModelServer]:
    """Plan briefs, one after another, by a planner on a real SDK that talks to a scripted server."""

    async def journey(server: ModelServer) -> list[Planned]:
        provider = provider_at(form, server.url(form))
        planner = ModelPlanner(provider, the_prompts(), the_registry(), **more)
        try:
            return [await planned(planner, brief) for brief in briefs]
        finally:
            await provider.close()

    with model_server(script, size=97) as server:
        return asyncio.run(asyncio.wait_for(journey(server), PATIENCE)), server


Line: TypeAlias = str | Reply | Exception
Speaker: TypeAlias = Callable[[Query], Line]


class Scripted:
    """A provider without a network: says its lines in turn, or what a function makes of each query.

    `sent` counts the characters so far.
    """

    def __init__(
        self, script: Sequence[Line] | Speaker, abilities: Abilities | None = None, size: int = 64
    ) -> None:
        self.name, self.model = "scripted", "model-one"
        self.abilities = abilities or Abilities(forms="strict")
        self.queries: list[Query] = []
        self.sent = 0
        self._script = script
        self._size = size

    async def reply(self, query: Query) -> AsyncIterator[ReplyEvent]:
        """The next line."""
        self.queries.append(query)
        line = self._script(query) if callable(self._script) else self._script[len(self.queries) - 1]
        if isinstance(line, Exception):
            raise line
        reply = line if isinstance(line, Reply) else Reply(line, "end")
        if not reply.usage.calls:
            reply = msgspec.structs.replace(reply, usage=Usage(5_000, 100, calls=1))
        for place in range(0, len(reply.text), self._size):
            await asyncio.sleep(0)
            self.sent += self._size
            yield TextPart(reply.text[place : place + self._size])
        yield Finished(reply)

    async def models(self) -> tuple[str, ...]:
        """One."""
        return (self.model,)

    async def close(self) -> None:
        """Nothing to close."""


def in_process(
    provider: Scripted, *briefs: Brief, memory: AnswerMemory | None = None, registry: Registry | None = None,
    **limits: Any,
) -> list[Planned]:
    """Plan briefs, one after another, by a planner on a provider without a network."""
    planner = ModelPlanner(
        provider, the_prompts(), registry or the_registry(), limits=PlanningLimits(**limits), memory=memory
    )

    async def journey() -> list[Planned]:
        return [await planned(planner, brief) for brief in briefs]

    return asyncio.run(asyncio.wait_for(journey(), PATIENCE))
