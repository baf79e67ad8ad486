"""What became of each clause of a request, as the conversation shows it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from agent.plan.document import Plan
from agent.plan.plan import Clause
from app.i18n import tr
from app.viewmodels.chat.entries import ClauseLine


def clauses_of(said: str, planned: str, plan: Plan) -> tuple[Clause, ...]:
    """The clauses of a plan that occur in what was said, with character offsets there. `planned` is the part of it that
    was planned; the plan's request may contain more."""
    at, moved = plan.request.rfind(planned), said.find(planned)
    if not planned or at < 0 or moved < 0:
        return ()
    return tuple(
        replace(one, start=one.start - at + moved, end=one.end - at + moved) for one in plan.clauses
        if at <= one.start < one.end <= at + len(planned)
    )


def clauses_said(said: str, plan: Plan, behind: int) -> tuple[Clause, ...]:
    """The clauses of a plan's request that begin at character `behind` or later, with their offsets in `said`, the
    person's words; clauses that are not literally in `said` are left out. If only one clause is new and not found, it
    covers all of `said`."""
    spoken, new = said.casefold(), [one for one in plan.clauses if one.start >= behind]
    found = ((spoken.find(one.text.casefold()), one) for one in new)
    there = tuple(replace(one, start=at, end=at + len(one.text)) for at, one in found if at >= 0 and one.text)
    if not there and len(new) == 1:
        return (replace(new[0], text=said, start=0, end=len(said)),)
    return there


def clause_lines(plan: Plan) -> tuple[ClauseLine, ...]:
    """The outcome of each clause of a plan's request, with the numbers of its rows; empty if the whole request is one
    clause, and done."""
    if len(plan.clauses) == 1 and plan.clauses[0].outcome == "done":
        return ()
    numbers = {step.id: number for number, step in enumerate(plan.steps, 1)}
    return tuple(
        ClauseLine(one, tuple(sorted(numbers[step] for step in one.steps if step in numbers))) for one in plan.clauses
    )


def clause_words(one: Clause) -> str:
    """A clause in its own words with the reason: "move the solo to the end: I cannot do that yet"."""
    if one.outcome == "done" and not one.reason:
        return one.text
    return tr("{clause}: {reason}", clause=one.text, reason=one.reason or outcome_words(one))


def outcome_words(one: Clause) -> str:
    """The outcome of a clause in two or three words."""
    match one.outcome:
        case "done":
            return tr("in the plan")
        case "asked":
            return tr("a question")
        case "told":
            return tr("in the plan in part") if one.steps else tr("not done")


def accessible_clauses(clauses: Sequence[Clause]) -> str:
    """All clauses with their outcomes, for screen readers."""
    return " ".join(
        f"{one.text}: {outcome_words(one)}{f', {one.reason}' if one.outcome != 'done' and one.reason else ''}."
        for one in clauses
    )
