"""What a plan comes to: how many rows, what they cost and reach, why it cannot run, and what is known about it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent.plan.document import Plan
from agent.services.registry import Registry
from app.i18n import lazy, tr, trn
from app.viewmodels.edits.locking import kept_words
from app.viewmodels.plan.goals import left_to_model
from app.viewmodels.plan.live_run import LiveRun
from app.viewmodels.plan.proposal import Proposal
from app.viewmodels.plan.row_states import RowMark
from app.viewmodels.plan.rows import PlanRow, PlanTable
from app.viewmodels.plan.sentences import NOTHING, changes_text
from app.viewmodels.texts.figures import clock
from app.viewmodels.texts.money import unknown_price, used


class PlanTotals(Struct, frozen=True):
    """Row counts of a proposed plan, and two texts. `check` counts the rows with findings; `cost` says what planning
    and running cost, `reach` what the plan would change, in the song and outside."""

    steps: int
    approved: int
    left_out: int
    check: int
    cost: str
    reach: str


def totals(table: PlanTable, proposal: Proposal, registry: Registry, *, model: bool = True) -> PlanTotals:
    """The counts and texts of a proposal whose table is `table`; `model` tells whether a model is chosen, not the
    composer."""
    rows = table.rows
    approved = sum(row.approved for row in rows)
    return PlanTotals(
        len(rows), approved, len(rows) - approved,
        sum(row.standing.mark in (RowMark.CHECK, RowMark.ERROR) for row in rows),
        cost_words(proposal.judged.plan, model=model), _reach(proposal, rows, registry),
    )


def cost_words(plan: Plan, *, model: bool = True) -> str:
    """What a plan costs in words: "est. 1,900 tokens · $0.02" if running it asks a model, what planning has used, or
    that it is free. `model` is False for the built-in composer."""
    said = []
    if model and plan.estimate.tokens:
        said.append(tr("est. {amount}", amount=used(plan.estimate.tokens, plan.estimate.cost)))
    elif model and any(left_to_model(step) for step in plan.steps):
        said.append(tr("running asks the model, {cost}", cost=unknown_price()))
    if plan.used.tokens:
        said.append(tr("planned with {amount}", amount=used(plan.used.tokens, plan.used.cost)))
    return "  ·  ".join(said) or tr("free, runs on this computer")


def _reach(proposal: Proposal, rows: Sequence[PlanRow], registry: Registry) -> str:
    tools = [registry.tools.get(row.facts.step.tool) for row in rows if row.approved]
    stored = any(tool is not None and tool.effect == "database" for tool in tools)
    preview = proposal.judged.preview
    said = "" if preview is None or not tools else changes_text(proposal.song, preview.song, preview.changes)
    unseen = preview is not None and any(row.unseen for row in preview.rows)
    if unseen:
        said = f"{'' if said == tr(NOTHING) else said} {tr('Some of it is not known yet.')}".strip()
    back = "" if not said or said == tr(NOTHING) else " " + tr("You can undo it.")
    stores = " " + tr("Saves iterations too.") if stored else ""
    kept = kept_words(proposal.judged.plan.locks, proposal.song)
    return f"{leaving(rows)}{said}{back}{stores}{f' {kept}.' if kept else ''}"


def leaving(rows: Sequence[PlanRow]) -> str:
    """Which approved rows work outside of the song, and through which services: "Leaves the song: files (step 3). ";
    empty if none does."""
    found: dict[str, list[str]] = {}
    for row in rows:
        if row.approved and row.facts.outside:
            found.setdefault(row.facts.outside, []).append(str(row.facts.number))
    if not found:
        return ""
    said = [
        f"{service} ({trn('step {numbers}', 'steps {numbers}', len(numbers), numbers=', '.join(numbers))})"
        for service, numbers in found.items()
    ]
    return tr("Leaves the song: {services}.", services=", ".join(said)) + " "


class LedgerEntry(Struct, frozen=True):
    """The count of the rows in one state; `word` names the state and is translated where it is shown."""

    word: str
    count: int
    mark: RowMark


def ledger_of(table: PlanTable) -> tuple[LedgerEntry, ...]:
    """The counts of the rows by state, without zeros: approved 14 · done 9 · running 1 · failed 1 · waiting 3."""
    marks = [row.standing.mark for row in table.rows if row.approved]
    entries = (
        LedgerEntry(lazy("approved"), len(marks), RowMark.PROPOSED),
        LedgerEntry(lazy("done"), marks.count(RowMark.DONE), RowMark.DONE),
        LedgerEntry(lazy("taken back"), marks.count(RowMark.ROLLED_BACK), RowMark.ROLLED_BACK),
        LedgerEntry(lazy("running"), sum(mark in (RowMark.RUNNING, RowMark.RETRY) for mark in marks), RowMark.RUNNING),
        LedgerEntry(lazy("failed"), marks.count(RowMark.FAILED), RowMark.FAILED),
        LedgerEntry(lazy("needs you"), marks.count(RowMark.REVIEW), RowMark.REVIEW),
        LedgerEntry(lazy("ready"), marks.count(RowMark.READY), RowMark.READY),
        LedgerEntry(lazy("waiting"), marks.count(RowMark.WAITING), RowMark.WAITING),
        LedgerEntry(lazy("skipped"), marks.count(RowMark.SKIPPED), RowMark.SKIPPED),
        LedgerEntry(lazy("not run"), marks.count(RowMark.NOT_RUN), RowMark.NOT_RUN),
    )
    always = ("approved", "done")
    return tuple(entry for entry in entries if entry.count or entry.word in always)


def elapsed(live: LiveRun, now: float, left: float | None = None) -> str:
    """ "Elapsed 0:21, about 0:09 left" while the run goes on, or how far a paused one is. `now` is of
    `time.monotonic()`, `left` the remaining seconds if they are known."""
    if live.paused:
        return paused_words(live.ledger.done, len(live.rows))
    if not live.running or not live.began:
        return ""
    rest = tr(", about {time} left", time=clock(left)) if left is not None and left >= 1 else ""
    return tr("Elapsed {time}", time=clock(now - live.began)) + rest


def paused_words(done: int, steps: int) -> str:
    """How far a paused run is: `done` rows of `steps`."""
    return trn(
        "Paused: {done} of {count} step done, the run holds the song",
        "Paused: {done} of {count} steps done, the run holds the song", steps, done=done,
    )


_MOST = 6


def refusal(found: PlanTotals, errors: str, *, pending: bool) -> str:
    """Why the plan cannot be run now; empty if it can. `errors` are the words of `error_words`, `pending` tells that
    decisions are still being judged."""
    if pending:
        return tr("The plan is being checked again.")
    if found.approved == 0:
        return tr("No step is approved.")
    return errors


def error_words(table: PlanTable, proposal: Proposal) -> str:
    """The first error that forbids the approval, with the number of its step and how many more there are; empty if
    there are none."""
    errors = proposal.judged.errors
    if not errors:
        return ""
    numbers = {row.id: row.facts.number for row in table.rows}
    first = errors[0]
    where = tr("Step {number}:", number=numbers[first.step]) + " " if first.step in numbers else ""
    more = " " + tr("(and {count} more)", count=len(errors) - 1) if len(errors) > 1 else ""
    return f"{tr('Cannot run.')} {where}{first.message}{more}"


def about(proposal: Proposal) -> str:
    """What was understood of the request, what was not, and why the plan is as it is, in sentences."""
    plan = proposal.plan
    said = (
        tr("Understood: {what}", what="; ".join(plan.understood)) if plan.understood else "",
        tr("Not understood: {what}", what="; ".join(plan.ignored)) if plan.ignored else "",
        tr("Read as: {what}", what="; ".join(plan.normalised)) if plan.normalised else "",
        _gone(proposal),
        plan.analysis, plan.musical_reasoning,
        *(one.message for one in proposal.judged.plan.lint if not one.step),
    )
    return "\n".join(text for text in said if text) or tr("Nothing more is known about this plan.")


def _gone(proposal: Proposal) -> str:
    """Rows that are left out since they were asked for again."""
    gone = () if proposal.replan_diff is None else proposal.replan_diff.gone
    named = ", ".join(f"“{step.title or step.tool.rpartition('.')[2].replace('_', ' ')}”" for step in gone[:_MOST])
    more = " " + tr("and {count} more", count=len(gone) - _MOST) if len(gone) > _MOST else ""
    return tr("No longer in the plan: {steps}", steps=f"{named}{more}") if gone else ""
