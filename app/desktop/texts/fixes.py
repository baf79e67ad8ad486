"""What to do about an error, as somebody in the window does it: by what it shows and offers."""

from __future__ import annotations

from agent import fixes
from agent.errors import BandleaderError, Blame
from agent.fixes import Fix
from app.desktop.texts.fix_words import in_window
from app.words import later, tr

_SENTENCES: dict[type[Fix], str] = {
    fixes.ListRuns: later("the events list them"),
    fixes.ShowRun: later("look at the plan"),
    fixes.ListRows: later("the plan lists its rows"),
    fixes.FollowRun: later("{first}; the plan tells how it goes on"),
    fixes.ApproveRunAgain: later("look at the plan again, then approve it"),
    fixes.ApprovePlan: later("look at the plan, then approve it"),
    fixes.ResumeRun: later("go on with it"),
    fixes.SettleRun: later("go on with it, end it, or roll it back"),
    fixes.CancelOrWait: later("take it back, or wait until it has ended"),
    fixes.PlanAgain: later("take it back, and ask for it again"),
    fixes.ConfirmRollback: later("confirm it to restore the song before the run all the same; nothing is lost"),
    fixes.ListVersions: later("the history lists them"),
    fixes.ListProjects: later("the start page lists all"),
    fixes.NameProject: later("give it a short name"),
    fixes.BeginProject: later("begin a new song, or ask for one"),
    fixes.OpenPlanFile: later("choose a plan that was saved"),
    fixes.SavePlan: later("saving a plan writes one to begin from"),
    fixes.ChooseSeed: later("choose a smaller number"),
}


def shown_fix(fix: Fix | None) -> str:
    """What to do, in the person's language; empty where nothing is advised."""
    if fix is None:
        return ""
    return in_window(fix.text) if isinstance(fix, fixes.Say) else tr(_SENTENCES[type(fix)], **vars(fix))


class Told(BandleaderError):
    """An error in the words of the window."""

    def __init__(self, what: str, *, why: str = "", fix: Fix | str | None = None, blame: Blame = Blame.INPUT) -> None:
        super().__init__(what, why=why, fix=fix)
        self.blame = blame


def for_window(error: BandleaderError, advice: str = "") -> Told:
    """The same error, without commands to be typed where the window has a button; `advice` is for one without any."""
    return Told(error.what, why=in_window(error.why), fix=shown_fix(error.fix) or advice, blame=error.blame)
