"""Runs one command to its exit status."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from agent.errors import BandleaderError
from agent.session.cancellation import Cancellation, Cut
from app.bootstrap import open_studio
from app.cli import (
    about,
    asking,
    check,
    chords,
    files,
    folders,
    history,
    keys,
    library,
    machines,
    planning,
    runs,
    services,
    soundfonts,
    worker,
)
from app.cli.arguments import LATER, parser
from app.cli.errors import BAD_INPUT, CANCELLED, OK, HostError, UsageError
from app.cli.output import Output
from app.cli.stopping import Command, completed, interruptible, stoppable
from app.crash import reported, show_if_asked
from app.paths import find_paths
from app.signals import StopSignals

_COMMANDS: dict[str, Command] = {
    "projects": about.projects,
    "list": interruptible(about.list_shelf),
    "ask": interruptible(asking.ask),
    "plan": interruptible(planning.plan),
    "run": planning.run,
    "compose": planning.compose,
    "runs": runs.runs,
    "worker": worker.worker,
    "history": interruptible(history.history),
    "restore": history.restore,
    "chords": chords.chords,
    "soundfont": soundfonts.soundfont,
    "diff": interruptible(history.diff),
    "import": files.bring,
    "export": files.take,
    "check": interruptible(check.check),
    "keys": interruptible(keys.keys),
    "machines": interruptible(machines.machines),
    "services": interruptible(services.services),
    "folders": folders.folders,
    "library": library.library,
}
_TELL = frozenset({"history", "diff", "list", "ask"})
_TELL_WITHOUT_ACTION = frozenset({"projects", "runs", "folders", "library", "machines", "services", "soundfont"})
_SHOW = frozenset({None, "list", "show", "find"})


def run(words: Sequence[str], stop: StopSignals | None = None) -> int:
    """Run the command that the words name; every error becomes a message and an exit status.

    Without `stop`, signals are the caller's.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    output = Output(json="--json" in words)
    try:
        return _run(words, output, stop or StopSignals())
    except BandleaderError as error:
        return output.error(error)
    except (Cut, asyncio.CancelledError):
        return CANCELLED
    except OSError as error:
        place = str(error.filename or "output")
        return output.error(HostError(f"cannot use {place}", why=error.strerror or str(error), fix="check the disk"))
    except Exception as fault:
        show_if_asked(fault, dict(os.environ))
        return output.error(reported(fault, find_paths().logs))


def _run(words: Sequence[str], output: Output, stop: StopSignals) -> int:
    if not words:
        parser().print_help(sys.stderr)
        return BAD_INPUT
    if words[0] in LATER:
        raise UsageError(f"bandleader {words[0]} is not there yet", why="a later version brings it")
    try:
        arguments = parser().parse_args(words)
    except UsageError:
        # What does not fit may be a key, and is not repeated.
        if words[0] == "keys":
            raise keys.misused() from None
        if words[0] == "machines" and any(word.startswith("--pass") or word == "password" for word in words):
            raise machines.misused() from None
        if words[0] == "services" and any(word.startswith(("--env", "--tok")) for word in words):
            raise services.misused() from None
        raise
    except SystemExit as end:
        output.flush()
        return int(end.code or OK)
    if arguments.command == "doctor":
        return about.doctor(find_paths(), output)
    return completed(_in_studio(_COMMANDS[arguments.command], arguments, output, stop), stop)


def _only_reads(arguments: argparse.Namespace) -> bool:
    """Whether a command only tells what is stored, which it can where nothing can be written."""
    if arguments.command in _TELL:
        return True
    shown = getattr(arguments, "action", None) in _SHOW and not getattr(arguments, "follow", False)
    return arguments.command in _TELL_WITHOUT_ACTION and shown


async def _in_studio(command: Command, arguments: argparse.Namespace, output: Output, stop: StopSignals) -> int:
    cancellation = Cancellation()
    with stoppable(stop, cancellation):
        studio = open_studio(find_paths(), to_read=_only_reads(arguments))
        if (why := studio.store.database.unwritable) is not None:
            output.note(f"{why.what}: what is stored is only read", "yellow")
        try:
            # A signal that came while the program was starting is heard here.
            await asyncio.sleep(0)
            return CANCELLED if cancellation.requested() else await command(arguments, studio, output, cancellation)
        finally:
            await studio.close()
