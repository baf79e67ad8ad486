"""Asking one machine one question: the way that it is reached, and its password, attached at the last moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from agent.errors import BandleaderError
from agent.fixes.outside import AddMachineFolder, GiveMachinePassword
from agent.message import msg
from app.services.machines import ssh, winrm
from app.services.machines.answers import Answer, read_answer
from app.services.machines.aside import aside
from app.services.machines.commands import Question, over_ssh, script
from app.services.machines.errors import MachineError, MachineRefuses
from app.storage.machines import Machine

SECONDS: dict[Question, float] = {
    "disk_space": 60.0, "free_memory": 60.0, "audio_processes": 60.0, "library_sizes": 300.0,
}
"""Time limit of each question in seconds, including the connection."""


class MachineClient:
    """Asks machines questions. `password_of` returns the stored password for a machine; it may block on the keyring."""

    def __init__(self, password_of: Callable[[str], str | None]) -> None:
        self._password_of = password_of

    async def ask(self, machine: Machine, question: Question, volume: str = "") -> Answer:
        """The machine's answer to a question; `volume` names the disk volume that a question about disk space is about,
        "" for that of the system. Raises `MachineError`, which names the machine."""
        if question == "library_sizes" and not machine.details.folders:
            raise MachineError(
                msg("no folders are set for machine {machine}", machine=machine.name),
                why=msg("a plan cannot name any"), fix=AddMachineFolder(machine.name),
            )
        text = await self._said(machine, question)
        return await asyncio.to_thread(read_answer, machine, question, text, volume)

    async def _said(self, machine: Machine, question: Question) -> str:
        password = await self._password(machine)
        if machine.way == "winrm":
            assert password is not None
            return await winrm.run(machine, script(machine, question), password, SECONDS[question])
        return await ssh.run(machine, over_ssh(machine, question), password, SECONDS[question])

    async def _password(self, machine: Machine) -> str | None:
        """The password, or for a key file its passphrase, which it need not have."""
        try:
            # A keyring may wait for somebody to unlock it; who cancels meanwhile need not wait too.
            found = await aside(lambda: self._password_of(machine.name), "keyring of machines")
        except BandleaderError as problem:
            if machine.details.key_file:
                # A key without a passphrase needs no keyring; one with a passphrase will say so.
                return None
            raise MachineRefuses(
                msg("the password of machine {machine} cannot be had", machine=machine.name), why=str(problem),
                fix=problem.fix,
            ) from None
        if found is None and not machine.details.key_file:
            raise MachineRefuses(
                msg("there is no password of machine {machine}", machine=machine.name),
                fix=GiveMachinePassword(machine.name),
            )
        return found
