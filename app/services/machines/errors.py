"""What can go wrong with a studio machine; each error names the machine."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from agent.errors import Blame
from agent.fixes import Fix, FixKind
from agent.message import Text, msg
from agent.services.service import ServiceError


class MachineError(ServiceError):
    """A machine that cannot be asked, or whose answer cannot be used. No such error contains a password."""


class NotAnswering(MachineError):
    """No answer at a machine's address, or not in time; it may be tried again."""

    def __init__(self, what: Text, *, why: Text = "", fix: Fix | Text | None = None) -> None:
        super().__init__(what, why=why, fix=fix, transient=True)


class MachineRefuses(MachineError):
    """A machine that refuses the login, or presents another host key than the pinned one."""


class MachineChanged(MachineError):
    """A machine that was changed since its approval; it was not asked."""


class MachineExtraMissing(MachineError):
    """The libraries for machines are not installed."""

    blame = Blame.MACHINE


def library(name: str) -> ModuleType:
    """Import a library of the extra `machines`, which takes a while. Raises `MachineExtraMissing`."""
    try:
        return import_module(name)
    except ImportError:
        raise MachineExtraMissing(
            msg("studio machines need the library {name}", name=name), why=msg("it is not installed here"),
            fix=FixKind.INSTALL_EXTRA("machines"),
        ) from None
