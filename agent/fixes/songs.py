"""What to do about runs, plans, songs and what is made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from agent.fixes.advice import Advice
from agent.message import Text


@dataclass(frozen=True)
class ListRuns(Advice):
    """Look at the list of runs and choose one of them."""

    plain: ClassVar[str] = "look at the list of runs"


@dataclass(frozen=True)
class ShowRun(Advice):
    """Look at a run's plan and state."""

    run: str
    plain: ClassVar[str] = "look at run {run}"


@dataclass(frozen=True)
class ListRows(Advice):
    """Look at the rows of a run and choose one of them."""

    run: str
    plain: ClassVar[str] = "look at the rows of run {run}"


@dataclass(frozen=True)
class FollowRun(Advice):
    """Watch a run that goes on by itself; `first` is the first half of the sentence and says what holds meanwhile."""

    run: str
    first: Text
    plain: ClassVar[str] = "{first}; run {run} tells how it goes on"


@dataclass(frozen=True)
class ApproveRunAgain(Advice):
    """Look at a run's plan as it is now, and approve that."""

    run: str
    plain: ClassVar[str] = "look at run {run}, then approve it as it is now"


@dataclass(frozen=True)
class ResumeRun(Advice):
    """Resume a run that was paused or interrupted."""

    run: str
    plain: ClassVar[str] = "go on with run {run}"


@dataclass(frozen=True)
class SettleRun(Advice):
    """Resume, end or roll back the run that holds the song."""

    run: str
    plain: ClassVar[str] = "go on with run {run}, end it, or roll it back"


@dataclass(frozen=True)
class CancelOrWait(Advice):
    """Cancel a run, or wait until it has ended."""

    run: str
    plain: ClassVar[str] = "take run {run} back, or wait until it has ended"


@dataclass(frozen=True)
class PlanAgain(Advice):
    """Cancel a run and plan its request once more."""

    run: str
    plain: ClassVar[str] = "take run {run} back, then plan its request again"


@dataclass(frozen=True)
class ConfirmRollback(Advice):
    """Confirm that a rollback may also undo what was changed after the run; later versions stay in the history."""

    plain: ClassVar[str] = "confirm it to restore the song before the run all the same; nothing is lost"


@dataclass(frozen=True)
class ApprovePlan(Advice):
    """Look at a plan, and approve it by its hash."""

    hash: str
    plain: ClassVar[str] = "look at the plan, then approve {hash}"


@dataclass(frozen=True)
class OpenPlanFile(Advice):
    """Choose a file that Bandleader has saved a plan to."""

    plain: ClassVar[str] = "choose a plan that was saved"


@dataclass(frozen=True)
class SavePlan(Advice):
    """Save a plan to a file, as an example of the format."""

    plain: ClassVar[str] = "saving a plan writes one to begin from"


@dataclass(frozen=True)
class ChooseSeed(Advice):
    """Choose a smaller seed: the given one is out of range."""

    plain: ClassVar[str] = "choose a smaller number"


@dataclass(frozen=True)
class ListVersions(Advice):
    """Look at the history and choose a version of the song."""

    plain: ClassVar[str] = "look at the history of the song"


@dataclass(frozen=True)
class ListProjects(Advice):
    """Look at the list of projects and choose one of them."""

    plain: ClassVar[str] = "look at the list of projects"


@dataclass(frozen=True)
class NameProject(Advice):
    """Give a project a short name that is not empty."""

    plain: ClassVar[str] = "give it a short name"


@dataclass(frozen=True)
class BeginProject(Advice):
    """Create a project, empty or by asking for a first song."""

    plain: ClassVar[str] = "make a project, or ask for a song"


@dataclass(frozen=True)
class ComposeFirst(Advice):
    """Ask for a song before exporting it."""

    plain: ClassVar[str] = "ask for a song first"


@dataclass(frozen=True)
class StateChords(Advice):
    """State some chords in the song first: it has none."""

    plain: ClassVar[str] = "state some chords"


@dataclass(frozen=True)
class WriteElsewhere(Advice):
    """Choose a folder that can be written to."""

    plain: ClassVar[str] = "choose another folder"


@dataclass(frozen=True)
class KeepFile(Advice):
    """Do not overwrite an existing file: choose another name, or confirm that it may be replaced."""

    plain: ClassVar[str] = "choose another name"


@dataclass(frozen=True)
class UsualIntensity(Advice):
    """Choose an intensity above 0 %, at which nothing would change; 100 % is the usual one."""

    plain: ClassVar[str] = "100 % is the usual measure"


@dataclass(frozen=True)
class ListNames(Advice):
    """Look at the list of a `kind` (instruments, effects) and choose one of the names."""

    kind: str
    plain: ClassVar[str] = "look at the list of {kind}"


@dataclass(frozen=True)
class ListTools(Advice):
    """Look at the list of tools and choose one of them."""

    plain: ClassVar[str] = "look at the list of tools; those of machines and servers are there once one is added"


RunFix = (
    ListRuns | ShowRun | ListRows | FollowRun | ApproveRunAgain | ResumeRun | SettleRun | CancelOrWait | PlanAgain
    | ConfirmRollback
)
PlanFix = ApprovePlan | OpenPlanFile | SavePlan | ChooseSeed
SongFix = ListVersions | ListProjects | NameProject | BeginProject
WritingFix = ComposeFirst | StateChords | WriteElsewhere | KeepFile
NameFix = ListNames | ListTools
