"""What comes of reading a model's answer: a draft or a question, or an error that the model can be told."""

from __future__ import annotations

from msgspec import Struct

from agent.plan.errors import PlanError
from agent.plan.plan import Draft
from agent.plan.planning import ClarifyingQuestion


class ParsedAnswer(Struct, frozen=True):
    """An answer that was read. `repairs` are the sentences on what was mended, which `draft.normalised` begins with.

    With a `question` the draft has no rows that count.
    """

    draft: Draft
    repairs: tuple[str, ...] = ()
    question: ClarifyingQuestion | None = None


class UnreadableAnswer(PlanError):
    """The model's text holds no plan; what, why and fix can be shown to the model."""


class TruncatedAnswer(UnreadableAnswer):
    """The model's text ends before its plan does."""
