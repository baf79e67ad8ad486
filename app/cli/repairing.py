"""`runs repair` and `runs amend`: other inputs for a row that failed, proposed by a model or given by the person."""

from __future__ import annotations

import argparse
import shlex
import stat
from pathlib import Path

import msgspec
from rich.console import Console
from rich.text import Text

from agent.message import msg
from agent.plan.document import MAX_FILE_BYTES
from agent.plan.ledger import StepState
from agent.plan.plan import Inputs, Json
from agent.session.ports import RowReport
from agent.song.ids import RunId
from app.cli.errors import OK, UsageError
from app.cli.output import Output
from app.cli.proposing import chosen_by
from app.paths import named_path
from app.studio.running.run_view import RunView
from app.studio.studio import Studio

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


def read_inputs_of(text: str) -> Inputs:
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
