"""Reading a model's whole answer: JSON as asked for, sloppy JSON, or a plan in plain text."""

from __future__ import annotations

from collections.abc import Sequence

from agent.message import msg
from agent.model_planner.reading.answer_mending import answer_from
from agent.model_planner.reading.answered import ParsedAnswer, TruncatedAnswer, UnreadableAnswer
from agent.model_planner.reading.json_finding import find_json
from agent.model_planner.reading.text_form import read_text_plan
from agent.plan.tool import ToolSpec

__all__ = ["ParsedAnswer", "TruncatedAnswer", "UnreadableAnswer", "read_answer"]


def read_answer(text: str, tools: Sequence[ToolSpec]) -> ParsedAnswer:
    """Parse a complete answer.

    Accepts exact JSON, JSON among prose and fences, sloppy JSON, and the plain-text form, in this order. Raises
    `TruncatedAnswer` if the text ends before the plan does, `UnreadableAnswer` for any other text without a plan;
    nothing else, whatever the text.
    """
    try:
        return _read(text, tools)
    except RecursionError:
        raise UnreadableAnswer(msg("the answer is nested too deeply"), fix=msg("write the plan as flat rows")) from None


def _read(text: str, tools: Sequence[ToolSpec]) -> ParsedAnswer:
    found = find_json(text)
    if found is not None:
        return answer_from(found.value, tools, found.repairs)
    plan = read_text_plan(text, tools)
    if plan is None:
        raise UnreadableAnswer(
            msg("the answer holds no plan"),
            why=msg("it begins with {text!r}", text=text.strip()[:80]) if text.strip() else msg("it is empty"),
            fix=msg("answer with one JSON object that has `steps`, and nothing around it"),
        )
    return plan
