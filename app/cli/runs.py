"""`runs` and its verbs."""

from __future__ import annotations

import argparse
import shlex
import stat
from collections.abc import Callable
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from agent.message import msg
from agent.plan.document import MAX_FILE_BYTES
from agent.plan.ledger import StepState
from agent.plan.plan import Inputs, Json
from agent.session.cancellation import Cancellation
from agent.session.ports import RowReport
from agent.session.session import NotApproved
from agent.song.ids import RunId
from app.cli.carrying import carried, status_of_run
from app.cli.errors import CANCELLED, OK, UsageError
from app.cli.output import Document, Output
from app.cli.proposing import chosen_by
from app.cli.shapes import event_shapes, plan_shape, run_line, run_shape
from app.cli.tables import print_ended, print_plan, print_run
from app.cli.worker import entry_shape, note_without_worker, print_queue
from app.paths import named_path
from app.storage.records import Event
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
            return await _follow(run, studio, output, cancellation)
        return await _show(run, arguments.events, studio, output)
    if arguments.action == "approve" and arguments.step is None:
        return await _approve(arguments, studio, output, cancellation)
    if arguments.action == "repair":
        return await cancellation.race(repair(arguments, studio, output))
    if arguments.action == "rollback":
        return await _roll_back(run, arguments.yes, studio, output)

    inputs = _read_inputs_of(arguments.inputs) if arguments.action == "amend" and arguments.inputs is not None else None
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
            told, particulars = _event_line(event)
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


async def _follow(run: RunId, studio: Studio, output: Output, cancellation: Cancellation) -> int:
    """Print stored events and new ones until the run has ended; returns the exit status of that end.

    With `--json` every line on stdout is a JSON document. Ctrl-C stops the following, not the run."""
    last = 0
    await studio.runs.show(run)
    async with studio.runs.watch() as watch:
        while True:
            state, events = await studio.runs.news(run, last)
            for event in events:
                last = event.number
                output.line(_event_shape(event), _event_line(event))
            if state.ended:
                return status_of_run(state)
            if cancellation.requested():
                return CANCELLED
            await watch.wait(cancellation)


def _event_shape(event: Event) -> Document:
    """An event as JSON document."""
    return {"number": event.number, "kind": event.kind, "at": event.at, **msgspec.json.decode(event.body)}


def _event_line(event: Event) -> tuple[str, str]:
    """An event as text: number, time and kind, and the beginning of its body."""
    return f"{event.number:4} {event.at[11:23]} {event.kind} ", event.body[:120]


_LONGEST_COMMAND = 2_000
"""Characters of inputs up to which they are printed within a command to copy; longer ones go into a file."""


async def repair(arguments: argparse.Namespace, studio: Studio, output: Output) -> int:
    """Ask a model for other inputs of a failed row and print them; nothing is run. Returns the exit status."""
    run, step = RunId(arguments.run), arguments.step
    view = await studio.runs.show(run)
    row = _failed(view, step)
    project = await studio.projects.find(view.record.project)
    song = (await studio.planning.stage(project)).song
    made = await studio.planners.repair(view.plan, step, row.reason, song, chosen=chosen_by(arguments), run=run)
    written = msgspec.json.encode(made.inputs).decode()
    given = shlex.quote(written) if len(written) <= _LONGEST_COMMAND else "INPUTS.json"
    command = f"bandleader runs amend {run} {step} --inputs {given}"
    output.show(
        {"run": run, "step": step, "was": view.plan.step(step).inputs, "inputs": made.inputs, "run_with": command,
         "usage": {"tokens": made.usage.total}},
        lambda console: _print(console, row, made.inputs, command),
    )
    return OK


def _read_inputs_of(text: str) -> Inputs:
    """The inputs given by `--inputs`: a JSON object, or the path of a file with one. Raises `UsageError`."""
    data = text.encode() if text.lstrip().startswith("{") else _file(named_path(text))
    try:
        found: Json = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise UsageError(msg("the inputs are not JSON"), why=str(problem), fix=_FIX) from None
    if not isinstance(found, dict):
        raise UsageError(
            msg("the inputs are not a JSON object"), why=msg("they are {name}", name=type(found).__name__), fix=_FIX,
        )
    return found


_FIX = """give an object such as '{"bpm": 84}', or a file that holds one"""


def _file(path: Path) -> bytes:
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode) or found.st_size > MAX_FILE_BYTES:
            raise UsageError(msg("{path} holds no inputs", path=path), why=msg("it is no file, or too large"), fix=_FIX)
        return path.read_bytes()
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or str(problem)
        raise UsageError(msg("cannot read the inputs from {path!r:.200}", path=str(path)), why=why, fix=_FIX) from None


def _failed(view: RunView, step: str) -> RowReport:
    view.plan.step(step)
    row = next(row for row in view.rows if row.step == step)
    if row.state not in (StepState.FAILED, StepState.PARTIAL):
        raise UsageError(
            msg("row {step} has not failed", step=step),
            why=msg("it is {replace}", replace=row.state.value.replace("_", " ")),
            fix=msg("bandleader runs show {record}", record=view.record.id),
        )
    return row


def _print(console: Console, row: RowReport, inputs: Inputs, command: str) -> None:
    console.print(Text.assemble(f"row {row.step} failed: ", (row.reason, "dim")))
    console.print("the model proposes these inputs; nothing was run:")
    console.print(Text(msgspec.json.format(msgspec.json.encode(inputs), indent=2).decode()), soft_wrap=True)
    console.print(Text.assemble("to run the row with them: ", command), soft_wrap=True)
