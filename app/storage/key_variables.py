"""Keys that the environment of this process gives, taken out of it before any child process begins."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, MutableMapping

_NAMES = (
    "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_WEBHOOK_SECRET",
)


def take_environment(environment: MutableMapping[str, str] = os.environ) -> dict[str, str]:
    """Remove all API keys from this process's environment; returns a copy of the environment that still has them.

    No child process inherits a key then, nor finds one in the memory that systems show as this process's environment
    (`/proc/PID/environ`, `ps e`).
    """
    taken = dict(environment)
    if environment is os.environ:
        _overwrite()
    for name in _NAMES:
        environment.pop(name, None)
    return taken


def without_keys(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment without API keys, to be passed on to other programs."""
    return {name: value for name, value in environment.items() if name not in _NAMES}


def _overwrite() -> None:
    """Zero the values where the system laid them at the start: removing a variable leaves its text there."""
    if sys.platform == "win32":
        return  # there a variable that is removed is taken out of the block itself
    import ctypes

    names = {os.fsencode(name) for name in _NAMES}
    for entry in _entries():
        name, _, value = ctypes.string_at(entry).partition(b"=")
        if name in names:
            ctypes.memset(entry + len(name) + 1, 0, len(value))


def _entries() -> Iterator[int]:
    """Where each text NAME=VALUE of the C library's list lies."""
    import ctypes

    library = ctypes.CDLL(None)
    texts = ctypes.POINTER(ctypes.c_void_p)
    if sys.platform == "darwin":
        library._NSGetEnviron.restype = ctypes.POINTER(texts)
        entries = library._NSGetEnviron().contents
    else:
        entries = texts.in_dll(library, "environ")
    place = 0
    while entry := entries[place]:
        yield entry
        place += 1
