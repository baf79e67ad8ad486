"""Runs before the bundled program: libraries looked up by name are found in the bundle first."""

from __future__ import annotations

import ctypes
import ctypes.util
import sys
from pathlib import Path

_BUNDLE = Path(sys.__dict__["_MEIPASS"])
_find_in_system = ctypes.util.find_library


def _find(name: str) -> str | None:
    """Path of the bundle's own library of that name, else what the system has."""
    here = sorted(_BUNDLE.glob(f"lib{name}.so*")) + sorted(_BUNDLE.glob(f"lib{name}*.dylib"))
    if not here:
        return _find_in_system(name)
    if name == "fluidsynth":
        _load_spares()
    return str(here[0])


def _load_spares() -> None:
    """Load what FluidSynth links to and this machine lacks; a desktop has it all, and its own is used."""
    waiting = sorted((_BUNDLE / "spare").glob("*"))
    while waiting:
        left = [path for path in waiting if not (_loads(path.name) or _loads(str(path)))]
        if len(left) == len(waiting):
            return
        waiting = left


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library, ctypes.RTLD_GLOBAL)
    except OSError:
        return False
    return True


ctypes.util.find_library = _find
