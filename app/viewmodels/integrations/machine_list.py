"""Studio machines as the settings show them."""

from __future__ import annotations

import asyncio

from msgspec.structs import replace

from app.i18n import lazy, tr
from app.paths import named_path
from app.studio.integrations.machines import HostKey, Inventory, Machine, Machines
from app.viewmodels.texts.extras import missing_extra
from app.viewmodels.texts.fixes import Told
from app.viewmodels.watched import Watched

SYSTEM_WORDS = {"linux": lazy("Linux"), "macos": lazy("macOS"), "windows": lazy("Windows")}
WAY_WORDS = {"ssh": lazy("SSH"), "winrm": lazy("WinRM")}


class MachineList:
    """All machines by name, including those that cannot be read. None is connected to before the person asks for a
    fingerprint or a test."""

    def __init__(self, machines: Machines) -> None:
        self._machines = machines
        self.key = machines.host_key
        """The host key that a machine presents now, by the machine's name. Raises `ServiceError` and `StudioError`."""
        self.rows: Watched[Inventory] = Watched(Inventory())

    async def missing(self) -> Told | None:
        """What must be installed before machines can be used; None if nothing."""
        return await asyncio.to_thread(missing_extra, "machines")

    async def refresh(self) -> None:
        """Read the stored machines again."""
        self.rows.set(await self._machines.all())

    def find(self, name: str) -> Machine | None:
        """The machine of that name; None if there is none."""
        return next((one for one in self.rows.value.machines if one.name == name), None)

    async def add(self, machine: Machine, password: str) -> Machine:
        """Store a machine, and a password unless it is empty; returns the stored machine. Raises `StudioError` and
        `KeyringError`."""
        added = await self._machines.add(_whole(machine), password or None)
        await self.refresh()
        return added

    async def change(self, machine: Machine, password: str) -> Machine:
        """Replace the machine of this name, and its password unless it is empty; returns the stored machine. Raises
        `StudioError` and `KeyringError`."""
        changed = await self._machines.change(_whole(machine), password or None)
        await self.refresh()
        return changed

    async def forget(self, name: str) -> None:
        """Remove a machine and its password. Raises `StudioError`, and `KeyringError` if a password may still be
        stored."""
        await self._machines.forget(name)
        await self.refresh()

    async def pin(self, name: str, shown: HostKey) -> None:
        """Accept only this host key for a machine from now on."""
        await self._machines.pin(name, shown)
        await self.refresh()

    async def test(self, name: str) -> str:
        """The free space on a machine's disk, in a sentence. Raises `ServiceError`."""
        answer = await self._machines.test(name)
        return tr("{name} answers: {free:.1f} of {size:.1f} GB free on {volume}.", name=name, free=answer.free / 1e9,
                  size=answer.size / 1e9, volume=answer.volume)


def _whole(machine: Machine) -> Machine:
    """With whole paths: where the program is started from next time is another place."""
    details = machine.details
    key_file, ca_file = (str(named_path(path).absolute()) if path else "" for path in (
        details.key_file, details.ca_file
    ))
    return replace(machine, details=replace(details, key_file=key_file, ca_file=ca_file))


def pin_words(machine: Machine) -> str:
    """How a machine is identified: by certificate, by a pinned host key, or not yet."""
    if machine.way == "winrm":
        return tr("By certificate")
    return tr("Pinned") if machine.host_key else tr("Not pinned")


def key_words(shown: HostKey) -> str:
    """The fingerprints of the presented host key and the pinned one, in lines."""
    lines = [tr("It shows now: {fingerprint}", fingerprint=shown.fingerprint)]
    if shown.known:
        return "\n".join((*lines, tr("That is the pinned one.")))
    lines.append(tr("Pinned is: {pinned}", pinned=shown.pinned) if shown.pinned else tr("No key is pinned yet."))
    if shown.pinned:
        lines.append(tr("Somebody else may be at its address, or it was set up anew."))
    return "\n".join(lines)


def split_words(text: str) -> tuple[str, ...]:
    """The parts of a text between commas and line breaks."""
    return tuple(word for part in text.splitlines() for word in map(str.strip, part.split(",")) if word)
