"""What PowerShell says of disks, memory, processes and folders: one JSON document each."""

from __future__ import annotations

from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta, Struct

from app.services.machines.audio_names import plays_music
from app.services.machines.figures import Folder, Process, Volume, volume
from app.services.machines.nonsense import LARGEST, Nonsense, plain_name, shown

T = TypeVar("T")
Count = Annotated[int, Meta(ge=0, le=LARGEST)]
Letter = Annotated[str, Meta(pattern=r"^[A-Za-z]\Z")]


class _Volume(Struct):
    name: Letter
    size: Count
    free: Count


class _Disks(Struct):
    system: Annotated[str, Meta(pattern=r"^[A-Za-z]:\Z")]
    volumes: Annotated[list[_Volume], Meta(max_length=26)]


class _Memory(Struct):
    size: Annotated[int, Meta(gt=0, le=2**50)]
    free: Annotated[int, Meta(ge=0, le=2**50)]


class _Process(Struct):
    name: str
    pid: Count
    memory: Count


class _Processes(Struct):
    items: Annotated[list[_Process], Meta(max_length=100_000)]


class _Folder(Struct):
    found: bool
    size: Count
    files: Count


class _Folders(Struct):
    items: list[_Folder]


def volumes(text: str) -> tuple[str, tuple[Volume, ...]]:
    """(name of the system's volume, all volumes with a letter) of Windows."""
    said = _read(text, _Disks)
    found = [volume(f"{one.name.upper()}:", one.size, one.free) for one in said.volumes]
    return said.system.upper(), tuple(sorted(found, key=lambda one: one.name))


def memory(text: str) -> tuple[int, int]:
    """(total, free) memory in bytes; Windows reports kilobytes."""
    said = _read(text, _Memory)
    return said.size * 1024, said.free * 1024


def processes(text: str) -> tuple[Process, ...]:
    """Running music software, without CPU usage, which Windows does not report here."""
    return tuple(
        Process(plain_name(one.name, "a name"), one.pid, one.memory)
        for one in _read(text, _Processes).items
        if plays_music(one.name)
    )


def folders(text: str, asked: tuple[str, ...]) -> tuple[Folder, ...]:
    """Sizes of the folders, in the order in which they were asked for."""
    said = _read(text, _Folders).items
    if len(said) != len(asked):
        raise Nonsense(f"{len(asked)} folders were asked for, and {len(said)} came")
    return tuple(
        Folder(folder, one.size, one.files, one.found) for folder, one in zip(asked, said, strict=True)
    )


def _read(text: str, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(text.strip().removeprefix("\ufeff").encode("utf-8", "replace"), type=kind)
    except (msgspec.DecodeError, RecursionError):
        # The reason of the library may hold what the machine said; a piece of it is shown that cannot act.
        raise Nonsense(f"it is no JSON of the kind that was asked for: {shown(text)}") from None
