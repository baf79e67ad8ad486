"""What to do about an error, as somebody in the window does it: by what it shows and offers."""

from __future__ import annotations

from agent.errors import BandleaderError, Blame
from agent.fixes import outside, songs
from agent.fixes.advice import Say
from agent.fixes.fix import Fix
from agent.message import Message, verbatim
from app.i18n import lazy, said

_SENTENCES: dict[type[Fix], str] = {
    songs.ListRuns: lazy("the events list them"),
    songs.ShowRun: lazy("look at the plan"),
    songs.ListRows: lazy("the plan lists its rows"),
    songs.FollowRun: lazy("{first}; the plan tells how it goes on"),
    songs.ApproveRunAgain: lazy("look at the plan again, then approve it"),
    songs.ApprovePlan: lazy("look at the plan, then approve it"),
    songs.ResumeRun: lazy("go on with it"),
    songs.SettleRun: lazy("go on with it, end it, or roll it back"),
    songs.CancelOrWait: lazy("take it back, or wait until it has ended"),
    songs.PlanAgain: lazy("take it back, and ask for it again"),
    songs.ConfirmRollback: lazy("confirm it to restore the song before the run all the same; nothing is lost"),
    songs.ListVersions: lazy("the history lists them"),
    songs.ListProjects: lazy("the start page lists all"),
    songs.NameProject: lazy("give it a short name"),
    songs.BeginProject: lazy("begin a new song, or ask for one"),
    songs.OpenPlanFile: lazy("choose a plan that was saved"),
    songs.SavePlan: lazy("saving a plan writes one to begin from"),
    songs.ChooseSeed: lazy("choose a smaller number"),
    outside.SetProviderKey: lazy("give it in the settings, or set {variable} for this process"),
    outside.ChooseModel: lazy("choose one in the settings"),
    outside.KeepKeysApart: lazy("give keys in their own field of the settings only"),
    outside.GiveAddressAlone: lazy("give the address alone, and the token in its own field"),
    outside.ListServers: lazy("look at the list of servers"),
    outside.RenameServer: lazy("choose another name, or forget it"),
    outside.AddServerAgain: lazy("forget it, then add it again"),
    outside.AskServersMaker: lazy("ask whoever made it; forget it if it was added"),
    outside.NameProgram: lazy("write the program and what it is given"),
    outside.NameVariable: lazy("use letters, digits and _"),
    outside.HandVariable: lazy("give it as a variable"),
    outside.UnlockForServer: lazy(
        "unlock or start the keyring; a variable without a value is taken from "
        "the environment instead"
    ),
    outside.ListMachines: lazy("look at the list of machines"),
    outside.RenameMachine: lazy("give it another name"),
    outside.AddMachineAgain: lazy("forget it, then add it again; or restore the newest backup"),
    outside.NameCertificate: lazy("edit it and name its certificate file, if its certificate is its own"),
    outside.GiveHostAlone: lazy("give a host's name or IP address and nothing else; a port has its own field"),
    outside.GiveUserAlone: lazy("give the name alone; the password has its own field"),
    outside.ChooseSsh: lazy("choose SSH"),
    outside.GivePasswordOrSsh: lazy("give a password, or choose SSH"),
    outside.ListFolders: lazy("look at the list of folders"),
    outside.ListLibrary: lazy("look at the list of folders"),
    outside.ForgetFolder: lazy("forget that one first"),
    outside.WriteTag: lazy("write one"),
    outside.ScanLibrary: lazy("look through its folder again"),
    songs.ComposeFirst: lazy("ask for a song first"),
    songs.StateChords: lazy("write some on the lane of chords"),
    songs.WriteElsewhere: lazy("choose another folder"),
    songs.KeepFile: lazy("choose another name"),
    songs.UsualIntensity: lazy("100 % is the usual measure"),
    outside.InstallExtra: lazy("install it: pip install 'bandleader[{extra}]'"),
    songs.ListNames: lazy("choose a name that the window offers"),
    songs.ListTools: lazy("ask for the step again; tools of machines and servers are there once one is added"),
    outside.ApproveServer: lazy("test it, read what changed, and approve it"),
    outside.ProbeServer: lazy("check what is written of it, then try again"),
    outside.ReadServerLog: lazy("look into {log}, then check what is written of it, and try again"),
    outside.PinMachine: lazy("show its fingerprint, compare it, and pin it"),
    outside.PinMachineAgain: lazy("if you know why: show its fingerprint, compare it, and pin it"),
    outside.GiveMachinePassword: lazy("edit the machine and give its password"),
    outside.AddMachineFolder: lazy("edit the machine and its folders"),
    outside.RemoveMachineFolder: lazy("edit the machine and its folders"),
    outside.CheckSystem: lazy("check that its system is {system}: edit the machine"),
    outside.NegotiateLogin: lazy("edit it to log in by Windows' own way"),
    outside.TrustCertificate: lazy("edit it and name its certificate file, or have it signed"),
    outside.AllowFolder: lazy("allow its folder: settings, folders"),
    outside.AllowWriting: lazy("allow writing there: settings, folders"),
}


def shown_fix(fix: Fix | None) -> str:
    """What to do about an error, in the person's language; empty for None."""
    if fix is None:
        return ""
    if isinstance(fix, Say):
        return said(verbatim(fix.text))
    return said(Message(_SENTENCES[type(fix)], fix.values()))


class Told(BandleaderError):
    """An error with translated texts for the window."""

    def __init__(self, what: str, *, why: str = "", fix: Fix | str | None = None, blame: Blame = Blame.INPUT) -> None:
        super().__init__(what, why=why, fix=fix)
        self.blame = blame


def for_window(error: BandleaderError, advice: str = "") -> Told:
    """The error with translated texts; `advice` is used if it says not what to do."""
    what, why = map(said, error.said)
    return Told(what, why=why, fix=shown_fix(error.fix) or advice, blame=error.blame)
