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


RunFix = (
    ListRuns | ShowRun | ListRows | FollowRun | ApproveRunAgain | ResumeRun | SettleRun | CancelOrWait | PlanAgain
    | ConfirmRollback
)
PlanFix = ApprovePlan | OpenPlanFile | SavePlan | ChooseSeed
SongFix = ListVersions | ListProjects | NameProject | BeginProject
Fix = Say | RunFix | PlanFix | SongFix
"""Everything that can be advised; each door has words for every one."""
