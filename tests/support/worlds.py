"""A world outside of the program, which outlives it, and a service that acts on it in every way that can go wrong."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from studio_parts import a_tool

from agent.plan.plan import Json
from agent.services.service import Call, InDoubt, Outcome, ServiceError, Unforeseen

RESULT: dict[str, Any] = {"type": "object", "properties": {"sent": {}}, "required": ["sent"]}


class World:
    """What has happened outside: how often each effect, by the step and item that asked for it."""

    def __init__(self) -> None:
        self.effects: Counter[tuple[str, int]] = Counter()
        self.asked: Counter[tuple[str, int]] = Counter()
        self.tries: Counter[tuple[str, int]] = Counter()
        self.unreachable = False
        """Whether the world answers no question."""

    def of(self, step: str, item: int = -1) -> int:
        """How often the effect of a step was had."""
        return self.effects[step, item]


class WorldService:
    """Acts on a world.

    `send` can be neither repeated nor asked about; `post` can be asked about; `put` may be repeated; `ask` has no
    effect. `mode` says how a call goes: "ok"; "fail" before any effect; "busy" fails once in a passing way;
    "lost" has its effect, and then nobody knows; "hang" has it and never answers; "stuck" never has it nor answers;
    "break" has it and breaks; "garble" has it and gives a result that no one can use.
    """

    name = "world"

    def __init__(self, world: World, limit: int = 2, version: str = "1") -> None:
        self.world = world
        self.limit = limit
        self.tools = (
            a_tool("send", self.name, effect="outside", result=RESULT, version=version),
            a_tool("post", self.name, effect="outside", result=RESULT, version=version, probes=True),
            a_tool("put", self.name, effect="outside", result=RESULT, version=version, safe_to_repeat=True),
            a_tool("ask", self.name, version=version),
        )

    async def call(self, call: Call) -> Outcome:
        """Act."""
        key, mode = (call.origin.step, call.origin.item), call.inputs.get("mode", "ok")
        if call.tool == "ask":
            await asyncio.sleep(0)
            return Outcome(call.inputs)
        self.world.tries[key] += 1
        await asyncio.sleep(0)
        if mode == "fail":
            raise ServiceError("the world says no")
        if mode == "busy" and self.world.tries[key] == 1:
            raise ServiceError("the world is busy", transient=True)
        if mode == "stuck":
            await asyncio.sleep(60)
        if call.tool != "put" or not self.world.effects[key]:
            self.world.effects[key] += 1
        await asyncio.sleep(0)
        return await self._answered(call, mode)

    async def _answered(self, call: Call, mode: str) -> Outcome:
        if mode == "lost":
            raise InDoubt("the line broke")
        if mode == "hang":
            await asyncio.sleep(60)
        if mode == "break":
            raise KeyError("a bug")
        return Outcome({"sent": b"\x00"} if mode == "garble" else _sent(call))

    async def probe(self, call: Call) -> Outcome | None:
        """Look whether it has happened."""
        key = (call.origin.step, call.origin.item)
        self.world.asked[key] += 1
        await asyncio.sleep(0)
        if self.world.unreachable:
            raise ServiceError("the world does not answer")
        return Outcome(_sent(call)) if self.world.effects[key] else None

    def foresee(self, call: Call) -> Outcome:
        """As if it had happened; what is asked with `hidden` is not known before."""
        if call.inputs.get("hidden"):
            raise Unforeseen("only the world knows")
        return Outcome(call.inputs if call.tool == "ask" else _sent(call))


def _sent(call: Call) -> Json:
    return {"sent": call.inputs.get("what")}
