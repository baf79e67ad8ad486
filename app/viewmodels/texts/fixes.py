"""What to do about an error, as somebody in the window does it: by what it shows and offers."""

from __future__ import annotations

from agent.errors import BandleaderError, Blame
from agent.fixes import outside, songs
from agent.fixes.advice import Say
from agent.fixes.fix import Fix
from agent.message import Message, verbatim
from app.words import later, said

_SENTENCES: dict[type[Fix], str] = {
    songs.ListRuns: later("the events list them"),
    songs.ShowRun: later("look at the plan"),
    songs.ListRows: later("the plan lists its rows"),
    songs.FollowRun: later("{first}; the plan tells how it goes on"),
    songs.ApproveRunAgain: later("look at the plan again, then approve it"),
    songs.ApprovePlan: later("look at the plan, then approve it"),
    songs.ResumeRun: later("go on with it"),
    songs.SettleRun: later("go on with it, end it, or roll it back"),
    songs.CancelOrWait: later("take it back, or wait until it has ended"),
    songs.PlanAgain: later("take it back, and ask for it again"),
    songs.ConfirmRollback: later("confirm it to restore the song before the run all the same; nothing is lost"),
    songs.ListVersions: later("the history lists them"),
    songs.ListProjects: later("the start page lists all"),
    songs.NameProject: later("give it a short name"),
    songs.BeginProject: later("begin a new song, or ask for one"),
    songs.OpenPlanFile: later("choose a plan that was saved"),
    songs.SavePlan: later("saving a plan writes one to begin from"),
    songs.ChooseSeed: later("choose a smaller number"),
    outside.SetProviderKey: later("give it in the settings, or set {variable} for this process"),
    outside.ChooseModel: later("choose one in the settings"),
    outside.KeepKeysApart: later("give keys in their own field of the settings only"),
    outside.GiveAddressAlone: later("give the address alone, and the token in its own field"),
    outside.ListServers: later("look at the list of servers"),
    outside.RenameServer: later("choose another name, or forget it"),
    outside.AddServerAgain: later("forget it, then add it again"),
    outside.AskServersMaker: later("ask whoever made it; forget it if it was added"),
    outside.NameProgram: later("write the program and what it is given"),
    outside.NameVariable: later("use letters, digits and _"),
    outside.HandVariable: later("give it as a variable"),
    outside.UnlockForServer: later(
        "unlock or start the keyring; a variable without a value is taken from "
        "the environment instead"
    ),
    outside.ListMachines: later("look at the list of machines"),
    outside.RenameMachine: later("give it another name"),
    outside.AddMachineAgain: later("forget it, then add it again; or restore the newest backup"),
    outside.NameCertificate: later("edit it and name its certificate file, if its certificate is its own"),
    outside.GiveHostAlone: later("give a host's name or IP address and nothing else; a port has its own field"),
    outside.GiveUserAlone: later("give the name alone; the password has its own field"),
    outside.ChooseSsh: later("choose SSH"),
    outside.GivePasswordOrSsh: later("give a password, or choose SSH"),
    outside.ListFolders: later("look at the list of folders"),
    outside.ListLibrary: later("look at the list of folders"),
    outside.ForgetFolder: later("forget that one first"),
    outside.WriteTag: later("write one"),
    outside.ScanLibrary: later("look through its folder again"),
    songs.ComposeFirst: later("ask for a song first"),
    songs.StateChords: later("write some on the lane of chords"),
    songs.WriteElsewhere: later("choose another folder"),
    songs.KeepFile: later("choose another name"),
    songs.UsualIntensity: later("100 % is the usual measure"),
    outside.InstallExtra: later("install it: pip install 'bandleader[{extra}]'"),
    songs.ListNames: later("choose a name that the window offers"),
    songs.ListTools: later("ask for the step again; tools of machines and servers are there once one is added"),
    outside.ApproveServer: later("test it, read what changed, and approve it"),
    outside.ProbeServer: later("check what is written of it, then try again"),
    outside.ReadServerLog: later("look into {log}, then check what is written of it, and try again"),
    outside.PinMachine: later("show its fingerprint, compare it, and pin it"),
    outside.PinMachineAgain: later("if you know why: show its fingerprint, compare it, and pin it"),
    outside.GiveMachinePassword: later("edit the machine and give its password"),
    outside.AddMachineFolder: later("edit the machine and its folders"),
    outside.RemoveMachineFolder: later("edit the machine and its folders"),
    outside.CheckSystem: later("check that its system is {system}: edit the machine"),
    outside.NegotiateLogin: later("edit it to log in by Windows' own way"),
    outside.TrustCertificate: later("edit it and name its certificate file, or have it signed"),
    outside.AllowFolder: later("allow its folder: settings, folders"),
    outside.AllowWriting: later("allow writing there: settings, folders"),
}


def shown_fix(fix: Fix | None) -> str:
    """What to do about an error, in the person's language; empty for None."""
    if fix is None:
        return ""
    if isinstance(fix, Say):
        return said(verbatim(fix.text))
    return said(Message(_SENTENCES[type(fix)], vars(fix)))


class Told(BandleaderError):
    """An error with translated texts for the window."""

    def __init__(self, what: str, *, why: str = "", fix: Fix | str | None = None, blame: Blame = Blame.INPUT) -> None:
        super().__init__(what, why=why, fix=fix)
        self.blame = blame


def for_window(error: BandleaderError, advice: str = "") -> Told:
    """The error with translated texts; `advice` is used if it says not what to do."""
    what, why = map(said, error.said)
    return Told(what, why=why, fix=shown_fix(error.fix) or advice, blame=error.blame)
