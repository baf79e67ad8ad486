"""Studio machines for doors: the inventory, what is kept for each, and trying one."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from agent.fixes import FixKind
from agent.message import msg
from agent.plan.secret_texts import holds_secret
from agent.services.registry import Registry
from agent.services.service import Call, Origin
from agent.song.palette import Palette
from agent.song.song import Song
from app.paths import named_path
from app.services.plugged_in import MACHINES, Host, Plugged, plugged
from app.storage import machines
from app.storage.errors import Damaged, NoKeyring
from app.storage.keyring import Keys
from app.storage.machines import HostKey, Inventory, Machine, MachineDetails, System, Way
from app.studio.errors import StudioError
from app.studio.store import Store

__all__ = [
    "FreeSpace", "HostKey", "Inventory", "Machine", "MachineDetails", "Machines", "System", "Way", "default_port",
]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")
_ADDRESS = re.compile(
    r"[A-Za-z0-9]([A-Za-z0-9._-]{0,252})|[0-9A-Fa-f:]{0,45}:[0-9A-Fa-f:.]{1,45}(%[A-Za-z0-9._-]{1,40})?"
)
_TAG = re.compile(r"[\w][\w .+-]{0,39}")
_USER = re.compile(r"[^\s:/\x00-\x1f\"'`$;|&<>]{1,104}")
MOST_MACHINES = 200
MOST_FOLDERS = 20
_LONGEST_PATH = 400


class FreeSpace(Struct, frozen=True):
    """What a tested machine says of the volume that its system is on, in bytes; `document` is its whole answer."""

    volume: str
    size: int
    free: int
    document: dict[str, Any]


class Machines:
    """The studio machines of this installation. Their service, a plug-in, is in the registry while there is at least
    one; `plug_ins` is the folder of the plug-ins' folders."""

    def __init__(self, store: Store, keys: Keys, registry: Registry, palette: Palette, plug_ins: Path) -> None:
        self._store = store
        self._keys = keys
        self._registry = registry
        self._host = Host(palette, plug_ins / MACHINES.name, self._read, keys.find_password)
        self._offered: Plugged | None = None
        self._reached: tuple[Machine, ...] = ()
        self._offer(store.database.read_now(machines.all_of))

    async def follow(self) -> None:
        """Update the registry from the stored machines, which other programs may have changed."""
        self._offer(await self._store.read(machines.all_of))

    def _offer(self, there: Inventory) -> None:
        if self._offered is not None and (not there or there.machines != self._reached):
            self._registry.drop(self._offered.name)
            self._offered = None
        if there and self._offered is None:
            self._offered, self._reached = plugged(MACHINES, self._host), there.machines
            self._registry.adopt(self._offered)

    def _read(self) -> tuple[Machine, ...]:
        return self._store.database.read_now(machines.all_of).machines

    async def all(self) -> Inventory:
        """All machines by name, and the names of those that cannot be read."""
        return await self._store.read(machines.all_of)

    async def find(self, name: str) -> Machine:
        """The machine of that name. Raises `StudioError` if there is none, and `Damaged` if it cannot be read."""
        found = await self._store.read(lambda transaction: machines.find(transaction, name))
        if found is None:
            raise await self._unknown(name)
        return found

    async def _unknown(self, name: str) -> StudioError:
        there = await self.all()
        names = ", ".join(sorted((*(one.name for one in there.machines), *there.damaged)))
        return StudioError(
            msg("there is no machine called {name}", name=_told(name)),
            why=msg("there are {names}", names=names) if names else msg("there is none"), fix=FixKind.LIST_MACHINES(),
        )

    def check(self, machine: Machine) -> None:
        """Raise `StudioError` for a machine that is not valid, without looking at existing ones."""
        _checked(machine)

    async def add(self, machine: Machine, password: str | None = None) -> Machine:
        """Store a new machine, and the password (of the machine or of its key file) in the keyring. Raises
        `StudioError` for an invalid one or a name that is taken, and `KeyringError`; nothing is stored then."""
        clean = _checked(machine)
        there = await self.all()
        names = {name.casefold() for name in (*(one.name for one in there.machines), *there.damaged)}
        if clean.name.casefold() in names:
            raise StudioError(
                msg("there is a machine called {clean} already", clean=clean.name),
                fix=FixKind.RENAME_MACHINE(clean.name),
            )
        if len(names) >= MOST_MACHINES:
            raise StudioError(
                msg("there are {most_machines} machines already", most_machines=MOST_MACHINES), fix=msg("forget one"),
            )
        if password is not None:
            await asyncio.to_thread(self._keys.put_password, clean.name, password)
        return await self._put(clean)

    async def change(self, machine: Machine, password: str | None = None) -> Machine:
        """Replace the machine of this name, and its password if one is given. The pinned host key stays. A stored
        password is not used for another address: that needs a new one. Raises `StudioError` and `KeyringError`; nothing
        is changed then."""
        before = await self.find(machine.name)
        clean = _checked(replace(machine, host_key=before.host_key, created=before.created))
        if clean.way == "winrm" and password is None and _reached(clean) != _reached(before):
            raise StudioError(
                msg("machine {clean} is reached in another way now", clean=clean.name),
                why=msg("the kept password would be sent there"), fix=msg("give its password again"),
            )
        if password is not None:
            await asyncio.to_thread(self._keys.put_password, clean.name, password)
        return await self._put(clean)

    async def put_password(self, name: str, password: str) -> None:
        """Store another password for a machine or its key file. Raises `StudioError` and `KeyringError`."""
        machine = await self.find(name)
        await asyncio.to_thread(self._keys.put_password, machine.name, password)

    async def forget(self, name: str) -> None:
        """Remove a machine, readable or not, and its password. Raises `StudioError` if there is none, and
        `KeyringError` if a password may still be stored; the machine stays then."""
        try:
            may_have_none = bool((await self.find(name)).details.key_file)
        except Damaged:
            may_have_none = True
        if may_have_none:
            await self._forget_passphrase(name)
        else:
            await asyncio.to_thread(self._keys.forget_password, name)
        await self._store.write(lambda transaction: machines.forget(transaction, name))
        await self.follow()

    async def tag(self, name: str, *, add: tuple[str, ...] = (), remove: tuple[str, ...] = ()) -> Machine:
        """Add and remove tags of a machine, ignoring case; returns the changed machine."""
        machine = await self.find(name)
        gone = {tag.casefold() for tag in remove}
        kept = tuple(tag for tag in (*machine.tags, *add) if tag.casefold() not in gone)
        return await self._put(_checked(replace(machine, tags=kept)))

    async def set_folders(self, name: str, *, add: tuple[str, ...] = (), remove: tuple[str, ...] = ()) -> Machine:
        """Add and remove sample folders, whose sizes the tool `library_sizes` reports; returns the changed machine."""
        machine = await self.find(name)
        kept = dict.fromkeys(folder for folder in (*machine.details.folders, *add) if folder not in remove)
        return await self._put(_checked(replace(machine, details=replace(machine.details, folders=tuple(kept)))))

    async def host_key(self, name: str) -> HostKey:
        """The host key that a machine presents now. Raises `ServiceError`, and `StudioError` for one without SSH."""
        machine = await self.find(name)
        if machine.way != "ssh":
            raise StudioError(
                msg("machine {name} has no host key", name=name), why=msg("WinRM knows a machine by its certificate"),
                fix=FixKind.NAME_CERTIFICATE(),
            )
        return await (await self._service_of(machine)).host_key(machine.name)

    async def pin(self, name: str, shown: HostKey) -> Machine:
        """Accept only this host key for a machine from now on; returns the changed machine."""
        return await self._put(replace(await self.find(name), host_key=shown.key))

    async def test(self, name: str) -> FreeSpace:
        """The machine's free disk space, which shows that address, host key and password work. Raises
        `ServiceError`."""
        machine = await self.find(name)
        call = Call("disk_space", {"machine": machine.name}, Song(), Origin("", ""))
        told = (await (await self._service_of(machine)).call(call)).result
        return FreeSpace(told["volume"], told["size"], told["free"], told)

    async def _service_of(self, machine: Machine) -> Plugged:
        """The service, which reaches the machines as they are stored now."""
        await self.follow()
        if self._offered is None:  # another program has just forgotten it
            raise await self._unknown(machine.name)
        return self._offered

    async def _put(self, machine: Machine) -> Machine:
        await self._store.write(lambda transaction: machines.put(transaction, machine))
        await self.follow()
        return machine

    async def _forget_passphrase(self, name: str) -> None:
        try:
            await asyncio.to_thread(self._keys.forget_password, name)
        except NoKeyring:
            return  # nothing can have been kept


def _reached(machine: Machine) -> tuple[object, ...]:
    """All that decides who is sent the password of a machine without a pinned key."""
    return machine.way, machine.address.casefold(), machine.port, machine.details.ca_file, machine.details.auth


def default_port(way: Way) -> int:
    """The default TCP port for a way to reach machines."""
    return 22 if way == "ssh" else 5986


def _checked(machine: Machine) -> Machine:
    """The machine with clean tags; `StudioError` for a part that cannot be."""
    if not _NAME.fullmatch(machine.name):
        raise StudioError(
            msg("{machine} is no name of a machine", machine=_told(machine.name)),
            fix=msg("use letters, digits, . _ and -"),
        )
    if not _ADDRESS.fullmatch(machine.address):
        # Not repeated: an address may have been given with a password in it.
        raise StudioError(msg("that is no address of a machine"), fix=FixKind.GIVE_HOST_ALONE())
    if not _USER.fullmatch(machine.user):
        raise StudioError(
            msg("that is no user of a machine"),
            why=msg("a name holds no colon and no space, and no password is given here"), fix=FixKind.GIVE_USER_ALONE(),
        )
    if not 1 <= machine.port <= 65535:
        raise StudioError(msg("there is no port {port}", port=machine.port), fix=msg("give 1 to 65535"))
    if machine.way == "winrm" and machine.system != "windows":
        raise StudioError(
            msg("machine {machine} has no WinRM", machine=machine.name), why=msg("only Windows has"),
            fix=FixKind.CHOOSE_SSH(),
        )
    details = _checked_details(machine)
    return replace(machine, tags=_tags(machine.tags), details=details)


def _checked_details(machine: Machine) -> MachineDetails:
    details = machine.details
    if machine.way == "winrm" and details.key_file:
        raise StudioError(msg("WinRM takes no key file"), fix=FixKind.GIVE_PASSWORD_OR_SSH())
    for path in (details.key_file, details.ca_file):
        if path and not named_path(path).is_file():
            raise StudioError(msg("there is no file {path}", path=_told(path)), fix=msg("check the path"))
    if len(details.folders) > MOST_FOLDERS:
        raise StudioError(msg("at most {most_folders} folders of a machine can be set", most_folders=MOST_FOLDERS))
    windows = machine.system == "windows"
    whole = re.compile(r"[A-Za-z]:[\\/].*|\\\\[^\\]+\\.*" if windows else r"/.*")
    for folder in details.folders:
        if len(folder) > _LONGEST_PATH or not folder.isprintable() or not whole.fullmatch(folder):
            example = r"D:\Samples" if windows else "/srv/samples"
            raise StudioError(
                msg("{folder} is no whole path of a folder", folder=_told(folder)),
                fix=msg("write it like {example}", example=example),
            )
    return details


def _tags(tags: tuple[str, ...]) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for tag in tags:
        if not _TAG.fullmatch(tag) or holds_secret(tag):
            raise StudioError(
                msg("{tag} is no tag", tag=_told(tag)), fix=msg("use letters, digits and . + - _, at most 40"),
            )
        found.setdefault(tag.casefold(), tag)
    return tuple(found.values())


def _told(text: str) -> str:
    return repr(text[:60]) if not holds_secret(text) else "that"
