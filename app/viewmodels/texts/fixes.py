"""What to do about an error, as somebody in the window does it: by what it shows and offers."""

from __future__ import annotations

from agent.errors import BandleaderError, Blame
from agent.fixes import Fix, FixKind
from agent.message import Message, verbatim
from app.i18n import lazy, said

_SENTENCES: dict[FixKind, str] = {
    FixKind.LIST_RUNS: lazy("the events list them"),
    FixKind.SHOW_RUN: lazy("look at the plan"),
    FixKind.LIST_ROWS: lazy("the plan lists its rows"),
    FixKind.FOLLOW_RUN: lazy("{first}; the plan tells how it goes on"),
    FixKind.APPROVE_RUN_AGAIN: lazy("look at the plan again, then approve it"),
    FixKind.APPROVE_PLAN: lazy("look at the plan, then approve it"),
    FixKind.RESUME_RUN: lazy("go on with it"),
    FixKind.SETTLE_RUN: lazy("go on with it, end it, or roll it back"),
    FixKind.CANCEL_OR_WAIT: lazy("take it back, or wait until it has ended"),
    FixKind.PLAN_AGAIN: lazy("take it back, and ask for it again"),
    FixKind.CONFIRM_ROLLBACK: lazy("confirm it to restore the song before the run all the same; nothing is lost"),
    FixKind.LIST_VERSIONS: lazy("the history lists them"),
    FixKind.LIST_PROJECTS: lazy("the start page lists all"),
    FixKind.NAME_PROJECT: lazy("give it a short name"),
    FixKind.BEGIN_PROJECT: lazy("begin a new song, or ask for one"),
    FixKind.OPEN_PLAN_FILE: lazy("choose a plan that was saved"),
    FixKind.SAVE_PLAN: lazy("saving a plan writes one to begin from"),
    FixKind.CHOOSE_SEED: lazy("choose a smaller number"),
    FixKind.SET_PROVIDER_KEY: lazy("give it in the settings, or set {variable} for this process"),
    FixKind.CHOOSE_MODEL: lazy("choose one in the settings"),
    FixKind.KEEP_KEYS_APART: lazy("give keys in their own field of the settings only"),
    FixKind.GIVE_ADDRESS_ALONE: lazy("give the address alone, and the token in its own field"),
    FixKind.LIST_SERVERS: lazy("look at the list of servers"),
    FixKind.RENAME_SERVER: lazy("choose another name, or forget it"),
    FixKind.ADD_SERVER_AGAIN: lazy("forget it, then add it again"),
    FixKind.ASK_SERVERS_MAKER: lazy("ask whoever made it; forget it if it was added"),
    FixKind.NAME_PROGRAM: lazy("write the program and what it is given"),
    FixKind.NAME_VARIABLE: lazy("use letters, digits and _"),
    FixKind.HAND_VARIABLE: lazy("give it as a variable"),
    FixKind.UNLOCK_FOR_SERVER: lazy(
        "unlock or start the keyring; a variable without a value is taken from "
        "the environment instead"
    ),
    FixKind.LIST_MACHINES: lazy("look at the list of machines"),
    FixKind.RENAME_MACHINE: lazy("give it another name"),
    FixKind.ADD_MACHINE_AGAIN: lazy("forget it, then add it again; or restore the newest backup"),
    FixKind.NAME_CERTIFICATE: lazy("edit it and name its certificate file, if its certificate is its own"),
    FixKind.GIVE_HOST_ALONE: lazy("give a host's name or IP address and nothing else; a port has its own field"),
    FixKind.GIVE_USER_ALONE: lazy("give the name alone; the password has its own field"),
    FixKind.CHOOSE_SSH: lazy("choose SSH"),
    FixKind.GIVE_PASSWORD_OR_SSH: lazy("give a password, or choose SSH"),
    FixKind.LIST_FOLDERS: lazy("look at the list of folders"),
    FixKind.LIST_LIBRARY: lazy("look at the list of folders"),
    FixKind.FORGET_FOLDER: lazy("forget that one first"),
    FixKind.WRITE_TAG: lazy("write one"),
    FixKind.SCAN_LIBRARY: lazy("look through its folder again"),
    FixKind.COMPOSE_FIRST: lazy("ask for a song first"),
    FixKind.STATE_CHORDS: lazy("write some on the lane of chords"),
    FixKind.WRITE_ELSEWHERE: lazy("choose another folder"),
    FixKind.KEEP_FILE: lazy("choose another name"),
    FixKind.USUAL_INTENSITY: lazy("100 % is the usual measure"),
    FixKind.INSTALL_EXTRA: lazy("install it: pip install 'bandleader[{extra}]'"),
    FixKind.LIST_NAMES: lazy("choose a name that the window offers"),
    FixKind.LIST_TOOLS: lazy("ask for the step again; tools of machines and servers are there once one is added"),
    FixKind.APPROVE_SERVER: lazy("test it, read what changed, and approve it"),
    FixKind.PROBE_SERVER: lazy("check what is written of it, then try again"),
    FixKind.READ_SERVER_LOG: lazy("look into {log}, then check what is written of it, and try again"),
    FixKind.PIN_MACHINE: lazy("show its fingerprint, compare it, and pin it"),
    FixKind.PIN_MACHINE_AGAIN: lazy("if you know why: show its fingerprint, compare it, and pin it"),
    FixKind.GIVE_MACHINE_PASSWORD: lazy("edit the machine and give its password"),
    FixKind.ADD_MACHINE_FOLDER: lazy("edit the machine and its folders"),
    FixKind.REMOVE_MACHINE_FOLDER: lazy("edit the machine and its folders"),
    FixKind.CHECK_SYSTEM: lazy("check that its system is {system}: edit the machine"),
    FixKind.NEGOTIATE_LOGIN: lazy("edit it to log in by Windows' own way"),
    FixKind.TRUST_CERTIFICATE: lazy("edit it and name its certificate file, or have it signed"),
    FixKind.USE_COMMANDS: lazy("the command line works without a window"),
    FixKind.INSTALL_LIBRARY: lazy("install {library}; the command line works without a window"),
    FixKind.ALLOW_FOLDER: lazy("allow its folder: settings, folders"),
    FixKind.ALLOW_WRITING: lazy("allow writing there: settings, folders"),
}


def shown_fix(fix: Fix | None) -> str:
    """What to do about an error, in the person's language; empty for None."""
    if fix is None:
        return ""
    if fix.kind is FixKind.SAY:
        return said(verbatim(fix.values["text"]))
    return said(Message(_SENTENCES[fix.kind], fix.values))


class Told(BandleaderError):
    """An error with translated texts for the window."""

    def __init__(self, what: str, *, why: str = "", fix: Fix | str | None = None, blame: Blame = Blame.INPUT) -> None:
        super().__init__(what, why=why, fix=fix)
        self.blame = blame


def for_window(error: BandleaderError, advice: str = "") -> Told:
    """The error with translated texts; `advice` is used if it says not what to do."""
    what, why = map(said, error.said)
    return Told(what, why=why, fix=shown_fix(error.fix) or advice, blame=error.blame)
