"""Why a plan cannot run, and what is known about it."""

from __future__ import annotations

from app.desktop.review.proposal import Proposal
from app.desktop.table.plan_rows import PlanTable
from app.desktop.table.plan_totals import PlanTotals
from app.words import tr

_MOST = 6


def refusal(found: PlanTotals, errors: str, *, pending: bool) -> str:
    """Why the plan cannot be run now; empty if it can."""
    if pending:
        return tr("The plan is being checked again.")
    if found.approved == 0:
        return tr("No step is approved.")
    return errors


def error_words(table: PlanTable, proposal: Proposal) -> str:
    """What forbids the approval, with the number of its step."""
    errors = proposal.judged.errors
    if not errors:
        return ""
    numbers = {row.id: row.facts.number for row in table.rows}
    first = errors[0]
    where = tr("Step {number}:", number=numbers[first.step]) + " " if first.step in numbers else ""
    more = " " + tr("(and {count} more)", count=len(errors) - 1) if len(errors) > 1 else ""
    return f"{tr('Cannot run.')} {where}{first.message}{more}"


def about(proposal: Proposal) -> str:
    """What was understood, what was not, and why the plan is as it is."""
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
    gone = () if proposal.redone is None else proposal.redone.gone
    named = ", ".join(f"“{step.title or step.tool.rpartition('.')[2].replace('_', ' ')}”" for step in gone[:_MOST])
    more = " " + tr("and {count} more", count=len(gone) - _MOST) if len(gone) > _MOST else ""
    return tr("No longer in the plan: {steps}", steps=f"{named}{more}") if gone else ""
