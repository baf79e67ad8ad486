"""The grammar of the command line. Commands of later versions are not in it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, Never, TypeAlias, get_args

from agent.message import msg
from app.cli.errors import UsageError
from app.services.formats import FORMATS
from app.services.library.kinds import Kind

LATER = ("mcp", "serve")
"""Commands reserved for a later version; using one is an error that says so."""


class _Parser(argparse.ArgumentParser):
    _within = False

    def error(self, message: str) -> Never:
        raise UsageError(message, fix=msg("{prog} --help", prog=self.prog))

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Options may stand before, between and behind words. Refuses what the command does not know itself: the whole
        grammar would point to the help of all."""
        if self._within:
            return super().parse_known_args(args, namespace)
        found, left = self._mixed(args, namespace)
        if left:
            self.error(f"unrecognized arguments: {' '.join(left)}")
        return found, left

    def _mixed(self, args: Any, namespace: Any) -> Any:
        # A command of commands cannot mix them, and what stands behind "--" may not be taken for an option.
        if self._subparsers is not None or (args and "--" in args):
            return super().parse_known_args(args, namespace)
        self._within = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._within = False


def parser() -> argparse.ArgumentParser:
    """The parser of all commands and options."""
    top = _Parser(
        prog="bandleader", allow_abbrev=False,
        description="Make music with an agent that plays what you approved, all of it, and nothing else.",
    )
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser)
    _about(commands)
    _planning(commands)
    _running(commands)
    _working(commands)
    _charts(commands)
    _versions(commands)
    _files(commands)
    _checking(commands)
    _models(commands)
    _machines(commands)
    _services(commands)
    _folders(commands)
    _library(commands)
    return top


if TYPE_CHECKING:
    Commands: TypeAlias = argparse._SubParsersAction[_Parser]


def _add(commands: Commands, name: str, about: str, *, project: bool = True) -> _Parser:
    made: _Parser = commands.add_parser(name, help=about, description=about, allow_abbrev=False)
    made.add_argument("--json", action="store_true", help="one JSON document on stdout")
    if project:
        made.add_argument("--project", metavar="NAME|ID", help="the project (else the one used last)")
    return made


def _about(commands: Commands) -> None:
    _add(commands, "doctor", "tell the health of this installation", project=False)
    projects = _add(commands, "projects", "list projects, or make one", project=False)
    projects.add_argument("action", nargs="?", choices=["new"], help="make a project")
    projects.add_argument("name", nargs="?", metavar="NAME")
    shelves = _add(commands, "list", "list the names that plans may use", project=False)
    shelves.add_argument("what", choices=["instruments", "effects", "styles", "tools"])


def _model_options(command: _Parser, does: str) -> None:
    command.add_argument(
        "--provider", metavar="NAME|URL",
        help=f"who {does}: local (the composer, offline), anthropic, openai, openai-chat, or a server's URL",
    )
    command.add_argument("--model", metavar="NAME", help="the provider's model (else the one of the settings)")


def _planner_options(command: _Parser) -> None:
    _model_options(command, "plans")
    command.add_argument(
        "--intensity", type=_percent, metavar="N",
        help="how far a change of the song goes, in percent: 100 (if left out) is the usual measure, 0 changes nothing",
    )
    command.add_argument(
        "--chart", metavar="FILE", help="a new piece over the chords of a text, ChordPro or MIDI file"
    )
    command.add_argument("--seed", type=_seed, metavar="N", help="fixes plan and song (else one is drawn and shown)")
    command.add_argument(
        "--lock", action="append", default=[], metavar="WHAT",
        help="do not touch: a track, clip:NAME, or bars:9-16 (repeatable)",
    )
    command.add_argument(
        "--only", action="append", default=[], metavar="WHAT",
        help="change nothing but a track, clip:NAME, or bars:9-16 (repeatable); all else stays exactly as it is",
    )


def _percent(text: str) -> int:
    """A whole percentage from 0 to 100."""
    return _whole(text, 0, 100)


def _seed(text: str) -> int:
    """A seed that the database can keep."""
    return _whole(text, 0, 2**63 - 1)


def _most(text: str) -> int:
    """A number of items or edits."""
    return _whole(text, 1, 200)


def _whole(text: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 24 and least <= int(text) <= most):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {least} to {most}")
    return int(text)


def _planning(commands: Commands) -> None:
    ask = _add(commands, "ask", "answer a question about the song, its versions, a plan, the program; changes nothing")
    ask.add_argument("question", metavar="QUESTION")
    _model_options(ask, "would plan")
    plan = _add(commands, "plan", "plan a request; changes nothing")
    plan.add_argument("request", nargs="?", metavar="REQUEST")
    plan.add_argument("--file", metavar="PLAN.json", help="check and hash a plan written by hand")
    plan.add_argument("--base", metavar="PLAN.json", help="the plan that the words are about: it is refined")
    plan.add_argument("--out", metavar="PATH", help="write the plan to a file")
    _may_replace(plan)
    plan.add_argument("--yes", action="store_true", help="ask nothing: an unclear request ends with its question")
    plan.add_argument("--queue", action="store_true", help="store the request, to be planned in its turn; wait not")
    _planner_options(plan)
    run = _add(commands, "run", "run a plan file that you approve by its hash")
    run.add_argument("file", metavar="PLAN.json")
    run.add_argument("--approve", metavar="HASH", help="the hash that `plan` showed")
    _model_options(run, "works on rows that are left to a model")
    run.add_argument("--queue", action="store_true", help="wait while another run holds the song")
    compose = _add(commands, "compose", "plan, ask, run, save and export in one go")
    compose.add_argument("request", metavar="REQUEST")
    compose.add_argument("--yes", action="store_true", help="approve in advance what is clear")
    compose.add_argument("--out", metavar="DIR", help="where the files go")
    _planner_options(compose)


def _may_replace(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--replace", action="store_true", help="with --out: also a file that holds what Bandleader did not write there"
    )


def _running(commands: Commands) -> None:
    runs = _add(commands, "runs", "list runs, look at one, or take one up")
    actions = runs.add_subparsers(dest="action", metavar="ACTION", parser_class=_Parser)
    about = {
        "show": "tell all about a run",
        "resume": "take up a run that was left or rests",
        "pause": "let a run rest after its row; it keeps the song, and resume goes on",
        "cancel": "stop a run; what is done stays",
        "retry": "run the rows again that failed",
        "skip": "leave a row out and go on",
        "approve": "approve the plan of a run by its hash, or the edits that wait in a row, and go on",
        "repair": "ask a model for other inputs of a row that failed; runs nothing",
        "amend": "run a row again with other inputs, or for more items, and go on; this approves exactly these",
        "rollback": "bring back the song before the run",
    }
    for name, text in about.items():
        action = _add(actions, name, text, project=False)
        action.add_argument("run", metavar="ID")
        if name == "show":
            action.add_argument("--events", action="store_true", help="with all events")
            action.add_argument(
                "--follow", action="store_true", help="its events as they come, a line each, until it has ended"
            )
        if name in ("skip", "approve", "repair", "amend"):
            action.add_argument("step", metavar="STEP", nargs="?" if name == "approve" else None)
        if name == "approve":
            action.add_argument("--hash", metavar="HASH", help="of the plan, as `runs show` tells it")
            action.add_argument("--queue", action="store_true", help="leave it to a worker; wait not")
        if name == "repair":
            _model_options(action, "is asked")
        if name == "amend":
            action.add_argument("--inputs", metavar="FILE|JSON", help="all inputs of the row")
            action.add_argument(
                "--most", type=_most, metavar="N", help="how many items or edits the row may come to now"
            )
        if name == "rollback":
            action.add_argument("--yes", action="store_true", help="also when later iterations exist")


def _working(commands: Commands) -> None:
    work = _add(commands, "worker", "work on the queue until it is stopped, or tell what is in it", project=False)
    work.add_argument("action", nargs="?", choices=["status"], help="tell who works, what waits, what was left")
    work.add_argument("--once", action="store_true", help="end when nothing more can be done")


def _charts(commands: Commands) -> None:
    chords = _add(commands, "chords", "the song's chords: what it states, else what is heard; or set a chart")
    chords.add_argument("--set", metavar="CHART", help='as "| C | Am7 D7 | G |", "I vi ii V" or "1 6- 2- 5"')
    chords.add_argument("--file", metavar="FILE", help="a chart as text or ChordPro")
    chords.add_argument("--first", type=int, default=1, metavar="BAR", help="the bar that it begins with (1)")
    chords.add_argument("--repeat", action="store_true", help="over and over to the end of the song")
    chords.add_argument("--format", choices=["text", "chordpro"], default="text", help="how it is printed")
    fonts = _add(commands, "soundfont", "which SoundFont the song and its tracks play from; set one or go back")
    fonts.add_argument("action", nargs="?", choices=["set", "clear"], help="left out, it tells what is set")
    fonts.add_argument("file", nargs="?", metavar="FILE", help="a .sf2 or .sf3 file, of which a copy is kept")
    fonts.add_argument("--track", metavar="NAME|ID", help="only this track (else the song)")


def _versions(commands: Commands) -> None:
    _add(commands, "history", "list the iterations, newest first")
    restore = _add(commands, "restore", "bring an iteration back as a new one")
    restore.add_argument("iteration", metavar="ITERATION")
    diff = _add(commands, "diff", "tell what differs between two iterations")
    diff.add_argument("a", metavar="A")
    diff.add_argument("b", metavar="B")


def _files(commands: Commands) -> None:
    bring = _add(commands, "import", "bring a MIDI file in")
    bring.add_argument("file", metavar="FILE")
    take = _add(commands, "export", "write the song to a file")
    take.add_argument("format", metavar="FORMAT", help=" ".join(FORMATS))
    take.add_argument("--out", metavar="PATH", help="a file or a folder (else the project's export folder)")
    _may_replace(take)


def _folders(commands: Commands) -> None:
    folders = _add(commands, "folders", "list the folders that the steps of a project may use, allow or forget one")
    folders.add_argument("action", nargs="?", choices=["allow", "forget"])
    folders.add_argument("path", nargs="?", metavar="PATH")
    folders.add_argument("--write", action="store_true", help="steps may also write there (with allow)")


def _library(commands: Commands) -> None:
    library = _add(commands, "library", "your own MIDI files and samples: folders, search, tags", project=False)
    actions = library.add_subparsers(dest="action", metavar="ACTION", parser_class=_Parser)
    for name, text in (("add", "add a folder and look through it"), ("forget", "take a folder out of the library")):
        _add(actions, name, text, project=False).add_argument("folder", metavar="FOLDER")
    _add(actions, "scan", "read what is new or changed in all folders", project=False)
    find = _add(actions, "find", "find what fits all that is given", project=False)
    find.add_argument("words", nargs="*", metavar="WORDS")
    find.add_argument("--kind", choices=get_args(Kind))
    find.add_argument("--key", metavar="KEY", help="as Am, F#m or \"Eb major\"")
    find.add_argument("--tempo", metavar="LO-HI", help="quarter notes a minute, as 90-120 or 120")
    find.add_argument("--tag", action="append", default=[], metavar="TAG", help="(repeatable)")
    for name, text in (("tag", "give a file tags"), ("untag", "take tags back that you gave a file")):
        mark = _add(actions, name, text, project=False)
        mark.add_argument("file", metavar="FILE")
        mark.add_argument("tags", nargs="+", metavar="TAG")


def _checking(commands: Commands) -> None:
    gate = _add(commands, "check", "run the musical gate on the song, or on a MIDI file; changes nothing")
    gate.add_argument("file", nargs="?", metavar="FILE", help="a MIDI file (else the project's working song)")
    gate.add_argument("--asked", metavar="REQUEST", help="also hold it against what a request binds to")


def _models(commands: Commands) -> None:
    about = "keep, try or remove the key of a provider of models; `set` reads it from stdin or asks for it"
    keys = _add(commands, "keys", about, project=False)
    keys.add_argument("action", choices=["set", "test", "forget"])
    keys.add_argument("provider", metavar="PROVIDER", help="anthropic, openai, openai-chat, or the URL of a server")


def _machines(commands: Commands) -> None:
    machines = _add(commands, "machines", "list the studio's machines, or add, try or forget one", project=False)
    actions = machines.add_subparsers(dest="action", metavar="ACTION", parser_class=_Parser)
    about = {
        "list": "list them",
        "add": "add one; its password is read from stdin or asked for, never given as an argument",
        "test": "log in and ask for its disk space",
        "pin": "show the machine's host key and keep it as the one to trust",
        "password": "keep another password of a machine, or of its key file",
        "tag": "give tags, or take them with --remove",
        "folders": "set sample folders whose sizes plans may ask for",
        "forget": "remove a machine and its password",
    }
    made = {name: _add(actions, name, text, project=False) for name, text in about.items()}
    for name, action in made.items():
        if name != "list":
            action.add_argument("name", metavar="NAME")
        if name in ("add", "pin"):
            action.add_argument("--yes", action="store_true", help="trust the host key that is shown")
        if name in ("tag", "folders"):
            action.add_argument(name.removesuffix("s") + "s", nargs="*", metavar=name.removesuffix("s").upper())
            action.add_argument("--remove", action="append", default=[], metavar="WHICH", help="(repeatable)")
    _machine_options(made["add"])


def _machine_options(add: _Parser) -> None:
    add.add_argument("--address", required=True, metavar="HOST", help="its name in the network, or IP address")
    add.add_argument("--port", type=_port, metavar="N", help="22 for SSH, 5986 for WinRM if left out")
    add.add_argument("--user", required=True, metavar="U", help="who logs in there")
    add.add_argument("--way", choices=["ssh", "winrm"], default="ssh", help="how it is reached")
    add.add_argument("--system", choices=["linux", "macos", "windows"], help="what runs on it")
    add.add_argument("--tag", action="append", default=[], metavar="T", help="(repeatable)")
    add.add_argument("--folder", action="append", default=[], metavar="PATH", help="a sample folder there (repeatable)")
    add.add_argument("--key-file", metavar="PATH", help="log in with this private key (SSH)")
    add.add_argument("--password", action="store_true", help="read its password, or the key file's passphrase")
    add.add_argument("--ca-file", metavar="PATH", help="whose certificates to trust (WinRM)")
    add.add_argument("--auth", choices=["negotiate", "basic"], default="negotiate", help="how to log in (WinRM)")


def _services(commands: Commands) -> None:
    services = _add(commands, "services", "list the services that were added, add or forget one", project=False)
    actions = services.add_subparsers(dest="action", metavar="ACTION", parser_class=_Parser)
    about = {
        "list": "list them",
        "add": "add an MCP server: shows every tool whole, and keeps it only if you agree",
        "show": "show the tools of a server as they were approved",
        "test": "connect, and compare its tools with what was approved",
        "approve": "show what changed, and approve it",
        "forget": "remove a server, its tools and its secrets",
    }
    made = {name: _add(actions, name, text, project=False) for name, text in about.items()}
    for name, action in made.items():
        if name != "list":
            action.add_argument("name", metavar="NAME")
        if name in ("add", "approve"):
            action.add_argument("--yes", action="store_true", help="agree to the tools that are shown")
    add = made["add"]
    add.add_argument("--command", dest="program", metavar="WORDS", help="the program with its arguments (no shell)")
    add.add_argument("--url", metavar="URL", help="the address of a server: https, or http in the local network")
    add.add_argument(
        "--env", action="append", default=[], metavar="NAME[=VALUE]",
        help="hand on this variable; a VALUE that looks like a secret goes to the keyring (repeatable)",
    )
    add.add_argument("--folder", metavar="DIR", help="where the program is started")
    add.add_argument("--token", action="store_true", help="read its token from stdin, or ask for it")


def _port(text: str) -> int:
    """A port of the network."""
    return _whole(text, 1, 65535)
