"""A rack of machines outside of the song that answers when it is let, for runs that are watched."""

from __future__ import annotations

import asyncio

from agent.plan.plan import Json, Step
from agent.plan.tool import ToolSpec
from agent.services.service import Call, Outcome, ServiceError, Unforeseen

_MACHINE: Json = {
    "type": "object", "properties": {"machine": {"type": "string"}}, "required": ["machine"],
    "additionalProperties": False,
}
_SIZE: Json = {"type": "object", "properties": {
    "machine": {"type": "string"}, "free": {"type": "integer", "unit": "bytes"},
}}  # fmt: skip
_ITEMS: Json = {"type": "object", "properties": {"items": {"type": "array", "items": _MACHINE}}}
_NOTHING: Json = {"type": "object", "properties": {}, "additionalProperties": False}
DISKS = (
    Step("which", "query_rack", {}, title="All machines"),
    Step("disks", "disk_free", {"machine": "{{item.machine}}"}, title="Free disk space", for_each="{{which.items}}"),
)


class RackService:
    """`query_rack` and `disk_free` only look; of the machines those that are `down` refuse.

    Calls of `disk_free` wait while the rack is `held`.
    """

    name = "rack"
    limit = 4
    tools = (
        ToolSpec("query_rack", "rack", "1", "All machines.", _NOTHING, _ITEMS, effect="outside", only_reads=True),
        ToolSpec("disk_free", "rack", "1", "Free disk space of a machine.", _MACHINE, _SIZE, effect="outside",
                 only_reads=True, safe_to_repeat=True),
    )  # fmt: skip

    def __init__(self, *machines: str, down: tuple[str, ...] = ()) -> None:
        self.machines = machines
        self.down = down
        self.asked: list[str] = []
        self._open = asyncio.Event()
        self._open.set()

    def hold(self) -> None:
        """Answer nothing from now on."""
        self._open.clear()

    def let_go(self) -> None:
        """Answer again."""
        self._open.set()

    async def call(self, call: Call) -> Outcome:
        """Answer, or refuse."""
        if call.tool == "query_rack":
            return Outcome({"items": [{"machine": name} for name in self.machines]})
        machine = str(call.inputs["machine"])
        self.asked.append(machine)
        while not self._open.is_set():
            if call.cancelled():
                raise ServiceError("broken off")
            await asyncio.sleep(0.01)
        if machine in self.down:
            raise ServiceError("the connection was refused")
        return Outcome({"machine": machine, "free": 1_000_000_000 * (len(self.asked) + 1)})

    def foresee(self, call: Call) -> Outcome:
        """Nobody knows before it is asked."""
        raise Unforeseen("the rack was not asked yet")


def looks(count: int) -> tuple[Step, ...]:
    """Rows that each ask one machine, one after the other."""
    return tuple(
        Step(f"look{at}", "disk_free", {"machine": f"m{at}"}, after=(f"look{at - 1}",) if at else ())
        for at in range(count)
    )
