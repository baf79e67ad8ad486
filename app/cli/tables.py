"""Plans and runs as a person likes to read them at a terminal."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from agent.plan.document import Plan
from agent.plan.ledger import StepState
from agent.plan.plan import Json, Step
from agent.theory.pitch import pitch_name
from app.studio.run_view import RunView

_MARKS = {
    StepState.DONE: "[green]✓[/]", StepState.SKIPPED: "[dim]–[/]", StepState.FAILED: "[red]✗[/]",
    StepState.PARTIAL: "[yellow]◐[/]", StepState.NOT_RUN: "[dim]·[/]", StepState.NEEDS_REVIEW: "[yellow]?[/]",
    StepState.RUNNING: "[yellow]▸[/]", StepState.WAITING: "[dim]○[/]",
}


def print_plan(console: Console, plan: Plan) -> None:
    """The plan as a table, what was understood, the marks, and the hash."""
    for sentence in plan.understood:
        console.print(f"[dim]understood[/] {escape(sentence)}")
    if plan.ignored:
        console.print(f"[dim]ignored[/] {escape(', '.join(plan.ignored))}")
    console.print()
    _print_rows(console, plan)
    for note in plan.normalised:
        console.print(f"[dim]normalised[/] {escape(note)}")
    for mark in plan.lint:
        color = "red" if mark.level == "error" else "yellow"
        fix = f" [dim]→ {escape(mark.fix)}[/]" if mark.fix else ""
        console.print(f"[{color}]{mark.rule}[/] {escape(mark.message)}{fix}")
    console.print(f"\n{len(plan.steps)} rows · seed {plan.seed} · no model, no cost\nhash {plan.hash}")


def _print_rows(console: Console, plan: Plan) -> None:
    table = Table(box=None, header_style="dim", padding=(0, 1), expand=True)
    table.add_column("#", justify="right")
    table.add_column("what", ratio=3)
    table.add_column("with", ratio=4, style="dim")
    table.add_column("why", ratio=4)
    group = None
    for number, step in enumerate(plan.steps, 1):
        if step.group != group:
            group = step.group
            table.add_row("", f"[bold]{escape(group)}[/]", "", "")
        title = step.title or step.tool
        table.add_row(str(number), escape(title), escape(detail(step)), escape(step.why))
    console.print(table)


def detail(step: Step) -> str:
    """The inputs of a row in a few words."""
    if step.by == "model":
        return f"goal: {step.goal}"
    notes = step.inputs.get("notes")
    words = []
    if isinstance(notes, list):
        words.append(_notes(notes))
    for name, value in step.inputs.items():
        if name not in ("notes", "name", "color") and not name.endswith("_id") and value not in ("", None):
            words.append(f"{name} {_short(value)}")
    return ", ".join(words)[:110]


def _notes(notes: list[Json]) -> str:
    pitches = [note["n"] for note in notes if isinstance(note, dict) and isinstance(note.get("n"), int)]
    span = f" {pitch_name(min(pitches))}–{pitch_name(max(pitches))}" if pitches else ""
    return f"{len(notes)} notes{span}"


def _short(value: Json) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, dict):
        return " ".join(f"{name} {_short(inner)}" for name, inner in value.items())
    return f"{len(value)} values" if isinstance(value, list) else str(value)


def print_run(console: Console, view: RunView) -> None:
    """The ledger, the rows that are not done, and asked ↔ rows ↔ measured."""
    ledger = view.ledger
    color = "green" if ledger.done == ledger.approved else "yellow"
    console.print(f"run {view.record.id} [{color}]{view.state}[/]")
    console.print(
        f"approved {ledger.approved} = done {ledger.done} + skipped {ledger.skipped} + failed {ledger.failed} "
        f"+ not run {ledger.not_run} + needs review {ledger.needs_review}"
    )
    for row in view.rows:
        if row.state is not StepState.DONE:
            console.print(f"  {_MARKS[row.state]} {row.step} {row.tool}: {escape(row.reason or row.state.value)}")
    if view.answer is not None:
        _print_measured(console, view)
    if view.record.iteration:
        console.print(f"saved as iteration {view.record.iteration}")


def _print_measured(console: Console, view: RunView) -> None:
    assert view.answer is not None
    if view.answer.measured:
        table = Table("", "asked", "rows", "measure", "before", "after", box=None, header_style="dim")
        for one in view.answer.measured:
            mark = "[green]✓[/]" if one.met else "[red]✗[/]"
            rows = ", ".join(one.steps[:6]) + (" …" if len(one.steps) > 6 else "")
            table.add_row(mark, escape(one.asked), rows, one.measure.replace("_", " "), _figure(one.before),
                          _figure(one.after))
        console.print(table)
    for lock in view.answer.locks:
        said = "unchanged, digests equal" if lock.equal else "[red]CHANGED[/]"
        console.print(f"lock {escape(lock.target)}: {said} ({lock.after[:12]}…)")


def print_files(console: Console, files: Mapping[str, str]) -> None:
    """Where the files are."""
    for kind, path in files.items():
        console.print(f"{kind:5}{escape(path)}", soft_wrap=True)


def _figure(value: float | str | None) -> str:
    if value is None:
        return ""
    return f"{value:g}" if isinstance(value, float) else escape(str(value))
