"""What can go wrong with a studio machine; each error names the machine."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from agent.errors import Blame
from agent.fixes.fix import Fix
from agent.fixes.outside import InstallExtra
from agent.message import Text, msg
from agent.services.service import ServiceError


class MachineError(ServiceError):
    """A machine that cannot be asked, or whose answer cannot be used. No error holds a password."""


class NotAnswering(MachineError):
    """Nobody answers at a machine's address, or not in time: it can be tried again."""

    def __init__(self, what: Text, *, why: Text = "", fix: Fix | Text | None = None) -> None:
        super().__init__(what, why=why, fix=fix, transient=True)


class MachineRefuses(MachineError):
    """A machine that lets nobody in with what is known of it, or is another than the one that was pinned."""


class MachineChanged(MachineError):
    """A machine that is not the one that was approved under its name; it was not asked."""


class MachineExtraMissing(MachineError):
    """The libraries that speak to machines are not there."""

    blame = Blame.MACHINE


def library(name: str) -> ModuleType:
    """A library of the extra `machines`, imported now, which takes a while. Raises `MachineExtraMissing`."""
    try:
        return import_module(name)
    except ImportError:
        raise MachineExtraMissing(
            msg("studio machines need the library {name}", name=name), why=msg("it is not installed here"),
            fix=InstallExtra("machines"),
        ) from None
