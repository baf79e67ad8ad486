"""Carries out a command in what it needs of the studio, and closes that behind it."""

from __future__ import annotations

import argparse
import asyncio
import gc
from typing import TYPE_CHECKING, Protocol

from agent.session.cancellation import Cancellation, WorkCancelled
from app.cli.commands import CommandEntry
from app.cli.errors import CANCELLED
from app.cli.output import Output
from app.cli.stopping import completed, stoppable
from app.paths import Paths, find_paths
from app.signals import StopSignals

if TYPE_CHECKING:
    from app.studio.archive import Archive
    from app.studio.studio import Studio


class _Opener(Protocol):
    def __call__(self, paths: Paths, *, to_read: bool) -> Studio | Archive: ...


def carried_out(entry: CommandEntry, arguments: argparse.Namespace, output: Output, stop: StopSignals) -> int:
    """Run a command with the studio or archive that it needs, which is closed afterwards; returns its exit status,
    `CANCELLED` if a signal ended it. Raises what the command raises."""
    try:
        return completed(_in_studio(entry, arguments, output, stop), stop)
    except (WorkCancelled, asyncio.CancelledError):
        return CANCELLED


async def _in_studio(entry: CommandEntry, arguments: argparse.Namespace, output: Output, stop: StopSignals) -> int:
    # What is imported is imported before anybody listens: until then a signal ends the process at once.
    cancellation, command, opened = Cancellation(), entry.load(), _opener(entry)
    with stoppable(stop, cancellation):
        studio = opened(find_paths(), to_read=entry.only_reads(arguments))
        if stop.taken:
            _collect_from_now_on()
        if (why := studio.store.database.unwritable) is not None:
            output.note(f"{why.what}: what is stored is only read", "yellow")
        try:
            # A signal that came while the program was starting is heard here.
            await asyncio.sleep(0)
            return CANCELLED if cancellation.requested() else await command(arguments, studio, output, cancellation)
        finally:
            await studio.close()


def _opener(entry: CommandEntry) -> _Opener:
    if entry.archive:
        from app.studio.archive import open_archive

        return open_archive
    from app.bootstrap import open_studio

    return open_studio


def _collect_from_now_on() -> None:
    """Where the entry had garbage left alone: from now on it is collected, but never in what start-up made."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
