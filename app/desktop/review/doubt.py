"""Rows that take music away wait unticked where the request did not plainly ask for it, or was not all understood."""

from __future__ import annotations

from agent.plan.decision import Reject
from agent.review.deletions import unasked
from agent.review.review import Review

IN_DOUBT = "it takes music away, and the request did not plainly ask for that"
"""The reason of a rejection that no person has made."""


def left_unticked(judged: Review) -> dict[str, Reject]:
    """The rows of a plan that are to be rejected until a person approves them."""
    plan = judged.plan
    if not plan.clauses and not plan.ignored:
        return {}
    return {step: Reject(step, IN_DOUBT) for step in unasked(plan)}
