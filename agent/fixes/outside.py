"""What to do about what a song needs from outside: keys, servers, machines, folders, libraries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from agent.fixes.advice import Advice


@dataclass(frozen=True)
class SetProviderKey(Advice):
    """Enter the API key of a provider, stored or only for this process; `variable` is the environment variable that
    holds one."""

    provider: str
    variable: str
    plain: ClassVar[str] = "give the key of {provider}, or set {variable} for this process"


@dataclass(frozen=True)
class ChooseModel(Advice):
    """Choose one of the models of a provider in the settings."""

    provider: str
    plain: ClassVar[str] = "choose one in the settings"


@dataclass(frozen=True)
class KeepKeysApart(Advice):
    """Enter a key only where keys are entered, not as another setting."""

    plain: ClassVar[str] = "give keys where keys are given"


@dataclass(frozen=True)
class GiveAddressAlone(Advice):
    """Enter a server's address without a key in it."""

    plain: ClassVar[str] = "give the address alone, and the key where keys are given"


@dataclass(frozen=True)
class ListServers(Advice):
    """Look at the list of MCP servers and choose one of them."""

    plain: ClassVar[str] = "look at the list of servers"


@dataclass(frozen=True)
class RenameServer(Advice):
    """Choose a free name for a new MCP server, or forget the one called `name` first."""

    name: str
    plain: ClassVar[str] = "choose another name, or forget {name} first"


@dataclass(frozen=True)
class AddServerAgain(Advice):
    """Remove a damaged MCP server and add it again."""

    name: str
    plain: ClassVar[str] = "forget {name}, then add it again"


@dataclass(frozen=True)
class AskServersMaker(Advice):
    """Ask the author of an MCP server whose tools cannot be read, or remove it."""

    name: str
    plain: ClassVar[str] = "ask whoever made it; forget {name} if it was added"


@dataclass(frozen=True)
class NameProgram(Advice):
    """Write which program an MCP server is, with its arguments."""

    plain: ClassVar[str] = "write the program and what it is given"


@dataclass(frozen=True)
class NameVariable(Advice):
    """Write the name of an environment variable with letters, digits and _ only."""

    plain: ClassVar[str] = "use letters, digits and _"


@dataclass(frozen=True)
class HandVariable(Advice):
    """Pass a secret to an MCP server as an environment variable, not as an argument."""

    plain: ClassVar[str] = "give it as a variable"


@dataclass(frozen=True)
class UnlockForServer(Advice):
    """Unlock the keyring, or name a variable without its value, so that it is read from the environment."""

    plain: ClassVar[str] = "unlock or start the keyring, or give the variable without a value"


@dataclass(frozen=True)
class ApproveServer(Advice):
    """Look at what has changed in an MCP server's tools, and approve them again."""

    name: str
    plain: ClassVar[str] = "approve server {name} again"


@dataclass(frozen=True)
class ProbeServer(Advice):
    """Test whether an MCP server can be reached."""

    name: str
    plain: ClassVar[str] = "test server {name}"


@dataclass(frozen=True)
class ReadServerLog(Advice):
    """Read the end of an MCP server's `log` file, then test whether it can be started."""

    name: str
    log: str
    plain: ClassVar[str] = "look into {log}, then test server {name}"


@dataclass(frozen=True)
class ListMachines(Advice):
    """Choose among the studio machines."""

    plain: ClassVar[str] = "look at the list of machines"


@dataclass(frozen=True)
class RenameMachine(Advice):
    """Choose a free name for a new machine, or forget the one called `name` first."""

    name: str
    plain: ClassVar[str] = "forget {name}, or give another name"


@dataclass(frozen=True)
class AddMachineAgain(Advice):
    """Remove a damaged machine and add it again, or restore a backup."""

    name: str
    plain: ClassVar[str] = "forget {name}, then add it again; or restore the newest backup"


@dataclass(frozen=True)
class NameCertificate(Advice):
    """Name the file of a machine's certificate, if it is self-signed."""

    plain: ClassVar[str] = "name its certificate file, if its certificate is its own"


@dataclass(frozen=True)
class GiveHostAlone(Advice):
    """Enter a host name or IP address without a port."""

    plain: ClassVar[str] = "give a host's name or IP address and nothing else"


@dataclass(frozen=True)
class GiveUserAlone(Advice):
    """Enter a user name without a password in it."""

    plain: ClassVar[str] = "give the name alone"


@dataclass(frozen=True)
class ChooseSsh(Advice):
    """Choose SSH as the way to reach a machine."""

    plain: ClassVar[str] = "choose SSH"


@dataclass(frozen=True)
class GivePasswordOrSsh(Advice):
    """Enter a password for WinRM, or choose SSH as the way to reach a machine."""

    plain: ClassVar[str] = "give a password, or choose SSH"


@dataclass(frozen=True)
class PinMachine(Advice):
    """Compare a machine's host key with the expected one, and pin it."""

    name: str
    plain: ClassVar[str] = "pin the host key of machine {name}"


@dataclass(frozen=True)
class PinMachineAgain(Advice):
    """Pin a machine's changed host key, but only if the reason for the change is known."""

    name: str
    plain: ClassVar[str] = "if you know why: pin the host key of machine {name}"


@dataclass(frozen=True)
class GiveMachinePassword(Advice):
    """Enter the password of a machine, or the passphrase of its key file."""

    name: str
    plain: ClassVar[str] = "give the password of machine {name}"


@dataclass(frozen=True)
class AddMachineFolder(Advice):
    """Add a folder of a machine, whose size plans may then ask for."""

    name: str
    plain: ClassVar[str] = "give machine {name} a folder"


@dataclass(frozen=True)
class RemoveMachineFolder(Advice):
    """Remove a folder from a machine that has too many."""

    name: str
    plain: ClassVar[str] = "take a folder from machine {name}"


@dataclass(frozen=True)
class CheckSystem(Advice):
    """Check whether a machine really runs the operating system that is stored for it."""

    name: str
    system: str
    plain: ClassVar[str] = "check that the system of machine {name} is {system}"


@dataclass(frozen=True)
class NegotiateLogin(Advice):
    """Let a machine log in by Windows' own method (Negotiate) instead of a plain password."""

    plain: ClassVar[str] = "let it log in by Windows' own way"


@dataclass(frozen=True)
class TrustCertificate(Advice):
    """Name the file of a machine's certificate, or have the certificate signed by a trusted authority."""

    plain: ClassVar[str] = "name its certificate file, or have it signed"


@dataclass(frozen=True)
class ListFolders(Advice):
    """Look at the list of a project's allowed folders and choose one of them."""

    plain: ClassVar[str] = "look at the list of folders"


@dataclass(frozen=True)
class ListLibrary(Advice):
    """Look at the folders of the library and choose one of them."""

    plain: ClassVar[str] = "look at the folders of the library"


@dataclass(frozen=True)
class ForgetFolder(Advice):
    """Remove a folder from the library first."""

    folder: str
    plain: ClassVar[str] = "forget {folder} first"


@dataclass(frozen=True)
class WriteTag(Advice):
    """Write the tag that is meant, as none was given."""

    plain: ClassVar[str] = "write one"


@dataclass(frozen=True)
class ScanLibrary(Advice):
    """Scan the library's folders again."""

    plain: ClassVar[str] = "look through its folder again"


@dataclass(frozen=True)
class AllowFolder(Advice):
    """Allow the project to use the folder that a plan names."""

    plain: ClassVar[str] = "allow its folder"


@dataclass(frozen=True)
class AllowWriting(Advice):
    """Allow the project to write to a folder that it may only read."""

    folder: str
    plain: ClassVar[str] = "allow writing to {folder}"


@dataclass(frozen=True)
class InstallExtra(Advice):
    """Install the libraries of an optional `extra` of the Python package."""

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
