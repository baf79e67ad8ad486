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
    fixes.SetKey: later("give it in the settings, or set {variable} for this process"),
    fixes.ChooseModel: later("choose one in the settings"),
    fixes.KeepKeysApart: later("give keys in their own field of the settings only"),
    fixes.GiveAddressAlone: later("give the address alone, and the token in its own field"),
    fixes.ListServers: later("look at the list of servers"),
    fixes.RenameServer: later("choose another name, or forget it"),
    fixes.AddServerAgain: later("forget it, then add it again"),
    fixes.AskServersMaker: later("ask whoever made it; forget it if it was added"),
    fixes.NameProgram: later("write the program and what it is given"),
    fixes.NameVariable: later("use letters, digits and _"),
    fixes.HandVariable: later("give it as a variable"),
    fixes.UnlockForServer: later(
        "unlock or start the keyring; a variable without a value is taken from "
        "the environment instead"
    ),
    fixes.ListMachines: later("look at the list of machines"),
    fixes.RenameMachine: later("give it another name"),
    fixes.AddMachineAgain: later("forget it, then add it again; or restore the newest backup"),
    fixes.NameCertificate: later("edit it and name its certificate file, if its certificate is its own"),
    fixes.GiveHostAlone: later("give a host's name or IP address and nothing else; a port has its own field"),
    fixes.GiveUserAlone: later("give the name alone; the password has its own field"),
    fixes.ChooseSsh: later("choose SSH"),
    fixes.GivePasswordOrSsh: later("give a password, or choose SSH"),
    fixes.ListFolders: later("look at the list of folders"),
    fixes.ListLibrary: later("look at the list of folders"),
    fixes.ForgetFolder: later("forget that one first"),
    fixes.WriteTag: later("write one"),
    fixes.ScanLibrary: later("look through its folder again"),
    fixes.ComposeFirst: later("ask for a song first"),
    fixes.StateChords: later("write some on the lane of chords"),
    fixes.WriteElsewhere: later("choose another folder"),
    fixes.KeepFile: later("choose another name"),
    fixes.ChartAfterwards: later(
        "write the whole chart in one meter, or write the rest on the lane of "
        "chords afterwards"
    ),
    fixes.UsualIntensity: later("100 % is the usual measure"),
    fixes.InstallExtra: later("install it: pip install 'bandleader[{extra}]'"),
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
