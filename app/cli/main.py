"""Runs one command to its exit status."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from agent.errors import BandleaderError
from agent.session.cancellation import Cancellation
from app.bootstrap import open_studio
from app.cli import about, check, files, folders, history, keys, library, machines, planning, runs, services, worker
from app.cli.arguments import LATER, parser
from app.cli.errors import BAD_INPUT, CANCELLED, OK, HostError, UsageError
from app.cli.output import Output
from app.cli.stopping import stoppable
from app.crash import reported, show_if_asked
from app.paths import find_paths
from app.studio.studio import Studio

Command = Callable[[argparse.Namespace, Studio, Output, Cancellation], Awaitable[int]]

_COMMANDS: dict[str, Command] = {
    "projects": about.projects,
    "list": about.list_shelf,
    "plan": planning.plan,
    "run": planning.run,
    "compose": planning.compose,
    "runs": runs.runs,
    "worker": worker.worker,
    "history": history.history,
    "restore": history.restore,
    "diff": history.diff,
    "import": files.bring,
    "export": files.take,
    "check": check.check,
    "keys": keys.keys,
    "machines": machines.machines,
    "services": services.services,
    "folders": folders.folders,
    "library": library.library,
}


def run(words: Sequence[str]) -> int:
    """Run the command that the words name; every error becomes a message and an exit status."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    output = Output(json="--json" in words)
    try:
        return _run(words, output)
    except BandleaderError as error:
        return output.error(error)
    except (KeyboardInterrupt, asyncio.CancelledError):
        return CANCELLED
    except OSError as error:
        place = str(error.filename or "output")
        return output.error(HostError(f"cannot use {place}", why=error.strerror or str(error), fix="check the disk"))
    except Exception as fault:
        show_if_asked(fault, dict(os.environ))
        return output.error(reported(fault, find_paths().logs))


def _run(words: Sequence[str], output: Output) -> int:
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
    return asyncio.run(_in_studio(_COMMANDS[arguments.command], arguments, output))


async def _in_studio(command: Command, arguments: argparse.Namespace, output: Output) -> int:
    cancellation = Cancellation()
    with stoppable(cancellation):
        studio = open_studio(find_paths())
        try:
            # A signal that came while the program was starting is heard here.
            await asyncio.sleep(0)
            return CANCELLED if cancellation.requested() else await command(arguments, studio, output, cancellation)
        finally:
            await studio.close()
