"""What a decision on some rows means for others, in words."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from app.desktop.review.proposal import Proposal
from app.desktop.review.redone import steps_named
from app.words import trn

_NAMED = 4
"""Rows that are named one by one."""


def numbered(proposal: Proposal, steps: Collection[str]) -> str:
    """ "steps 3 and 5"; "12 steps" where they are many."""
    numbers = [number for number, step in enumerate(proposal.plan.steps, 1) if step.id in steps]
    return steps_named(numbers) if len(numbers) <= _NAMED else trn("{count} step", "{count} steps", len(numbers))


def fallen_words(proposal: Proposal, rejected: Collection[str], fallen: Sequence[str]) -> str:
    """That rows will not run because they need others that were just rejected."""
    said = trn(
        "{steps} needs {sources} and will not run.", "{steps} need {sources} and will not run.", len(fallen),
        steps=numbered(proposal, fallen), sources=numbered(proposal, rejected),
    )
    return said[:1].upper() + said[1:]


def needed_words(proposal: Proposal, steps: Collection[str], sources: Sequence[str]) -> str:
    """That rows cannot run without others that are rejected."""
    said = trn(
        "{steps} needs {sources}, which is rejected.", "{steps} need {sources}, which is rejected.", len(steps),
        steps=numbered(proposal, steps), sources=numbered(proposal, sources),
    )
    if len(sources) > 1:
        said = trn(
            "{steps} needs {sources}, which are rejected.", "{steps} need {sources}, which are rejected.", len(steps),
            steps=numbered(proposal, steps), sources=numbered(proposal, sources),
        )
    return said[:1].upper() + said[1:]
