"""Watches a Python process, and those that it starts, from their first line on: sockets and files for writing.

Python reads a module of this name at start-up when its folder is on PYTHONPATH. What is seen goes, a line each,
into the file that WATCHED names.
"""

from __future__ import annotations

import os
import sys
from typing import Any

_SOCKETS = ("socket.connect", "socket.sendto", "socket.sendmsg", "socket.bind", "socket.getaddrinfo",
            "socket.gethostbyname", "socket.getnameinfo")
_MOVES = ("os.rename", "os.mkdir", "os.link", "os.symlink", "os.truncate", "os.remove")
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_INTERNET = ("AF_INET", "AF_INET6")


def _watch(log: int) -> None:
    def tell(kind: str, what: object) -> None:
        os.write(log, f"{kind}\t{what}\n".encode("utf-8", "backslashreplace"))

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in _SOCKETS:
            one = arguments[0]
            family = getattr(getattr(one, "family", None), "name", "AF_INET")
            tell("internet" if family in _INTERNET else "local", f"{event} {arguments[1:]}")
        elif event == "open":
            path, _, flags = arguments
            if isinstance(path, str | bytes | os.PathLike) and isinstance(flags, int) and flags & _WRITES:
                tell("write", os.path.abspath(os.fsdecode(path)))
        elif event in _MOVES:
            place = arguments[1] if event in ("os.rename", "os.link", "os.symlink") else arguments[0]
            if isinstance(place, str | bytes | os.PathLike):
                tell("write", os.path.abspath(os.fsdecode(place)))
        elif event in ("sqlite3.connect", "subprocess.Popen", "os.exec", "os.posix_spawn"):
            tell(event, arguments[0])

    sys.addaudithook(hook)
    tell("process", os.getpid())


if "WATCHED" in os.environ:
    _watch(os.open(os.environ["WATCHED"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600))
