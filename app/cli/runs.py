"""`runs` and its verbs."""

from __future__ import annotations

import argparse

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from agent.session.cancellation import Cancellation
from agent.song.ids import RunId
from app.cli.carrying import carried
from app.cli.errors import OK, UsageError, status_of_run
from app.cli.output import Output
from app.cli.repairing import read_inputs_of, repair
from app.cli.shapes import event_shapes, run_line, run_shape
from app.cli.tables import print_run
from app.studio.run_view import RunView
from app.studio.studio import Studio


async def runs(arguments: argparse.Namespace, studio: Studio, output: Output, cancellation: Cancellation) -> int:
    """List, show, or take up."""
    if arguments.action is None:
        return await _list(arguments, studio, output)
    run = RunId(arguments.run)
    if arguments.action == "show":
        return await _show(run, arguments.events, studio, output)
    if arguments.action == "repair":
        return await repair(arguments, studio, output)
    if arguments.action == "rollback":
        return await _roll_back(run, arguments.yes, studio, output)

    inputs = read_inputs_of(arguments.inputs) if arguments.action == "amend" else {}

    async def work() -> RunView:
        match arguments.action:
            case "resume":
                return await _resume(run, studio, cancellation)
            case "cancel":
                return await studio.runs.cancel(run)
            case "retry":
                return await studio.runs.retry(run, cancellation)
            case "amend":
                return await studio.runs.amend(run, arguments.step, inputs, cancellation)
            case "approve":
                return await studio.runs.approve_gathered(run, arguments.step, cancellation)
            case _:
                return await studio.runs.skip(run, arguments.step, cancellation)

    view = await carried(studio, output, work)
    before = await studio.store.song(view.record.base_revision)
    output.show(run_shape(view, before), lambda console: print_run(console, view))
    return OK if arguments.action == "cancel" else status_of_run(view.state)


async def _roll_back(run: RunId, over_later: bool, studio: Studio, output: Output) -> int:
    view = await carried(studio, output, lambda: studio.runs.rollback(run, over_later=over_later))
    before = await studio.store.song(view.record.base_revision)
    restored = [msgspec.json.decode(event.body) for event in view.events if event.kind == "RUN_ROLLED_BACK"][-1]
    output.show(
        {**run_shape(view, before), "rolled_back": restored["iteration"]},
        lambda console: console.print(
            f"the song before run {run} is the newest again, as iteration {restored['iteration']}; nothing was lost"
        ),
    )
    return OK


async def _resume(run: RunId, studio: Studio, cancellation: Cancellation) -> RunView:
    view = await studio.runs.show(run)
    if view.state.ended:
        raise UsageError(
            f"run {run} has ended", why=f"it is {view.state}",
            fix=f"bandleader runs retry {run}" if view.state.value in ("PARTIAL", "FAILED") else "",
        )
    return await studio.runs.carry_out(run, cancellation)


async def _show(run: RunId, with_events: bool, studio: Studio, output: Output) -> int:
    view = await studio.runs.show(run)
    before = await studio.store.song(view.record.base_revision)
    document = run_shape(view, before)
    if with_events:
        document["events"] = event_shapes(view)

    def human(console: Console) -> None:
        print_run(console, view)
        for event in view.events if with_events else ():
            told = f"{event.number:4} {event.at[11:23]} {event.kind} "
            console.print(Text.assemble(told, (event.body[:120], "dim")))

    output.show(document, human)
    return OK


async def _list(arguments: argparse.Namespace, studio: Studio, output: Output) -> int:
    project = await studio.projects.find(arguments.project)
    known = await studio.runs.all(project)

    def human(console: Console) -> None:
        table = Table("id", "state", "when (UTC)", "request", box=None, header_style="dim")
        for run in known:
            table.add_row(run.id, run.state, run.created[:19].replace("T", " "), run.request[:60])
        console.print(table)

    output.show({"project": project.id, "runs": [run_line(run) for run in known]}, human)
    return OK
