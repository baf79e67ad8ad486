"""The service of studio machines: an inventory that plans may search, and four questions that machines may be asked."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from agent.message import msg
from agent.plan.tool import Targets, ToolSpec, targets
from agent.services.schemas import input_schema, result_schema, taken
from agent.services.service import Call, Outcome, Unforeseen
from app.services.machines import ssh
from app.services.machines.asking import SECONDS, MachineClient
from app.services.machines.commands import Question
from app.services.machines.errors import MachineChanged, MachineError
from app.services.machines.figures import AudioProcesses, DiskSpace, Found, FreeMemory, LibrarySizes, MachinesFound
from app.services.plugged_in import Host
from app.storage.machines import HostKey, Machine

QUERY = "query_machines"
MachineName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,62}(?!\n)$")]
"""The name of a stored machine; plans cannot name any other."""
_SPARE = 10.0
"""Seconds that a row may take longer than its question's time limit."""


class QueryMachines(Struct, frozen=True, forbid_unknown_fields=True):
    """All given fields must match: every tag, and the text in name, address, system or tags."""

    tags: tuple[str, ...] = ()
    text: str = ""


class OfMachine(Struct, frozen=True, forbid_unknown_fields=True):
    """Which machine, by its stored name."""

    machine: MachineName


class OfVolume(Struct, frozen=True, forbid_unknown_fields=True):
    """Which machine, and which of its volumes (`C:`, `/home`); empty for that of its system."""

    machine: MachineName
    volume: Annotated[str, Meta(max_length=200)] = ""


class MachinesService:
    """The tool `query_machines` and the questions. Approvals are bound to the machines of the host as they are when the
    service is made; a changed machine is not asked."""

    name = "machines"
    limit = 4

    def __init__(self, host: Host) -> None:
        self._inventory = host.machines
        self._asker = MachineClient(host.password_of)
        self.targets = targets_of(host.machines())
        """The machines that its tools reach."""
        self.tools = (
            ToolSpec(
                QUERY, self.name, "1", "Machines of the studio by tags and words; for_each goes through its items.",
                input_schema(QueryMachines), result_schema(MachinesFound), safe_to_repeat=True,
            ),
            self._asks("disk_space", "Size, free and used bytes of a machine's disk (its system's, on Windows C:), and "
                       "of all its volumes.", OfVolume, DiskSpace),
            self._asks("free_memory", "Size and free bytes of a machine's memory.", OfMachine, FreeMemory),
            self._asks("audio_processes", "Programs for music that run on a machine.", OfMachine, AudioProcesses),
            self._asks("library_sizes", "Bytes and files of the sample folders that are set for a machine.", OfMachine,
                       LibrarySizes),
        )

    def _asks(self, name: Question, about: str, inputs: type[Struct], result: type[Struct]) -> ToolSpec:
        return ToolSpec(
            name, self.name, "1", about, input_schema(inputs), result_schema(result), effect="outside",
            safe_to_repeat=True, only_reads=True, timeout=SECONDS[name] + _SPARE, targets=self.targets,
        )

    async def call(self, call: Call) -> Outcome:
        """Search the stored machines, or ask one. Raises `MachineError`."""
        if call.tool == QUERY:
            return await asyncio.to_thread(self._found, call)
        asked = self._asked(call)
        machine = await asyncio.to_thread(self._approved, asked.machine)
        question = _QUESTIONS[call.tool]
        answer = await self._asker.ask(machine, question, asked.volume if isinstance(asked, OfVolume) else "")
        return Outcome(msgspec.to_builtins(answer))

    def foresee(self, call: Call) -> Outcome:
        """The result of a search. A question raises `Unforeseen` if the machine exists, `MachineError` if not."""
        if call.tool == QUERY:
            return self._found(call)
        machine = self._machine(self._asked(call).machine)
        raise Unforeseen(msg("machine {machine} is asked when the row runs", machine=machine.name))

    async def host_key(self, machine: str) -> HostKey:
        """The host key that a machine presents now, before anything is sent there. Raises `MachineError`."""
        asked = await asyncio.to_thread(self._machine, machine)
        key = await ssh.host_key(asked)
        pinned = await ssh.fingerprint(asked.host_key) if asked.host_key else ""
        return HostKey(key, await ssh.fingerprint(key), pinned)

    def _asked(self, call: Call) -> OfMachine | OfVolume:
        if call.tool == "disk_space":
            return taken(call.inputs, OfVolume)
        return taken(call.inputs, OfMachine)

    def _found(self, call: Call) -> Outcome:
        wanted = taken(call.inputs, QueryMachines)
        found = tuple(
            Found(one.name, one.address, one.system, one.tags) for one in self._inventory() if _fits(one, wanted)
        )
        return Outcome(msgspec.to_builtins(MachinesFound(found)))

    def _approved(self, name: str) -> Machine:
        machine = self._machine(name)
        if targets_of((machine,)).digests[name] != self.targets.digests.get(name):
            raise MachineChanged(
                msg("machine {name} was not asked", name=name),
                why=msg("it is reached in another way than when the plan was approved"),
                fix=msg("plan the request again, and look at the machine before you approve it"),
            )
        return machine

    def _machine(self, name: str) -> Machine:
        machines = self._inventory()
        for one in machines:
            if one.name == name:
                return one
        names = ", ".join(one.name for one in machines[:12])
        raise MachineError(
            msg("there is no machine called {name!r}", name=name),
            why=msg("there are {names}", names=names) if names else "",
        )


def targets_of(machines: Iterable[Machine]) -> Targets:
    """Everything that decides which machine is asked, as which user, and about which folders, so that an approval is
    bound to it. Tags are not included."""
    return targets(
        {one.name: (one.way, one.address.casefold(), one.port, one.user, one.system, one.host_key, one.details)
         for one in machines},
        named_by="machine",
    )


_QUESTIONS: dict[str, Question] = {name: name for name in SECONDS}


def _fits(machine: Machine, wanted: QueryMachines) -> bool:
    tags = {tag.casefold() for tag in machine.tags}
    if not {tag.casefold() for tag in wanted.tags} <= tags:
        return False
    words = f"{machine.name} {machine.address} {machine.system} {' '.join(machine.tags)}".casefold()
    return wanted.text.casefold() in words
