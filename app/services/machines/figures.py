"""What machines are asked for: the shape of every result."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

Bytes: TypeAlias = Annotated[int, Meta(ge=0, extra_json_schema={"unit": "bytes"})]
Share: TypeAlias = Annotated[float, Meta(ge=0, le=1, extra_json_schema={"unit": "share"})]
"""A share, 0 to 1."""


class Found(Struct, frozen=True):
    """A machine in the result of a search."""

    machine: str
    address: str
    system: str
    tags: tuple[str, ...]


class MachinesFound(Struct, frozen=True):
    """Machines by name."""

    items: tuple[Found, ...]


class Volume(Struct, frozen=True):
    """One volume of a disk; `share` is the used share."""

    name: str
    size: Bytes
    free: Bytes
    used: Bytes
    share: Share


class DiskSpace(Struct, frozen=True):
    """Figures of one volume, by default that of the system, and of all volumes."""

    machine: str
    volume: str
    size: Bytes
    free: Bytes
    used: Bytes
    share: Share
    volumes: tuple[Volume, ...]


class FreeMemory(Struct, frozen=True):
    """Memory of a machine; `free` is what programs can still allocate."""

    machine: str
    size: Bytes
    free: Bytes
    used: Bytes
    share: Share


class Process(Struct, frozen=True):
    """A running program; `cpu` in percent of one core, None if the system does not say."""

    name: str
    pid: int
    memory: Bytes
    cpu: float | None = None


class AudioProcesses(Struct, frozen=True):
    """Running music software, the largest first."""

    machine: str
    items: tuple[Process, ...]


class Folder(Struct, frozen=True):
    """Size of a folder; `found` is False if it does not exist or cannot be read."""

    folder: str
    size: Bytes
    files: int
    found: bool = True


class LibrarySizes(Struct, frozen=True):
    """Sizes of the configured folders, in their order."""

    machine: str
    items: tuple[Folder, ...]


def volume(name: str, size: int, free: int) -> Volume:
    """A volume from reported sizes in bytes; `free` is limited to `size`."""
    left = min(free, size)
    return Volume(name, size, left, size - left, round((size - left) / size, 4) if size else 0.0)
