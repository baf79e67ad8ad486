"""What to do about runs, plans, songs and what is made of them."""

from __future__ import annotations

from typing import ClassVar

from agent.fixes.advice import Advice
from agent.message import Text


class ListRuns(Advice, frozen=True):
    """Look at the list of runs and choose one of them."""

    plain: ClassVar[str] = "look at the list of runs"


class ShowRun(Advice, frozen=True):
    """Look at a run's plan and state."""

    run: str
    plain: ClassVar[str] = "look at run {run}"


class ListRows(Advice, frozen=True):
    """Look at the rows of a run and choose one of them."""

    run: str
    plain: ClassVar[str] = "look at the rows of run {run}"


class FollowRun(Advice, frozen=True):
    """Watch a run that goes on by itself; `first` is the first half of the sentence and says what holds meanwhile."""

    run: str
    first: Text
    plain: ClassVar[str] = "{first}; run {run} tells how it goes on"


class ApproveRunAgain(Advice, frozen=True):
    """Look at a run's plan as it is now, and approve that."""

    run: str
    plain: ClassVar[str] = "look at run {run}, then approve it as it is now"


class ResumeRun(Advice, frozen=True):
    """Resume a run that was paused or interrupted."""

    run: str
    plain: ClassVar[str] = "go on with run {run}"


class SettleRun(Advice, frozen=True):
    """Resume, end or roll back the run that holds the song."""

    run: str
    plain: ClassVar[str] = "go on with run {run}, end it, or roll it back"


class CancelOrWait(Advice, frozen=True):
    """Cancel a run, or wait until it has ended."""

    run: str
    plain: ClassVar[str] = "take run {run} back, or wait until it has ended"


class PlanAgain(Advice, frozen=True):
    """Cancel a run and plan its request once more."""

    run: str
    plain: ClassVar[str] = "take run {run} back, then plan its request again"


class ConfirmRollback(Advice, frozen=True):
    """Confirm that a rollback may also undo what was changed after the run; later versions stay in the history."""

    plain: ClassVar[str] = "confirm it to restore the song before the run all the same; nothing is lost"


class ApprovePlan(Advice, frozen=True):
    """Look at a plan, and approve it by its hash."""

    hash: str
    plain: ClassVar[str] = "look at the plan, then approve {hash}"


class OpenPlanFile(Advice, frozen=True):
    """Choose a file that Bandleader has saved a plan to."""

    plain: ClassVar[str] = "choose a plan that was saved"


class SavePlan(Advice, frozen=True):
    """Save a plan to a file, as an example of the format."""

    plain: ClassVar[str] = "saving a plan writes one to begin from"


class ChooseSeed(Advice, frozen=True):
    """Choose a smaller seed: the given one is out of range."""

    plain: ClassVar[str] = "choose a smaller number"


class ListVersions(Advice, frozen=True):
    """Look at the history and choose a version of the song."""

    plain: ClassVar[str] = "look at the history of the song"


class ListProjects(Advice, frozen=True):
    """Look at the list of projects and choose one of them."""

    plain: ClassVar[str] = "look at the list of projects"


class NameProject(Advice, frozen=True):
    """Give a project a short name that is not empty."""

    plain: ClassVar[str] = "give it a short name"


class BeginProject(Advice, frozen=True):
    """Create a project, empty or by asking for a first song."""

    plain: ClassVar[str] = "make a project, or ask for a song"


class ComposeFirst(Advice, frozen=True):
    """Ask for a song before exporting it."""

    plain: ClassVar[str] = "ask for a song first"


class StateChords(Advice, frozen=True):
    """State some chords in the song first: it has none."""

    plain: ClassVar[str] = "state some chords"


class WriteElsewhere(Advice, frozen=True):
    """Choose a folder that can be written to."""

    plain: ClassVar[str] = "choose another folder"


class KeepFile(Advice, frozen=True):
    """Do not overwrite an existing file: choose another name, or confirm that it may be replaced."""

    plain: ClassVar[str] = "choose another name"


class UsualIntensity(Advice, frozen=True):
    """Choose an intensity above 0 %, at which nothing would change; 100 % is the usual one."""

    plain: ClassVar[str] = "100 % is the usual measure"


class ListNames(Advice, frozen=True):
    """Look at the list of a `kind` (instruments, effects) and choose one of the names."""

    kind: str
    plain: ClassVar[str] = "look at the list of {kind}"


class ListTools(Advice, frozen=True):
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
