"""What to do about what a song needs from outside: keys, servers, machines, folders, libraries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from agent.fixes.advice import Advice


@dataclass(frozen=True)
class SetProviderKey(Advice):
    """Give the key of a provider, to keep or for this process alone."""

    provider: str
    variable: str
    plain: ClassVar[str] = "give the key of {provider}, or set {variable} for this process"


@dataclass(frozen=True)
class ChooseModel(Advice):
    """Name one of the models of a provider."""

    provider: str
    plain: ClassVar[str] = "choose one in the settings"


@dataclass(frozen=True)
class KeepKeysApart(Advice):
    """Give a key only where keys are given."""

    plain: ClassVar[str] = "give keys where keys are given"


@dataclass(frozen=True)
class GiveAddressAlone(Advice):
    """Give an address without the key."""

    plain: ClassVar[str] = "give the address alone, and the key where keys are given"


@dataclass(frozen=True)
class ListServers(Advice):
    """Choose among the servers of tools."""

    plain: ClassVar[str] = "look at the list of servers"


@dataclass(frozen=True)
class RenameServer(Advice):
    """Give a new server a free name."""

    name: str
    plain: ClassVar[str] = "choose another name, or forget {name} first"


@dataclass(frozen=True)
class AddServerAgain(Advice):
    """Put a server that is damaged in anew."""

    name: str
    plain: ClassVar[str] = "forget {name}, then add it again"


@dataclass(frozen=True)
class AskServersMaker(Advice):
    """Ask who made a server whose tools cannot be read."""

    name: str
    plain: ClassVar[str] = "ask whoever made it; forget {name} if it was added"


@dataclass(frozen=True)
class NameProgram(Advice):
    """Say which program a server is."""

    plain: ClassVar[str] = "write the program and what it is given"


@dataclass(frozen=True)
class NameVariable(Advice):
    """Write the name of a variable as such names are."""

    plain: ClassVar[str] = "use letters, digits and _"


@dataclass(frozen=True)
class HandVariable(Advice):
    """Give a secret as a variable."""

    plain: ClassVar[str] = "give it as a variable"


@dataclass(frozen=True)
class UnlockForServer(Advice):
    """Let the keyring be used, or do without it."""

    plain: ClassVar[str] = "unlock or start the keyring, or give the variable without a value"


@dataclass(frozen=True)
class ApproveServer(Advice):
    """Look at what a server changed, and approve it."""

    name: str
    plain: ClassVar[str] = "approve server {name} again"


@dataclass(frozen=True)
class ProbeServer(Advice):
    """See whether a server can be reached."""

    name: str
    plain: ClassVar[str] = "test server {name}"


@dataclass(frozen=True)
class ReadServerLog(Advice):
    """Read what a server said last, and see whether it can be started."""

    name: str
    log: str
    plain: ClassVar[str] = "look into {log}, then test server {name}"


@dataclass(frozen=True)
class ListMachines(Advice):
    """Choose among the studio machines."""

    plain: ClassVar[str] = "look at the list of machines"


@dataclass(frozen=True)
class RenameMachine(Advice):
    """Give a new machine a free name."""

    name: str
    plain: ClassVar[str] = "forget {name}, or give another name"


@dataclass(frozen=True)
class AddMachineAgain(Advice):
    """Put a machine that is damaged in anew."""

    name: str
    plain: ClassVar[str] = "forget {name}, then add it again; or restore the newest backup"


@dataclass(frozen=True)
class NameCertificate(Advice):
    """Say which certificate a machine shows."""

    plain: ClassVar[str] = "name its certificate file, if its certificate is its own"


@dataclass(frozen=True)
class GiveHostAlone(Advice):
    """Give a host without its port."""

    plain: ClassVar[str] = "give a host's name or IP address and nothing else"


@dataclass(frozen=True)
class GiveUserAlone(Advice):
    """Give a user without a password."""

    plain: ClassVar[str] = "give the name alone"


@dataclass(frozen=True)
class ChooseSsh(Advice):
    """Reach a machine by SSH."""

    plain: ClassVar[str] = "choose SSH"


@dataclass(frozen=True)
class GivePasswordOrSsh(Advice):
    """Log in by a password, or reach a machine by SSH."""

    plain: ClassVar[str] = "give a password, or choose SSH"


@dataclass(frozen=True)
class PinMachine(Advice):
    """Compare a machine's host key, and pin it."""

    name: str
    plain: ClassVar[str] = "pin the host key of machine {name}"


@dataclass(frozen=True)
class PinMachineAgain(Advice):
    """Pin a machine's new host key, if it is known why it is new."""

    name: str
    plain: ClassVar[str] = "if you know why: pin the host key of machine {name}"


@dataclass(frozen=True)
class GiveMachinePassword(Advice):
    """Give the password of a machine, or the passphrase of its key."""

    name: str
    plain: ClassVar[str] = "give the password of machine {name}"


@dataclass(frozen=True)
class AddMachineFolder(Advice):
    """Set a folder whose sizes a machine may be asked for."""

    name: str
    plain: ClassVar[str] = "give machine {name} a folder"


@dataclass(frozen=True)
class RemoveMachineFolder(Advice):
    """Take a folder from a machine that has too many."""

    name: str
    plain: ClassVar[str] = "take a folder from machine {name}"


@dataclass(frozen=True)
class CheckSystem(Advice):
    """See whether a machine has the system that is written of it."""

    name: str
    system: str
    plain: ClassVar[str] = "check that the system of machine {name} is {system}"


@dataclass(frozen=True)
class NegotiateLogin(Advice):
    """Let a machine log in by Windows' own way."""

    plain: ClassVar[str] = "let it log in by Windows' own way"


@dataclass(frozen=True)
class TrustCertificate(Advice):
    """Name a machine's certificate, or have it signed."""

    plain: ClassVar[str] = "name its certificate file, or have it signed"


@dataclass(frozen=True)
class ListFolders(Advice):
    """Choose among the folders of a project."""

    plain: ClassVar[str] = "look at the list of folders"


@dataclass(frozen=True)
class ListLibrary(Advice):
    """Choose among the folders of the library."""

    plain: ClassVar[str] = "look at the folders of the library"


@dataclass(frozen=True)
class ForgetFolder(Advice):
    """Take a folder out of the library."""

    folder: str
    plain: ClassVar[str] = "forget {folder} first"


@dataclass(frozen=True)
class WriteTag(Advice):
    """Say which tag is meant."""

    plain: ClassVar[str] = "write one"


@dataclass(frozen=True)
class ScanLibrary(Advice):
    """Let the library's folders be looked through."""

    plain: ClassVar[str] = "look through its folder again"


@dataclass(frozen=True)
class AllowFolder(Advice):
    """Allow a folder that a plan would use."""

    plain: ClassVar[str] = "allow its folder"


@dataclass(frozen=True)
class AllowWriting(Advice):
    """Allow writing to a folder that may be read."""

    folder: str
    plain: ClassVar[str] = "allow writing to {folder}"


@dataclass(frozen=True)
class InstallExtra(Advice):
    """Install the libraries of an extra."""

    extra: str
    plain: ClassVar[str] = "pip install 'bandleader[{extra}]'"


KeyFix = SetProviderKey | ChooseModel | KeepKeysApart | GiveAddressAlone
ServerFix = (
    ListServers | RenameServer | AddServerAgain | AskServersMaker | NameProgram | NameVariable | HandVariable
    | UnlockForServer | ApproveServer | ProbeServer | ReadServerLog
)
MachineFix = (
    ListMachines | RenameMachine | AddMachineAgain | NameCertificate | GiveHostAlone | GiveUserAlone | ChooseSsh
    | GivePasswordOrSsh | PinMachine | PinMachineAgain | GiveMachinePassword | AddMachineFolder
    | RemoveMachineFolder | CheckSystem | NegotiateLogin | TrustCertificate
)
FolderFix = ListFolders | ListLibrary | ForgetFolder | WriteTag | ScanLibrary | AllowFolder | AllowWriting
