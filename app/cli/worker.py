"""`worker`: works on the queue in the foreground, or tells what the queue holds and who works on it."""

from __future__ import annotations

import argparse
import asyncio
import os

from rich.console import Console
from rich.table import Table
from rich.text import Text

from agent.errors import BandleaderError
from agent.session.cancellation import Cancellation, WorkCancelled
from agent.song.ids import ProjectId
from app.cli.carrying import told_on_the_way
from app.cli.errors import OK
from app.cli.output import Document, Output
from app.crash import reported, show_if_asked
from app.studio.running.queue import QueueEntry
from app.studio.running.worker import Alive, Doing, QueueWorker, workers
from app.studio.studio import Studio


async def worker(arguments: argparse.Namespace, studio: Studio, output: Output, cancellation: Cancellation) -> int:
    """Work on the queue until a stop is requested, or with `--once` until nothing can be done any more; with `status`
    only print what the queue holds. Returns the exit status."""
    if arguments.action == "status":
        return await _status(studio, output)
    working = QueueWorker(studio.store, studio.runs, studio.requests)
    working.told.listen(_Teller(output).tell)
    working.faults.listen(lambda fault: _tell_fault(fault, studio, output))
    with told_on_the_way(studio, output):
        try:
            if arguments.once:
                await cancellation.race(working.once())
            else:
                working.start()
                output.note("works on the queue; Ctrl-C ends it")
                await cancellation.race(working.ended())
        except WorkCancelled:
            pass
        finally:
            await working.stop()
    output.show(_end_shape(working.doing), lambda console: console.print(_counted(working.doing)))
    return OK


class _Teller:
    """What becomes of each job, as a line of progress."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._last: object = None

    def tell(self, doing: Doing) -> None:
        if doing.last is None or doing.last == self._last:
            return
        self._last = last = doing.last
        reason = f": {last.reason}" if last.reason else ""
        self._output.note(f"run {last.run} ({last.deed}) is {last.state}{reason}")


def _tell_fault(fault: Exception, studio: Studio, output: Output) -> None:
    if not isinstance(fault, BandleaderError):
        show_if_asked(fault, dict(os.environ))
        fault = reported(fault, studio.paths.logs)
    output.note(f"error: {fault}", "bold red")


def _end_shape(doing: Doing) -> Document:
    return {
        "runs": doing.runs, "steps": doing.steps, "planned": doing.planned,
        "given_up": [{"run": run, "reason": reason} for run, reason in doing.given_up.items()],
    }


def _counted(doing: Doing) -> str:
    planned, ended, done = _many(doing.planned, "request"), _many(doing.runs, "run"), _many(doing.steps, "step")
    return f"{planned} planned, {ended} brought to the end, {done} done"


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


async def note_without_worker(project: ProjectId, studio: Studio, output: Output) -> None:
    """Print a note if requests of a project are queued and no worker serves that project."""
    alive = workers(await asyncio.to_thread(studio.store.presence.told))
    if not any(one.serves(project) for one in alive):
        nobody = "the open window works for another project" if alive else "nobody works on the queue now"
        output.note(f"{nobody}; `bandleader worker` does, and `worker --once` what can be done")


async def _status(studio: Studio, output: Output) -> int:
    alive = workers(await asyncio.to_thread(studio.store.presence.told))
    waiting, left = await studio.requests.entries(), await studio.requests.left()
    document = {
        "running": bool(alive),
        "workers": [_worker_shape(one) for one in alive],
        "queue": [entry_shape(one) for one in waiting],
        "left": [
            {"run": run.id, "project": run.project, "state": run.state, "request": run.request} for run in left
        ],
    }

    def human(console: Console) -> None:
        console.print(f"{len(alive)} at work" if alive else "no worker is running: `bandleader worker` starts one")
        for one in alive:
            what = ", ".join(one.doing.doing) or "waits"
            whose = "" if one.doing.project is None else f", for project {one.doing.project} alone"
            console.print(Text(f"  {one.name} (process {one.doing.pid}{whose}): {what}; {_counted(one.doing)}"))
        print_queue(console, waiting)
        for run in left:
            console.print(Text(f"left in the middle: run {run.id}; bandleader runs resume {run.id}"), soft_wrap=True)

    output.show(document, human)
    return OK


def _worker_shape(one: Alive) -> Document:
    doing = one.doing
    return {
        "name": one.name, "pid": doing.pid, "since": doing.since, "project": doing.project,
        "doing": list(doing.doing), **_end_shape(doing),
    }


def entry_shape(entry: QueueEntry) -> Document:
    """One entry of the queue as JSON document."""
    run = entry.run
    return {
        "run": run.id, "project": run.project, "state": run.state, "request": run.request,
        "waits_for": entry.waits_for,
    }


def print_queue(console: Console, waiting: tuple[QueueEntry, ...]) -> None:
    """Print the queue as a table; nothing if it is empty."""
    if not waiting:
        return
    table = Table("queue", "state", "waits for", "request", box=None, header_style="dim")
    for one in waiting:
        table.add_row(one.run.id, one.run.state, one.waits_for, Text(one.run.request[:60]))
    console.print(table)
