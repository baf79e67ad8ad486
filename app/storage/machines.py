"""Studio machines: how they are reached and by which key they are known. Their passwords are in the keyring alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, RowMapping, delete, select
from sqlalchemy.dialects.sqlite import insert

from agent.fixes import FixKind
from agent.message import msg
from app.storage.errors import Damaged
from app.storage.records import stamp
from app.storage.rows import decoded
from app.storage.tables import MachineRow, table

Way: TypeAlias = Literal["ssh", "winrm"]
System: TypeAlias = Literal["linux", "macos", "windows"]


class MachineDetails(Struct, frozen=True):
    """Settings that only some machines have: `key_file` and `ca_file` are paths on this computer, `folders` paths on
    the machine. `auth` is how to log in by WinRM: `negotiate` (Kerberos or NTLM) or `basic` (name and password within
    TLS)."""

    key_file: str = ""
    ca_file: str = ""
    auth: Literal["negotiate", "basic"] = "negotiate"
    folders: tuple[str, ...] = ()


class Machine(Struct, frozen=True):
    """A machine of the studio, reached in this `way` at `address` and `port`. `host_key` is its pinned public key, None
    before it was pinned."""

    name: str
    address: str
    port: int
    user: str
    way: Way = "ssh"
    system: System = "linux"
    tags: tuple[str, ...] = ()
    host_key: str | None = None
    details: MachineDetails = MachineDetails()
    created: str = ""


class HostKey(Struct, frozen=True):
    """The host key that a machine presents now, its fingerprint, and the fingerprint of the pinned key (empty for
    none)."""

    key: str
    fingerprint: str
    pinned: str = ""

    @property
    def known(self) -> bool:
        """Whether the presented key is the pinned one."""
        return self.fingerprint == self.pinned


class Inventory(Struct, frozen=True):
    """The machines sorted by name, and for each that cannot be read the reason, by its name."""

    machines: tuple[Machine, ...] = ()
    damaged: Mapping[str, str] = {}

    def __bool__(self) -> bool:
        return bool(self.machines or self.damaged)


class _Stored(Struct, frozen=True):
    name: str
    address: str
    port: int
    user: str
    way: Way
    system: System
    tags: str
    host_key: str | None
    details: str
    created: str


def put(connection: Connection, machine: Machine) -> None:
    """Store a machine, in the place of the one of that name."""
    row = {
        **msgspec.structs.asdict(machine),
        "tags": msgspec.json.encode(machine.tags).decode(),
        "details": msgspec.json.encode(machine.details).decode(),
        "created": machine.created or stamp(),
    }
    new = insert(table(MachineRow)).values(row)
    kept = {name: value for name, value in row.items() if name not in ("name", "created")}
    connection.execute(new.on_conflict_do_update(index_elements=["name"], set_=kept))


def find(connection: Connection, name: str) -> Machine | None:
    """The machine of that name; None if there is none. Raises `Damaged` if it cannot be read."""
    rows = table(MachineRow)
    row = connection.execute(select(rows).where(rows.c.name == name)).mappings().first()
    return _machine(row) if row else None


def all_of(connection: Connection) -> Inventory:
    """All machines; one that is damaged hides no other."""
    rows = table(MachineRow)
    machines: list[Machine] = []
    damaged: dict[str, str] = {}
    for row in connection.execute(select(rows).order_by(rows.c.name)).mappings():
        try:
            machines.append(_machine(row))
        except Damaged as problem:
            damaged[str(row["name"])] = str(problem)
    return Inventory(tuple(machines), damaged)


def forget(connection: Connection, name: str) -> bool:
    """Remove a machine; returns whether there was one."""
    rows = table(MachineRow)
    return connection.execute(delete(rows).where(rows.c.name == name)).rowcount == 1


def _machine(row: RowMapping) -> Machine:
    what, name = f"machine {row['name']}", row["name"]
    fix = FixKind.ADD_MACHINE_AGAIN(name)
    try:
        stored = msgspec.convert(dict(row), _Stored)
    except msgspec.ValidationError as error:
        raise Damaged(msg("{what} is damaged", what=what), why=str(error), fix=fix) from error
    tags: tuple[str, ...] = decoded(stored.tags, tuple[str, ...], what, fix)
    details: MachineDetails = decoded(stored.details, MachineDetails, what, fix)
    return Machine(
        stored.name, stored.address, stored.port, stored.user, stored.way, stored.system, tags, stored.host_key,
        details, stored.created,
    )
