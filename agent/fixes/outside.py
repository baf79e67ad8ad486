"""What to do about what a song needs from outside: keys, servers, machines, folders, libraries."""

from __future__ import annotations

from typing import ClassVar

from agent.fixes.advice import Advice


class SetProviderKey(Advice, frozen=True):
    """Enter the API key of a provider, stored or only for this process; `variable` is the environment variable that
    holds one."""

    provider: str
    variable: str
    plain: ClassVar[str] = "give the key of {provider}, or set {variable} for this process"


class ChooseModel(Advice, frozen=True):
    """Choose one of the models of a provider in the settings."""

    provider: str
    plain: ClassVar[str] = "choose one in the settings"


class KeepKeysApart(Advice, frozen=True):
    """Enter a key only where keys are entered, not as another setting."""

    plain: ClassVar[str] = "give keys where keys are given"


class GiveAddressAlone(Advice, frozen=True):
    """Enter a server's address without a key in it."""

    plain: ClassVar[str] = "give the address alone, and the key where keys are given"


class ListServers(Advice, frozen=True):
    """Look at the list of MCP servers and choose one of them."""

    plain: ClassVar[str] = "look at the list of servers"


class RenameServer(Advice, frozen=True):
    """Choose a free name for a new MCP server, or forget the one called `name` first."""

    name: str
    plain: ClassVar[str] = "choose another name, or forget {name} first"


class AddServerAgain(Advice, frozen=True):
    """Remove a damaged MCP server and add it again."""

    name: str
    plain: ClassVar[str] = "forget {name}, then add it again"


class AskServersMaker(Advice, frozen=True):
    """Ask the author of an MCP server whose tools cannot be read, or remove it."""

    name: str
    plain: ClassVar[str] = "ask whoever made it; forget {name} if it was added"


class NameProgram(Advice, frozen=True):
    """Write which program an MCP server is, with its arguments."""

    plain: ClassVar[str] = "write the program and what it is given"


class NameVariable(Advice, frozen=True):
    """Write the name of an environment variable with letters, digits and _ only."""

    plain: ClassVar[str] = "use letters, digits and _"


class HandVariable(Advice, frozen=True):
    """Pass a secret to an MCP server as an environment variable, not as an argument."""

    plain: ClassVar[str] = "give it as a variable"


class UnlockForServer(Advice, frozen=True):
    """Unlock the keyring, or name a variable without its value, so that it is read from the environment."""

    plain: ClassVar[str] = "unlock or start the keyring, or give the variable without a value"


class ApproveServer(Advice, frozen=True):
    """Look at what has changed in an MCP server's tools, and approve them again."""

    name: str
    plain: ClassVar[str] = "approve server {name} again"


class ProbeServer(Advice, frozen=True):
    """Test whether an MCP server can be reached."""

    name: str
    plain: ClassVar[str] = "test server {name}"


class ReadServerLog(Advice, frozen=True):
    """Read the end of an MCP server's `log` file, then test whether it can be started."""

    name: str
    log: str
    plain: ClassVar[str] = "look into {log}, then test server {name}"


class ListMachines(Advice, frozen=True):
    """Choose among the studio machines."""

    plain: ClassVar[str] = "look at the list of machines"


class RenameMachine(Advice, frozen=True):
    """Choose a free name for a new machine, or forget the one called `name` first."""

    name: str
    plain: ClassVar[str] = "forget {name}, or give another name"


class AddMachineAgain(Advice, frozen=True):
    """Remove a damaged machine and add it again, or restore a backup."""

    name: str
    plain: ClassVar[str] = "forget {name}, then add it again; or restore the newest backup"


class NameCertificate(Advice, frozen=True):
    """Name the file of a machine's certificate, if it is self-signed."""

    plain: ClassVar[str] = "name its certificate file, if its certificate is its own"


class GiveHostAlone(Advice, frozen=True):
    """Enter a host name or IP address without a port."""

    plain: ClassVar[str] = "give a host's name or IP address and nothing else"


class GiveUserAlone(Advice, frozen=True):
    """Enter a user name without a password in it."""

    plain: ClassVar[str] = "give the name alone"


class ChooseSsh(Advice, frozen=True):
    """Choose SSH as the way to reach a machine."""

    plain: ClassVar[str] = "choose SSH"


class GivePasswordOrSsh(Advice, frozen=True):
    """Enter a password for WinRM, or choose SSH as the way to reach a machine."""

    plain: ClassVar[str] = "give a password, or choose SSH"


class PinMachine(Advice, frozen=True):
    """Compare a machine's host key with the expected one, and pin it."""

    name: str
    plain: ClassVar[str] = "pin the host key of machine {name}"


class PinMachineAgain(Advice, frozen=True):
    """Pin a machine's changed host key, but only if the reason for the change is known."""

    name: str
    plain: ClassVar[str] = "if you know why: pin the host key of machine {name}"


class GiveMachinePassword(Advice, frozen=True):
    """Enter the password of a machine, or the passphrase of its key file."""

    name: str
    plain: ClassVar[str] = "give the password of machine {name}"


class AddMachineFolder(Advice, frozen=True):
    """Add a folder of a machine, whose size plans may then ask for."""

    name: str
    plain: ClassVar[str] = "give machine {name} a folder"


class RemoveMachineFolder(Advice, frozen=True):
    """Remove a folder from a machine that has too many."""

    name: str
    plain: ClassVar[str] = "take a folder from machine {name}"


class CheckSystem(Advice, frozen=True):
    """Check whether a machine really runs the operating system that is stored for it."""

    name: str
    system: str
    plain: ClassVar[str] = "check that the system of machine {name} is {system}"


class NegotiateLogin(Advice, frozen=True):
    """Let a machine log in by Windows' own method (Negotiate) instead of a plain password."""

    plain: ClassVar[str] = "let it log in by Windows' own way"


class TrustCertificate(Advice, frozen=True):
    """Name the file of a machine's certificate, or have the certificate signed by a trusted authority."""

    plain: ClassVar[str] = "name its certificate file, or have it signed"


class ListFolders(Advice, frozen=True):
    """Look at the list of a project's allowed folders and choose one of them."""

    plain: ClassVar[str] = "look at the list of folders"


class ListLibrary(Advice, frozen=True):
    """Look at the folders of the library and choose one of them."""

    plain: ClassVar[str] = "look at the folders of the library"


class ForgetFolder(Advice, frozen=True):
    """Remove a folder from the library first."""

    folder: str
    plain: ClassVar[str] = "forget {folder} first"


class WriteTag(Advice, frozen=True):
    """Write the tag that is meant, as none was given."""

    plain: ClassVar[str] = "write one"


class ScanLibrary(Advice, frozen=True):
    """Scan the library's folders again."""

    plain: ClassVar[str] = "look through its folder again"


class AllowFolder(Advice, frozen=True):
    """Allow the project to use the folder that a plan names."""

    plain: ClassVar[str] = "allow its folder"


class AllowWriting(Advice, frozen=True):
    """Allow the project to write to a folder that it may only read."""

    folder: str
    plain: ClassVar[str] = "allow writing to {folder}"


class InstallExtra(Advice, frozen=True):
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
