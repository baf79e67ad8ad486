"""What a plan comes to, for the line under its table: how many rows, what they cost and what they reach."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent.plan.document import Plan
from agent.plan.ledger import StepState
from agent.services.registry import Registry
from app.desktop.figures import clock, counted
from app.desktop.goals import left_to_model
from app.desktop.live_run import LiveRun
from app.desktop.locking import kept_words
from app.desktop.money import UNKNOWN, used
from app.desktop.plan_changes import NOTHING, changes_text
from app.desktop.plan_rows import PlanRow, PlanTable
from app.desktop.reviewing import Proposal
from app.desktop.row_states import Mark


class PlanTotals(Struct, frozen=True):
    """Counts of a proposed plan, and its sentences."""

    steps: int
    approved: int
    left_out: int
    check: int
    edits: int
    """How many rows the person changed or rejected."""
    errors: tuple[PlanRow, ...]
    cost: str
    reach: str


def totals(table: PlanTable, proposal: Proposal, registry: Registry, *, model: bool = True) -> PlanTotals:
    """The totals of a proposal whose table this is; `model` tells whether a model is chosen, not the composer."""
    rows = table.rows
    approved = sum(row.approved for row in rows)
    return PlanTotals(
        len(rows), approved, len(rows) - approved,
        sum(row.standing.mark in (Mark.CHECK, Mark.ERROR) for row in rows),
        len(proposal.changes) + len(proposal.rejections),
        tuple(row for row in rows if row.standing.mark is Mark.ERROR),
        cost_words(proposal.judged.plan, model=model), _reach(proposal, rows, registry),
    )


def cost_words(plan: Plan, *, model: bool = True) -> str:
    """ "est. 1,900 tokens · $0.02" of a run that asks a model, what planning has used, or that all of it is free."""
    said = []
    if model and plan.estimate.tokens:
        said.append(f"est. {used(plan.estimate.tokens, plan.estimate.cost)}")
    elif model and any(left_to_model(step) for step in plan.steps):
        said.append(f"running asks the model, {UNKNOWN}")
    if plan.used.tokens:
        said.append(f"planned with {used(plan.used.tokens, plan.used.cost)}")
    return "  ·  ".join(said) or "free, runs on this computer"


def _reach(proposal: Proposal, rows: Sequence[PlanRow], registry: Registry) -> str:
    tools = [registry.tools.get(row.facts.step.tool) for row in rows if row.approved]
    stored = any(tool is not None and tool.effect == "database" for tool in tools)
    preview = proposal.judged.preview
    said = "" if preview is None or not tools else changes_text(proposal.song, preview.song, preview.changes)
    unseen = preview is not None and any(row.unseen for row in preview.rows)
    if unseen:
        said = f"{'' if said == NOTHING else said} Some of it is not known yet.".strip()
    back = "" if not said or said == NOTHING else " You can undo it."
    kept = kept_words(proposal.judged.plan.locks, proposal.song)
    return f"{leaving(rows)}{said}{back}{' Saves iterations too.' if stored else ''}{f' {kept}.' if kept else ''}"


def leaving(rows: Sequence[PlanRow]) -> str:
    """Which approved rows leave the song, and through which services: "Leaves the song: files (step 3). "."""
    found: dict[str, list[str]] = {}
    for row in rows:
        if row.approved and row.facts.outside:
            found.setdefault(row.facts.outside, []).append(str(row.facts.number))
    if not found:
        return ""
    said = [
        f"{service} ({'step' if len(numbers) == 1 else 'steps'} {', '.join(numbers)})"
        for service, numbers in found.items()
    ]
    return f"Leaves the song: {', '.join(said)}. "


class LedgerEntry(Struct, frozen=True):
    """One count of the ledger line."""

    word: str
    count: int
    mark: Mark


def ledger_of(table: PlanTable) -> tuple[LedgerEntry, ...]:
    """approved 14 · done 9 · running 1 · failed 1 · waiting 3, and what else there is."""
    marks = [row.standing.mark for row in table.rows if row.approved]
    entries = (
        LedgerEntry("approved", len(marks), Mark.PROPOSED),
        LedgerEntry("done", marks.count(Mark.DONE), Mark.DONE),
        LedgerEntry("rolled back", marks.count(Mark.ROLLED_BACK), Mark.ROLLED_BACK),
        LedgerEntry("running", sum(mark in (Mark.RUNNING, Mark.RETRY) for mark in marks), Mark.RUNNING),
        LedgerEntry("failed", marks.count(Mark.FAILED), Mark.FAILED),
        LedgerEntry("needs you", marks.count(Mark.REVIEW), Mark.REVIEW),
        LedgerEntry("ready", marks.count(Mark.READY), Mark.READY),
        LedgerEntry("waiting", marks.count(Mark.WAITING), Mark.WAITING),
        LedgerEntry("skipped", marks.count(Mark.SKIPPED), Mark.SKIPPED),
        LedgerEntry("not run", marks.count(Mark.NOT_RUN), Mark.NOT_RUN),
    )
    always = ("approved", "done")
    return tuple(entry for entry in entries if entry.count or entry.word in always)


def elapsed(live: LiveRun, now: float, left: float | None = None) -> str:
    """ "Elapsed 0:21, about 0:09 left" while it runs; `now` is of `time.monotonic()`, `left` seconds if they are known.

    Of a run that rests, how far it is.
    """
    if live.paused:
        return paused_words(live.ledger.done, live.ledger.done + _to_come(live))
    if not live.running or not live.began:
        return ""
    rest = f", about {clock(left)} left" if left is not None and left >= 1 else ""
    return f"Elapsed {clock(now - live.began)}{rest}"


def paused_words(done: int, steps: int) -> str:
    """Where a run rests."""
    return f"Paused: {done} of {counted(steps, 'step')} done, the run holds the song"


def _to_come(live: LiveRun) -> int:
    return sum(row.state is not StepState.DONE for row in live.rows.values())
