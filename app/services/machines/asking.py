"""Asking one machine one question: the way that it is reached, and its password, attached at the last moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeAlias

from agent.errors import BandleaderError
from agent.fixes import FixKind
from agent.message import msg
from app.services.machines import posix_answers, ssh, windows_answers, winrm
from app.services.machines.aside import aside
from app.services.machines.commands import Question, over_ssh, script
from app.services.machines.errors import MachineError, MachineRefuses
from app.services.machines.figures import (
    AudioProcesses,
    DiskSpace,
    Folder,
    FreeMemory,
    LibrarySizes,
    Process,
    Volume,
    volume,
)
from app.services.machines.nonsense import Nonsense
from app.storage.machines import Machine, System

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
                why=msg("a plan cannot name any"), fix=FixKind.ADD_MACHINE_FOLDER(machine.name),
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
                fix=FixKind.GIVE_MACHINE_PASSWORD(machine.name),
            )
        return found


MOST_PROCESSES = 200
Answer: TypeAlias = DiskSpace | FreeMemory | AudioProcesses | LibrarySizes


def read_answer(machine: Machine, question: Question, text: str, wanted_volume: str = "") -> Answer:
    """The answer to `question`, parsed from a machine's output `text`; `wanted_volume` is the volume asked about, ""
    for that of the system. Raises `MachineError` for output that is no answer."""
    try:
        return _read(machine, question, text, wanted_volume)
    except Nonsense as problem:
        raise MachineError(
            msg("machine {machine} gave no answer that can be read", machine=machine.name), why=str(problem),
            fix=FixKind.CHECK_SYSTEM(machine.name, machine.system),
        ) from None


def _read(machine: Machine, question: Question, text: str, wanted: str) -> Answer:
    match question:
        case "disk_space":
            system, volumes = _VOLUMES[machine.system](text)
            return _disk(machine, volumes, system, wanted)
        case "free_memory":
            size, free = _MEMORY[machine.system](text)
            whole = volume("", size, free)
            return FreeMemory(machine.name, whole.size, whole.free, whole.used, whole.share)
        case "audio_processes":
            found = _PROCESSES[machine.system](text)
            largest = sorted(found, key=lambda one: (-one.memory, one.pid))[:MOST_PROCESSES]
            return AudioProcesses(machine.name, tuple(largest))
        case _:
            return LibrarySizes(machine.name, _FOLDERS[machine.system](text, machine.details.folders))


def _disk(machine: Machine, volumes: tuple[Volume, ...], system: str, wanted: str) -> DiskSpace:
    name = _volume_name(wanted) if machine.system == "windows" else wanted
    asked = next((one for one in volumes if one.name == (name or system)), None)
    if asked is None and wanted:
        there = ", ".join(one.name for one in volumes[:12])
        raise MachineError(
            msg("machine {machine} has no volume {wanted!r}", machine=machine.name, wanted=wanted[:40]),
            why=msg("it has {there}", there=there),
        )
    if asked is None:
        raise Nonsense("it tells nothing of the volume that its system is on")
    return DiskSpace(machine.name, asked.name, asked.size, asked.free, asked.used, asked.share, volumes)


def _volume_name(text: str) -> str:
    """`C:` for all that people write for it."""
    letter = text.rstrip("\\/").removesuffix(":")
    return f"{letter.upper()}:" if len(letter) == 1 else text


_VOLUMES: dict[System, Callable[[str], tuple[str, tuple[Volume, ...]]]] = {
    "linux": posix_answers.linux_volumes, "macos": posix_answers.mac_volumes, "windows": windows_answers.volumes,
}
_MEMORY: dict[System, Callable[[str], tuple[int, int]]] = {
    "linux": posix_answers.linux_memory, "macos": posix_answers.mac_memory, "windows": windows_answers.memory,
}
_PROCESSES: dict[System, Callable[[str], tuple[Process, ...]]] = {
    "linux": posix_answers.processes, "macos": posix_answers.processes, "windows": windows_answers.processes,
}
_FOLDERS: dict[System, Callable[[str, tuple[str, ...]], tuple[Folder, ...]]] = {
    "linux": posix_answers.folders, "macos": posix_answers.folders, "windows": windows_answers.folders,
}
