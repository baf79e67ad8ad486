"""Studio machines: how they are reached and by which key they are known. Their passwords are in the keyring alone."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert

from app.storage.errors import Damaged
from app.storage.records import stamp
from app.storage.rows import record
from app.storage.tables import MachineRow, table

Way: TypeAlias = Literal["ssh", "winrm"]
System: TypeAlias = Literal["linux", "macos", "windows"]


class MachineDetails(Struct, frozen=True):
    """What only some machines have; paths of `key_file` and `ca_file` are of this computer, `folders` of the machine.

    `auth` is for WinRM: who is asked for, in Windows' own way or by name and password within TLS.
    """

    key_file: str = ""
    ca_file: str = ""
    auth: Literal["negotiate", "basic"] = "negotiate"
    folders: tuple[str, ...] = ()


class Machine(Struct, frozen=True):
    """A machine of the studio. `host_key` is its pinned public key, None before it was pinned."""

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
    """The machine of that name."""
    rows = table(MachineRow)
    row = connection.execute(select(rows).where(rows.c.name == name)).mappings().first()
    return _machine(record(row, _Stored, f"machine {name}")) if row else None


def all_of(connection: Connection) -> tuple[Machine, ...]:
    """All machines by name."""
    rows = table(MachineRow)
    found = connection.execute(select(rows).order_by(rows.c.name)).mappings().all()
    return tuple([_machine(record(row, _Stored, f"machine {row['name']}")) for row in found])


def exist(connection: Connection) -> bool:
    """Whether there is a machine, readable or not."""
    return connection.execute(select(table(MachineRow).c.name).limit(1)).first() is not None


def forget(connection: Connection, name: str) -> bool:
    """Remove a machine; whether there was one."""
    rows = table(MachineRow)
    return connection.execute(delete(rows).where(rows.c.name == name)).rowcount == 1


def _machine(stored: _Stored) -> Machine:
    try:
        tags = msgspec.json.decode(stored.tags, type=tuple[str, ...])
        details = msgspec.json.decode(stored.details, type=MachineDetails)
    except msgspec.DecodeError as error:
        why = str(error)
        raise Damaged(f"machine {stored.name} is damaged", why=why, fix="restore the newest backup") from error
    return Machine(
        stored.name, stored.address, stored.port, stored.user, stored.way, stored.system, tags, stored.host_key,
        details, stored.created,
    )
