"""What machines are asked for: the shape of every result."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

Bytes: TypeAlias = Annotated[int, Meta(ge=0, extra_json_schema={"unit": "bytes"})]
Share: TypeAlias = Annotated[float, Meta(ge=0, le=1, extra_json_schema={"unit": "share"})]
"""0 to 1."""


class Found(Struct, frozen=True):
    """A machine of the inventory."""

    machine: str
    address: str
    system: str
    tags: tuple[str, ...]


class MachinesFound(Struct, frozen=True):
    """Machines by name."""

    items: tuple[Found, ...]


class Volume(Struct, frozen=True):
    """One volume: what is not free of its size is used."""

    name: str
    size: Bytes
    free: Bytes
    used: Bytes
    share: Share


class DiskSpace(Struct, frozen=True):
    """The figures of one volume, by itself the one that the system is on, and all volumes."""

    machine: str
    volume: str
    size: Bytes
    free: Bytes
    used: Bytes
    share: Share
    volumes: tuple[Volume, ...]


class FreeMemory(Struct, frozen=True):
    """Memory of a machine; `free` is what programs can still have."""

    machine: str
    size: Bytes
    free: Bytes
    used: Bytes
    share: Share


class Process(Struct, frozen=True):
    """A program that runs; `cpu` is in percent of one core, None where the system does not tell."""

    name: str
    pid: int
    memory: Bytes
    cpu: float | None = None


class AudioProcesses(Struct, frozen=True):
    """Programs of music that run, the largest first."""

    machine: str
    items: tuple[Process, ...]


class Folder(Struct, frozen=True):
    """A folder; `found` is false where there is none, or none that may be read."""

    folder: str
    size: Bytes
    files: int
    found: bool = True


class LibrarySizes(Struct, frozen=True):
    """Folders in the order in which they are set."""

    machine: str
    items: tuple[Folder, ...]


def volume(name: str, size: int, free: int) -> Volume:
    """A volume from what is told of it; a machine that says more is free than there is has it all free."""
    left = min(free, size)
    return Volume(name, size, left, size - left, round((size - left) / size, 4) if size else 0.0)
