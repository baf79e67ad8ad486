"""What to do about an error, as data: the command line and the window each word it in one place of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, unique
from string import Formatter

from agent.message import Text


@unique
class FixKind(Enum):
    """All that can be advised, closed: each door has words for every one. Called with the values of its `fields`, in
    their order, a kind is advice.

    `plain`, with the fields in braces, is the wording for readers without a door (a stored record, a mark of a plan, a
    prompt, a log); fields are named where they are more, or in another order, than its braces."""

    SAY = "{text}"
    """A text that is worded alike everywhere."""

    # --- runs
    LIST_RUNS = "look at the list of runs"
    SHOW_RUN = "look at run {run}"
    LIST_ROWS = "look at the rows of run {run}"
    FOLLOW_RUN = ("{first}; run {run} tells how it goes on", "run", "first")
    """`first` is the first half of the sentence and says what holds meanwhile."""
    APPROVE_RUN_AGAIN = "look at run {run}, then approve it as it is now"
    RESUME_RUN = "go on with run {run}"
    SETTLE_RUN = "go on with run {run}, end it, or roll it back"
    CANCEL_OR_WAIT = "take run {run} back, or wait until it has ended"
    PLAN_AGAIN = "take run {run} back, then plan its request again"
    CONFIRM_ROLLBACK = "confirm it to restore the song before the run all the same; nothing is lost"

    # --- plans
    APPROVE_PLAN = "look at the plan, then approve {hash}"
    OPEN_PLAN_FILE = "choose a plan that was saved"
    SAVE_PLAN = "saving a plan writes one to begin from"
    CHOOSE_SEED = "choose a smaller number"

    # --- songs and what is made of them
    LIST_VERSIONS = "look at the history of the song"
    LIST_PROJECTS = "look at the list of projects"
    NAME_PROJECT = "give it a short name"
    BEGIN_PROJECT = "make a project, or ask for a song"
    COMPOSE_FIRST = "ask for a song first"
    STATE_CHORDS = "state some chords"
    WRITE_ELSEWHERE = "choose another folder"
    KEEP_FILE = "choose another name"
    USUAL_INTENSITY = "100 % is the usual measure"
    LIST_NAMES = "look at the list of {kind}"
    """A `kind` of names: instruments, effects."""
    LIST_TOOLS = "look at the list of tools; those of machines and servers are there once one is added"

    # --- keys and models
    SET_PROVIDER_KEY = "give the key of {provider}, or set {variable} for this process"
    """`variable` is the environment variable that holds a key."""
    CHOOSE_MODEL = ("choose one in the settings", "provider")
    KEEP_KEYS_APART = "give keys where keys are given"
    GIVE_ADDRESS_ALONE = "give the address alone, and the key where keys are given"

    # --- servers of tools
    LIST_SERVERS = "look at the list of servers"
    RENAME_SERVER = "choose another name, or forget {name} first"
    ADD_SERVER_AGAIN = "forget {name}, then add it again"
    ASK_SERVERS_MAKER = "ask whoever made it; forget {name} if it was added"
    NAME_PROGRAM = "write the program and what it is given"
    NAME_VARIABLE = "use letters, digits and _"
    HAND_VARIABLE = "give it as a variable"
    UNLOCK_FOR_SERVER = "unlock or start the keyring, or give the variable without a value"
    """A variable without its value is read from the environment."""
    APPROVE_SERVER = "approve server {name} again"
    PROBE_SERVER = "test server {name}"
    READ_SERVER_LOG = ("look into {log}, then test server {name}", "name", "log")
    """`log` is the file in which the server called `name` writes."""

    # --- machines
    LIST_MACHINES = "look at the list of machines"
    RENAME_MACHINE = "forget {name}, or give another name"
    ADD_MACHINE_AGAIN = "forget {name}, then add it again; or restore the newest backup"
    NAME_CERTIFICATE = "name its certificate file, if its certificate is its own"
    GIVE_HOST_ALONE = "give a host's name or IP address and nothing else"
    GIVE_USER_ALONE = "give the name alone"
    CHOOSE_SSH = "choose SSH"
    GIVE_PASSWORD_OR_SSH = "give a password, or choose SSH"  # noqa: S105 - no password
    PIN_MACHINE = "pin the host key of machine {name}"
    PIN_MACHINE_AGAIN = "if you know why: pin the host key of machine {name}"
    """Its host key has changed."""
    GIVE_MACHINE_PASSWORD = "give the password of machine {name}"  # noqa: S105 - no password
    ADD_MACHINE_FOLDER = "give machine {name} a folder"
    REMOVE_MACHINE_FOLDER = "take a folder from machine {name}"
    CHECK_SYSTEM = "check that the system of machine {name} is {system}"
    NEGOTIATE_LOGIN = "let it log in by Windows' own way"
    TRUST_CERTIFICATE = "name its certificate file, or have it signed"

    # --- folders and libraries
    LIST_FOLDERS = "look at the list of folders"
    LIST_LIBRARY = "look at the folders of the library"
    FORGET_FOLDER = "forget {folder} first"
    WRITE_TAG = "write one"
    SCAN_LIBRARY = "look through its folder again"
    ALLOW_FOLDER = "allow its folder"
    ALLOW_WRITING = "allow writing to {folder}"
    """`folder` may only be read so far."""
    INSTALL_EXTRA = "pip install 'bandleader[{extra}]'"
    """The libraries of an optional `extra` of the Python package."""
    USE_COMMANDS = "the command line works without a window"
    INSTALL_LIBRARY = "install {library}; the command line works without a window"
    """A library of the system."""

    def __init__(self, plain: str, *fields: str) -> None:
        self.plain = plain
        self.fields = fields or tuple(name for _, name, _, _ in Formatter().parse(plain) if name)

    def __call__(self, *values: Text) -> Fix:
        """The advice with these values. Raises ValueError for more or fewer than it has fields."""
        return Fix(self, dict(zip(self.fields, values, strict=True)))


@dataclass(frozen=True)
class Fix:
    """What a person can do about an error; doors word it by its `kind`, filled with `values` by their fields."""

    kind: FixKind
    values: Mapping[str, Text]

    def __str__(self) -> str:
        return self.kind.plain.format_map(self.values)
