"""Where a window listens for later starts, and who is at the other end: only the user may go there."""

from __future__ import annotations

import os
import stat
import struct
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from app.private_files import mine, open_to_others

_PREFIX = "bandleader-"
_LONGEST = 70
"""Longest path of a folder in bytes: a socket's whole path has at most 104 on some systems, and Qt lengthens it by 10
meanwhile."""
_LINUX_PEER = struct.Struct("3i")
_BSD_PEER = struct.Struct("=IIh2x16I")
_SOL_LOCAL, _LOCAL_PEERCRED = 0, 1


def new_address(running: Path, environment: Mapping[str, str], system: str = sys.platform) -> str:
    """A new, unguessable address: a path in a folder of the user alone, on Windows (`system` as `sys.platform`) the
    name of a pipe. Raises `OSError` if there is no such folder."""
    name = f"{_PREFIX}{os.urandom(8 if system == 'win32' else 4).hex()}"
    return name if system == "win32" else str(_folder(running, environment) / name)


def remove_left(address: str) -> None:
    """Remove the socket of a window that crashed, and the folder made for it."""
    place = Path(address)
    if not place.is_absolute() or not place.name.startswith(_PREFIX):
        return
    with suppress(OSError):
        found = os.lstat(place)
        if mine(found) and stat.S_ISSOCK(found.st_mode):
            place.unlink()
    if place.parent.name.startswith(_PREFIX):
        with suppress(OSError):
            place.parent.rmdir()


def peer_of(descriptor: int, system: str = sys.platform) -> int | None:
    """The user id of the process at the other end of a connected socket; None if the system does not tell."""
    if system == "win32" or descriptor < 0:
        return None
    # Slow to import, and asked only once there is a window to bring forward.
    import socket

    with suppress(OSError), socket.socket(fileno=os.dup(descriptor)) as line:
        if system == "linux":
            return linux_user(line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _LINUX_PEER.size))
        return bsd_user(line.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, _BSD_PEER.size))
    return None


def linux_user(told: bytes) -> int:
    """The user id in the value of SO_PEERCRED (process, user, group)."""
    return int(_LINUX_PEER.unpack(told)[1])


def bsd_user(told: bytes) -> int | None:
    """The user id in the value of LOCAL_PEERCRED (version, user, groups); None for an unknown version."""
    version, user = struct.unpack_from("=II", told)
    return int(user) if version == 0 else None


def _folder(running: Path, environment: Mapping[str, str]) -> Path:
    runtime = environment.get("XDG_RUNTIME_DIR", "")
    for folder in (Path(runtime), running):
        if folder.is_absolute() and len(os.fsencode(folder)) <= _LONGEST and _is_private(folder):
            return folder
    # Slow to import, and seldom needed.
    from tempfile import mkdtemp

    made = Path(mkdtemp(prefix=_PREFIX))
    if len(os.fsencode(made)) > _LONGEST:
        made.rmdir()
        raise OSError(f"{made} is too long for a socket")
    return made


def _is_private(folder: Path) -> bool:
    try:
        found = os.lstat(folder)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and mine(found) and not open_to_others(found)
