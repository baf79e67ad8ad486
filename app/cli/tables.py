"""Plans and runs as a person likes to read them at a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from agent.chat.answer import Answer
from agent.plan.document import Plan
from agent.plan.ledger import StepState
from agent.plan.plan import Json, Step, Threshold
from agent.plan.tool import ToolSpec
from agent.session.gathering import gathered_edits
from agent.session.ports import RowReport
from agent.session.run_state import RunState
from agent.song.fence import Fence
from agent.song.locks import BarsLock, ClipLock, Lock, SongLock, TrackLock
from agent.theory.description import Description, Portrait
from agent.theory.gate import Flaw
from agent.theory.pitch import pitch_name
from app.cli.reporting import print_report
from app.studio.running.run_view import RunView

_MARKS = {
    StepState.DONE: ("✓", "green"), StepState.SKIPPED: ("–", "dim"), StepState.FAILED: ("✗", "red"),
    StepState.PARTIAL: ("◐", "yellow"), StepState.NOT_RUN: ("·", "dim"), StepState.NEEDS_REVIEW: ("?", "yellow"),
    StepState.RUNNING: ("▸", "yellow"), StepState.WAITING: ("○", "dim"),
}

_COLOURS = {"✓": "green", "•": "dim", "✗": "red"}
_OPEN = (StepState.FAILED, StepState.PARTIAL, StepState.NEEDS_REVIEW)
_REOPENED = (RunState.PARTIAL, RunState.FAILED, RunState.NEEDS_REVIEW)
_DETAIL = 240
"""Characters of a row's inputs that are shown."""
_VALUE = 72
"""Characters of a single input that are shown, so that it does not hide the others; its middle is left out."""
_NAME = 40
"""Characters of the name of a track or section that are shown."""


def print_plan(console: Console, plan: Plan, tools: Mapping[str, ToolSpec]) -> None:
    """Print the plan as a table, with what was understood, remarks on its rows, what is removed from the song, and the
    plan's hash. `tools` are the known tools by name."""
    for sentence in plan.understood:
        console.print(_headed("understood", "dim", sentence))
    if plan.ignored:
        console.print(_headed("ignored", "dim", ", ".join(plan.ignored)))
    for lock in plan.locks:
        console.print(_headed("locked", "dim", _locked(lock)))
    if plan.fence is not None:
        console.print(_headed("only", "dim", _only(plan.fence)))
    console.print()
    _print_rows(console, plan)
    for note in plan.normalised:
        console.print(_headed("normalised", "dim", note))
    for mark in plan.lint:
        color = "red" if mark.level == "error" else "yellow"
        fix = (f" → {mark.fix}" if mark.fix else "", "dim")
        console.print(Text.assemble(_headed(mark.rule, color, mark.message), fix))
    for line in _leaving(plan, tools):
        console.print(_headed("leaves the song", "yellow", line))
    _print_whole(console, plan, tools)
    rows = "1 row" if len(plan.steps) == 1 else f"{len(plan.steps)} rows"
    console.print(f"\n{rows} · seed {plan.seed} · {_used(plan)}\nhash {plan.hash}")


def _leaving(plan: Plan, tools: Mapping[str, ToolSpec]) -> list[str]:
    """For each service that does more than change the song, what its rows are."""
    rows: dict[str, list[str]] = {}
    for number, step in enumerate(plan.steps, 1):
        tool = tools.get(step.tool)
        if tool is not None and tool.effect in ("files", "outside"):
            rows.setdefault(tool.service, []).append(str(number))
    return [f"{service}: {'rows' if len(found) > 1 else 'row'} {', '.join(found)}" for service, found in rows.items()]


def _print_whole(console: Console, plan: Plan, tools: Mapping[str, ToolSpec]) -> None:
    """Rows that do more than change the song, or leave it to a model what they do, with every field that is approved:
    a table has no room for them, and nobody can hear them before."""
    for number, step in enumerate(plan.steps, 1):
        tool = tools.get(step.tool)
        if step.by == "model" or tool is None or tool.effect in ("files", "outside"):
            fields = msgspec.structs.replace(step, title="", why="", group="")
            console.print(_headed(f"row {number}, whole", "yellow", msgspec.json.encode(fields).decode()))


def _used(plan: Plan) -> str:
    """Who planned, and what that has used."""
    if not plan.used.tokens:
        return "no model, no cost"
    cost = "price unknown" if plan.used.cost is None else f"${plan.used.cost:.4f}"
    return f"{plan.provider} · {plan.used.tokens:,} tokens · {cost}"


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
            table.add_row("", Text(group, "bold"), "", "")
        table.add_row(str(number), step.title or step.tool, detail(step), step.why)
    console.print(table)


def _headed(head: str, style: str, text: str) -> Text:
    return Text.assemble((head, style), " ", text)


def _locked(lock: Lock) -> str:
    match lock:
        case TrackLock(track_id):
            return f"track {track_id}"
        case ClipLock(clip_id):
            return f"clip {clip_id}"
        case BarsLock(first, last):
            return f"bars {first}-{last}"
        case SongLock(aspect):
            return f"the {aspect}"


def _only(fence: Fence) -> str:
    parts = [*(f"track {one}" for one in fence.tracks), *(f"clip {one}" for one in fence.clips)]
    if fence.bars is not None:
        parts.append("bars {}-{}".format(*fence.bars))
    if fence.allows_new_tracks:
        parts.append("new tracks")
    return f"{', '.join(parts)} may change"


def detail(step: Step) -> str:
    """What a step will run, in a few words from its tool and inputs; its title is only a claim."""
    words = [step.tool]
    if step.by == "model":
        words.append(f"goal: {step.goal}")
    if step.max_edits is not None:
        words.append(f"at most {step.max_edits} edits")
    if step.for_each is not None:
        words.append(f"for each {step.for_each}")
    if step.when is not None:
        right = "" if step.when.right is None else f" {_short(step.when.right)}"
        words.append(f"when {step.when.left} {step.when.op}{right}")
    words += _ways(step)
    notes = step.inputs.get("notes")
    if isinstance(notes, list):
        words.append(_notes(notes))
    for name, value in step.inputs.items():
        if name not in ("notes", "color") and value not in ("", None):
            words.append(f"{name} {_short(value)}")
    text = ", ".join(words)
    return text if len(text) <= _DETAIL else f"{text[:_DETAIL]}…"


def _ways(step: Step) -> Iterator[str]:
    """How the row runs, where that is not as usual."""
    if isinstance(step.on_error, Threshold):
        yield f"stops after {step.on_error.failures} failed items"
    elif step.on_error is not None:
        yield "stops where it fails" if step.on_error == "stop" else "goes on where it fails"
    if step.retry:
        yield f"tried {step.retry} times again"
    if step.timeout is not None:
        yield f"at most {step.timeout:g} s"
    if step.after:
        yield f"after {', '.join(step.after)}"
    if step.accept_partial:
        yield "also with some of its items failed"


def _notes(notes: list[Json]) -> str:
    pitches = [note["n"] for note in notes if isinstance(note, dict) and isinstance(note.get("n"), int)]
    span = f" {pitch_name(min(pitches))}–{pitch_name(max(pitches))}" if pitches else ""
    return f"{len(notes)} notes{span}"


def _short(value: Json) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, dict):
        return " ".join(f"{name} {_short(inner)}" for name, inner in value.items())
    if isinstance(value, list):
        return f"{len(value)} values"
    text = str(value)
    return text if len(text) <= _VALUE else f"{text[: _VALUE // 2]}…{text[-_VALUE // 2 :]}"


def print_run(console: Console, view: RunView) -> None:
    """Print a run: counts of its rows, the rows that are not done, and for what was asked the rows and what was
    measured."""
    ledger = view.ledger
    color = "green" if ledger.done == ledger.approved else "yellow"
    console.print(Text.assemble(f"run {view.record.id} ", (view.state.value, color)))
    if view.approval is None:
        _print_unapproved(console, view)
        return
    console.print(
        f"approved {ledger.approved} = done {ledger.done} + skipped {ledger.skipped} + failed {ledger.failed} "
        f"+ not run {ledger.not_run} + needs review {ledger.needs_review}"
    )
    for row in view.rows:
        if row.state is not StepState.DONE:
            said = f" {row.step} {row.tool}: {row.reason or row.state.value}"
            console.print(Text.assemble("  ", _MARKS[row.state], said))
        if gathered_edits(row):
            _print_waiting(console, view, row)
    if view.answer is not None:
        _print_measured(console, view)
        if view.answer.report is not None:
            print_report(console, view.answer.report)
    if view.record.iteration:
        console.print(f"saved as iteration {view.record.iteration}")


def print_ended(console: Console, view: RunView) -> None:
    """Print a run that has just been carried out, and what can be done about rows that are not done."""
    print_run(console, view)
    _print_next(console, view)


def _print_next(console: Console, view: RunView) -> None:
    """What a person can do about a run that rests, or that has just ended with rows that are not done."""
    run = view.record.id
    bad = [row for row in view.rows if row.state in _OPEN and not gathered_edits(row)]
    if view.state is RunState.WAITING_USER:
        ways = [f"runs resume {run}", f"runs cancel {run}", f"runs rollback {run}"]
    elif view.state in _REOPENED and view.approval is not None and bad:
        most = view.plan.step(bad[0].step).max_edits
        ways = [
            f"runs retry {run}", f"runs skip {run} {bad[0].step}",
            f"runs amend {run} {bad[0].step} {'--inputs JSON' if most is None else '--most N'}",
            *([f"runs rollback {run}"] if view.record.iteration else []),
        ]
    else:
        return
    console.print(Text.assemble(("next: ", "dim"), "bandleader ", ", or ".join(ways)), soft_wrap=True)


def _print_unapproved(console: Console, view: RunView) -> None:
    """A run of which nothing may run yet: why, and what to do about it."""
    if view.state is RunState.PROPOSED:
        console.print(Text(f"waits for your approval: {view.reason}", "yellow"))
        console.print(f"bandleader runs approve {view.record.id} --hash {view.plan.hash or 'HASH'}", soft_wrap=True)
    elif view.reason:
        console.print(Text(view.reason), soft_wrap=True)


def _print_waiting(console: Console, view: RunView, row: RowReport) -> None:
    """The calls whose edits wait in a row, so that a person sees what an approval would commit."""
    for call in row.result["calls"]:
        if call["ok"]:
            console.print(Text(f"      {detail(Step(row.step, call['tool'], call['inputs']))}"))
    console.print(f"      bandleader runs approve {view.record.id} {row.step}, or skip to leave it out", soft_wrap=True)


def _print_measured(console: Console, view: RunView) -> None:
    assert view.answer is not None
    if view.answer.measured:
        table = Table("", "asked", "rows", "measure", "before", "after", box=None, header_style="dim")
        for one in view.answer.measured:
            mark = Text(one.mark, _COLOURS[one.mark])
            rows = ", ".join(one.steps[:6]) + (" …" if len(one.steps) > 6 else "")
            table.add_row(mark, one.asked, rows, one.measure.replace("_", " "), _figure(one.before),
                          _figure(one.after))
        console.print(table)
    for lock in view.answer.locks:
        said = ("unchanged, digests equal", "") if lock.equal else ("CHANGED", "red")
        console.print(Text.assemble(f"lock {lock.target}: ", said, f" ({lock.after[:12]}…)"))
    fence = view.answer.fence
    if fence is not None:
        said = ("unchanged, digests equal", "") if fence.equal else ("CHANGED", "red")
        console.print(Text.assemble(f"all but {fence.target}: ", said, f" ({fence.after[:12]}…)"))


def print_check(console: Console, found: Sequence[Flaw], said: Sequence[Flaw], figures: Description) -> None:
    """Print the song in figures, broken checks (`found`), remarks (`said`) and the verdict."""
    console.print(
        f"{figures.tempo:g} BPM · {figures.key} · {figures.whole.bars} bars · {figures.seconds:.0f} s · "
        f"{figures.whole.notes} notes"
    )
    table = Table(box=None, header_style="dim")
    table.add_column("", no_wrap=True, max_width=_NAME)
    for title in ("notes", "per bar", "from", "to", "velocity", "in key"):
        table.add_column(title, justify="right")
    for section in figures.sections:
        bars = f"{section.first_bar}-{section.last_bar}"
        table.add_row(Text(f"{bars} {section.name}"), *_portrait(section.portrait))
    for track in figures.tracks:
        table.add_row(Text(track.name), *_portrait(track.portrait))
    console.print(table)
    for flaws, mark, color in ((found, "✗", "red"), (said, "·", "dim")):
        for flaw in flaws:
            bar = "" if flaw.bar is None else f", bar {flaw.bar}"
            console.print(Text.assemble((f"{mark} {flaw.rule} ", color), f"({flaw.where}{bar}): {flaw.message}"))
    many = "1 finding" if len(found) == 1 else f"{len(found)} findings"
    console.print(f"{many}: see docs/gate.md" if found else "It passes every check.")


def _portrait(portrait: Portrait) -> tuple[str, ...]:
    pitched = portrait.notes > portrait.percussion_hits
    low, high, fit = (
        (pitch_name(portrait.low), pitch_name(portrait.high), f"{portrait.key_fit:.0%}") if pitched else ("", "", "")
    )
    return (
        str(portrait.notes), f"{portrait.onsets_per_bar:.1f}", low, high, f"{portrait.mean_velocity:.0f}", fit
    )


def print_files(console: Console, files: Mapping[str, str]) -> None:
    """Print files, one a line: the path and what it is."""
    for kind, path in files.items():
        console.print(f"{kind:8}{path}", soft_wrap=True)


def _figure(value: float | str | None) -> str:
    if value is None:
        return ""
    return f"{value:g}" if isinstance(value, float) else str(value)


def print_answer(console: Console, answer: Answer) -> None:
    """Print the answer to a message that is no request."""
    console.print(Text(answer.text))
