"""`runs` and its verbs."""

from __future__ import annotations

import argparse
from collections.abc import Callable

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from agent.message import msg
from agent.session.cancellation import Cancellation
from agent.session.session import NotApproved
from agent.song.ids import RunId
from app.cli.carrying import carried, status_of_run
from app.cli.errors import OK, UsageError
from app.cli.following import event_line, follow
from app.cli.output import Output
from app.cli.repairing import read_inputs_of, repair
from app.cli.shapes import event_shapes, plan_shape, run_line, run_shape
from app.cli.tables import print_ended, print_plan, print_run
from app.cli.worker import entry_shape, note_without_worker, print_queue
from app.studio.running.queue import WAITING
from app.studio.running.run_view import RunView
from app.studio.studio import Studio


async def runs(arguments: argparse.Namespace, studio: Studio, output: Output, cancellation: Cancellation) -> int:
    """List runs, show one, or carry out another action on one (resume, repair, …). Returns the exit status."""
    if arguments.action is None:
        return await _list(arguments, studio, output)
    run = RunId(arguments.run)
    if arguments.action == "show":
        if arguments.follow:
            return await follow(run, studio, output, cancellation)
        return await _show(run, arguments.events, studio, output)
    if arguments.action == "approve" and arguments.step is None:
        return await _approve(arguments, studio, output, cancellation)
    if arguments.action == "repair":
        return await cancellation.race(repair(arguments, studio, output))
    if arguments.action == "rollback":
        return await _roll_back(run, arguments.yes, studio, output)

    inputs = read_inputs_of(arguments.inputs) if arguments.action == "amend" and arguments.inputs is not None else None
    if arguments.action == "amend" and inputs is None and arguments.most is None:
        raise UsageError(
            msg("amend needs what is to be another"), why=msg("neither --inputs nor --most is given"),
            fix=msg("--inputs '{{\"bpm\": 84}}', or --most 12 for a row that may come to more items"),
        )

    async def work() -> RunView:
        match arguments.action:
            case "resume":
                return await _resume(run, studio, cancellation)
            case "cancel":
                return await studio.runs.stopping.cancel(run)
            case "pause":
                return await studio.runs.stopping.pause(run)
            case "retry":
                return await studio.runs.retry(run, cancellation)
            case "amend":
                return await studio.runs.amend(run, arguments.step, inputs, cancellation, most=arguments.most)
            case "approve":
                return await studio.runs.approve_gathered(run, arguments.step, cancellation)
            case _:
                return await studio.runs.skip(run, arguments.step, cancellation)

    await _tell_run(view := await carried(studio, output, work, run), studio, output, print_ended)
    return OK if arguments.action in ("cancel", "pause") else status_of_run(view.state)


async def _tell_run(
    view: RunView, studio: Studio, output: Output, tell: Callable[[Console, RunView], None] = print_run
) -> None:
    before = await studio.store.song(view.record.base_revision)
    output.show(run_shape(view, before), lambda console: tell(console, view))


async def _approve(
    arguments: argparse.Namespace, studio: Studio, output: Output, cancellation: Cancellation
) -> int:
    """Approve the plan that a run proposes, by its hash; then it is carried out in its turn, here unless `--queue`."""
    run = RunId(arguments.run)
    if arguments.hash is None:
        shown = (await studio.runs.show(run)).plan.hash or "HASH"
        raise NotApproved(
            msg("run {run} is not approved", run=run), why=msg("neither a row nor the hash of its plan is named"),
            fix=msg("look at it with `bandleader runs show {run}`, then add --hash {shown}", run=run, shown=shown),
        )
    view = await studio.runs.approve(run, arguments.hash)
    if not arguments.queue:
        view = await carried(studio, output, lambda: studio.runs.queue.carry_out_in_turn(run, cancellation), run)
    await _tell_run(view, studio, output, print_run if arguments.queue else print_ended)
    if arguments.queue:
        await note_without_worker(view.record.project, studio, output)
    return OK if arguments.queue else status_of_run(view.state)


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
            msg("run {run} has ended", run=run), why=msg("it is {state}", state=view.state),
            fix=msg("bandleader runs retry {run}", run=run) if view.state.value in ("PARTIAL", "FAILED") else "",
        )
    return await studio.runs.host.carry_out(run, cancellation)


async def _show(run: RunId, with_events: bool, studio: Studio, output: Output) -> int:
    view = await studio.runs.show(run)
    before = await studio.store.song(view.record.base_revision)
    document = run_shape(view, before)
    if view.state in WAITING and view.planned:
        document.update(plan=plan_shape(view.plan), hash=view.plan.hash)
    if with_events:
        document["events"] = event_shapes(view)

    def human(console: Console) -> None:
        if view.state in WAITING and view.planned:
            print_plan(console, view.plan, studio.registry.tools)
        print_run(console, view)
        for event in view.events if with_events else ():
            told, particulars = event_line(event)
            console.print(Text.assemble(told, (particulars, "dim")))

    output.show(document, human)
    return OK


async def _list(arguments: argparse.Namespace, studio: Studio, output: Output) -> int:
    project = await studio.projects.find(arguments.project)
    waiting = await studio.requests.entries(project.id)
    first = [one.run.id for one in waiting]
    place = {run: number for number, run in enumerate(first)}
    known = sorted(await studio.runs.all(project), key=lambda run: place.get(run.id, len(place)))

    def human(console: Console) -> None:
        print_queue(console, waiting)
        table = Table("id", "state", "when (UTC)", "request", box=None, header_style="dim")
        for run in known[len(first):]:
            words = Text(run.request[:60]) if run.request else Text("a plan from a file", "dim")
            table.add_row(run.id, run.state, run.created[:19].replace("T", " "), words)
        console.print(table)

    for sentence in await studio.runs.damaged(project):
        output.note(f"left out: {sentence}", "yellow")
    lines = [run_line(run) for run in known]
    output.show({"project": project.id, "queue": [entry_shape(one) for one in waiting], "runs": lines}, human)
    return OK
