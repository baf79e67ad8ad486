"""What comes of reading a model's answer: a draft or a question, or an error that the model can be told."""

from __future__ import annotations

from msgspec import Struct

from agent.plan.errors import PlanError
from agent.plan.plan import Draft
from agent.plan.planning import ClarifyingQuestion


class ParsedAnswer(Struct, frozen=True):
    """A parsed answer. `repairs` are sentences about what was repaired, with which `draft.normalised` begins.

    If there is a `question`, the draft's rows do not count.
    """

    draft: Draft
    repairs: tuple[str, ...] = ()
    question: ClarifyingQuestion | None = None


class UnreadableAnswer(PlanError):
    """Raised for a model's text without a plan; what, why and fix can be shown to the model."""


class TruncatedAnswer(UnreadableAnswer):
    """Raised for a model's text that ends before its plan does."""
