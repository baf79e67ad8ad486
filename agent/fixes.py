"""What to do about an error, as data: the command line and the window each word it in one place of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class _Fix:
    """`str` of it suits a reader behind no door: a record, a prompt, a log."""

    plain: ClassVar[str]

    def __str__(self) -> str:
        return self.plain.format(**vars(self))


@dataclass(frozen=True)
class Say(_Fix):
    """Advice that is worded alike everywhere."""
    text: str
    plain: ClassVar[str] = "{text}"


@dataclass(frozen=True)
class ListRuns(_Fix):
    """Choose among the runs that there are."""
    plain: ClassVar[str] = "look at the list of runs"


@dataclass(frozen=True)
class ShowRun(_Fix):
    """Look at what a run is and how it stands."""
    run: str
    plain: ClassVar[str] = "look at run {run}"


@dataclass(frozen=True)
class ListRows(_Fix):
    """Choose among the rows of a run."""
    run: str
    plain: ClassVar[str] = "look at the rows of run {run}"


@dataclass(frozen=True)
class FollowRun(_Fix):
    """Watch a run that goes on by itself; `first` says, as half a sentence, what holds meanwhile."""
    run: str
    first: str
    plain: ClassVar[str] = "{first}; run {run} tells how it goes on"


@dataclass(frozen=True)
class ApproveRunAgain(_Fix):
    """Look at a run's plan as it is now, and approve that."""
    run: str
    plain: ClassVar[str] = "look at run {run}, then approve it as it is now"


@dataclass(frozen=True)
class ApprovePlan(_Fix):
    """Look at a plan, and approve it by its hash."""
    hash: str
    plain: ClassVar[str] = "look at the plan, then approve {hash}"


@dataclass(frozen=True)
class ResumeRun(_Fix):
    """Go on with a run that was left."""
    run: str
    plain: ClassVar[str] = "go on with run {run}"


@dataclass(frozen=True)
class SettleRun(_Fix):
    """Go on with a run that holds the song, end it, or roll it back."""
    run: str
    plain: ClassVar[str] = "go on with run {run}, end it, or roll it back"


@dataclass(frozen=True)
class CancelOrWait(_Fix):
    """Take a run back, or wait until it has ended."""
    run: str
    plain: ClassVar[str] = "take run {run} back, or wait until it has ended"


@dataclass(frozen=True)
class PlanAgain(_Fix):
    """Take a run back, and plan its request once more."""
    run: str
    plain: ClassVar[str] = "take run {run} back, then plan its request again"


@dataclass(frozen=True)
class ConfirmRollback(_Fix):
    """Say that a rollback shall pass over what came after the run."""
    plain: ClassVar[str] = "confirm it to restore the song before the run all the same; nothing is lost"


@dataclass(frozen=True)
class ListVersions(_Fix):
    """Choose among the versions of a song."""
    plain: ClassVar[str] = "look at the history of the song"


@dataclass(frozen=True)
class ListProjects(_Fix):
    """Choose among the projects that there are."""
    plain: ClassVar[str] = "look at the list of projects"


@dataclass(frozen=True)
class NameProject(_Fix):
    """Give a project a name that is short and not empty."""
    plain: ClassVar[str] = "give it a short name"


@dataclass(frozen=True)
class BeginProject(_Fix):
    """Make a project, empty or with a first song."""
    plain: ClassVar[str] = "make a project, or ask for a song"


@dataclass(frozen=True)
class OpenPlanFile(_Fix):
    """Choose a file that a plan was saved to."""
    plain: ClassVar[str] = "choose a plan that was saved"


@dataclass(frozen=True)
class SavePlan(_Fix):
    """Let a plan be written, to begin from."""
    plain: ClassVar[str] = "saving a plan writes one to begin from"


@dataclass(frozen=True)
class ChooseSeed(_Fix):
    """Give a seed that is in range."""
    plain: ClassVar[str] = "choose a smaller number"


@dataclass(frozen=True)
class SetKey(_Fix):
    """Give the key of a provider, to keep or for this process alone."""
    provider: str
    variable: str
    plain: ClassVar[str] = "give the key of {provider}, or set {variable} for this process"


@dataclass(frozen=True)
class ChooseModel(_Fix):
    """Name one of the models of a provider."""
    provider: str
    plain: ClassVar[str] = "choose one in the settings"


@dataclass(frozen=True)
class KeepKeysApart(_Fix):
    """Give a key only where keys are given."""
    plain: ClassVar[str] = "give keys where keys are given"


@dataclass(frozen=True)
class GiveAddressAlone(_Fix):
    """Give an address without the key."""
    plain: ClassVar[str] = "give the address alone, and the key where keys are given"


@dataclass(frozen=True)
class ListServers(_Fix):
    """Choose among the servers of tools."""
    plain: ClassVar[str] = "look at the list of servers"


@dataclass(frozen=True)
class RenameServer(_Fix):
    """Give a new server a free name."""
    name: str
    plain: ClassVar[str] = "choose another name, or forget {name} first"


@dataclass(frozen=True)
class AddServerAgain(_Fix):
    """Put a server that is damaged in anew."""
    name: str
    plain: ClassVar[str] = "forget {name}, then add it again"


@dataclass(frozen=True)
class AskServersMaker(_Fix):
    """Ask who made a server whose tools cannot be read."""
    name: str
    plain: ClassVar[str] = "ask whoever made it; forget {name} if it was added"


@dataclass(frozen=True)
class NameProgram(_Fix):
    """Say which program a server is."""
    plain: ClassVar[str] = "write the program and what it is given"


@dataclass(frozen=True)
class NameVariable(_Fix):
    """Write the name of a variable as such names are."""
    plain: ClassVar[str] = "use letters, digits and _"


@dataclass(frozen=True)
class HandVariable(_Fix):
    """Give a secret as a variable."""
    plain: ClassVar[str] = "give it as a variable"


@dataclass(frozen=True)
class UnlockForServer(_Fix):
    """Let the keyring be used, or do without it."""
    plain: ClassVar[str] = "unlock or start the keyring, or give the variable without a value"


@dataclass(frozen=True)
class ListMachines(_Fix):
    """Choose among the studio machines."""
    plain: ClassVar[str] = "look at the list of machines"


@dataclass(frozen=True)
class RenameMachine(_Fix):
    """Give a new machine a free name."""
    name: str
    plain: ClassVar[str] = "forget {name}, or give another name"


@dataclass(frozen=True)
class AddMachineAgain(_Fix):
    """Put a machine that is damaged in anew."""
    name: str
    plain: ClassVar[str] = "forget {name}, then add it again; or restore the newest backup"


@dataclass(frozen=True)
class NameCertificate(_Fix):
    """Say which certificate a machine shows."""
    plain: ClassVar[str] = "name its certificate file, if its certificate is its own"


@dataclass(frozen=True)
class GiveHostAlone(_Fix):
    """Give a host without its port."""
    plain: ClassVar[str] = "give a host's name or IP address and nothing else"


@dataclass(frozen=True)
class GiveUserAlone(_Fix):
    """Give a user without a password."""
    plain: ClassVar[str] = "give the name alone"


@dataclass(frozen=True)
class ChooseSsh(_Fix):
    """Reach a machine by SSH."""
    plain: ClassVar[str] = "choose SSH"


@dataclass(frozen=True)
class GivePasswordOrSsh(_Fix):
    """Log in by a password, or reach a machine by SSH."""
    plain: ClassVar[str] = "give a password, or choose SSH"


@dataclass(frozen=True)
class ListFolders(_Fix):
    """Choose among the folders of a project."""
    plain: ClassVar[str] = "look at the list of folders"


@dataclass(frozen=True)
class ListLibrary(_Fix):
    """Choose among the folders of the library."""
    plain: ClassVar[str] = "look at the folders of the library"


@dataclass(frozen=True)
class ForgetFolder(_Fix):
    """Take a folder out of the library."""
    folder: str
    plain: ClassVar[str] = "forget {folder} first"


@dataclass(frozen=True)
class WriteTag(_Fix):
    """Say which tag is meant."""
    plain: ClassVar[str] = "write one"


@dataclass(frozen=True)
class ScanLibrary(_Fix):
    """Let the library's folders be looked through."""
    plain: ClassVar[str] = "look through its folder again"


@dataclass(frozen=True)
class ComposeFirst(_Fix):
    """Let there be a song before it is written."""
    plain: ClassVar[str] = "ask for a song first"


@dataclass(frozen=True)
class StateChords(_Fix):
    """Say which chords a song has."""
    plain: ClassVar[str] = "state some chords"


@dataclass(frozen=True)
class WriteElsewhere(_Fix):
    """Choose a folder that can be written to."""
    plain: ClassVar[str] = "choose another folder"


@dataclass(frozen=True)
class KeepFile(_Fix):
    """Leave somebody's file alone, or say that it may go."""
    plain: ClassVar[str] = "choose another name"


@dataclass(frozen=True)
class ChartAfterwards(_Fix):
    """Write a chart in one meter, the rest of it later."""
    plain: ClassVar[str] = "write the whole chart in one meter, or set the chart on the piece afterwards"


@dataclass(frozen=True)
class UsualIntensity(_Fix):
    """Give an intensity that changes something."""
    plain: ClassVar[str] = "100 % is the usual measure"


@dataclass(frozen=True)
class InstallExtra(_Fix):
    """Install the libraries of an extra."""
    extra: str
    plain: ClassVar[str] = "pip install 'bandleader[{extra}]'"


RunFix = (
    ListRuns | ShowRun | ListRows | FollowRun | ApproveRunAgain | ResumeRun | SettleRun | CancelOrWait | PlanAgain
    | ConfirmRollback
)
PlanFix = ApprovePlan | OpenPlanFile | SavePlan | ChooseSeed
SongFix = ListVersions | ListProjects | NameProject | BeginProject
KeyFix = SetKey | ChooseModel | KeepKeysApart | GiveAddressAlone
ServerFix = (
    ListServers | RenameServer | AddServerAgain | AskServersMaker | NameProgram | NameVariable | HandVariable
    | UnlockForServer
)
MachineFix = (
    ListMachines | RenameMachine | AddMachineAgain | NameCertificate | GiveHostAlone | GiveUserAlone | ChooseSsh
    | GivePasswordOrSsh
)
FolderFix = ListFolders | ListLibrary | ForgetFolder | WriteTag | ScanLibrary
WritingFix = ComposeFirst | StateChords | WriteElsewhere | KeepFile
ComposingFix = ChartAfterwards | UsualIntensity
Fix = (
    Say | RunFix | PlanFix | SongFix | KeyFix | ServerFix | MachineFix | FolderFix | WritingFix | ComposingFix
    | InstallExtra
)
"""Everything that can be advised; each door has words for every one."""
