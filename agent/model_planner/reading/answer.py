"""Reading a model's answer: its rows while it streams, and the whole, as JSON asked for, sloppy JSON or plain text."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from agent.message import msg
from agent.model_planner.reading.answer_mending import answer_from
from agent.model_planner.reading.answer_scanner import AnswerScanner
from agent.model_planner.reading.answered import ParsedAnswer, TruncatedAnswer, UnreadableAnswer
from agent.model_planner.reading.json_finding import find_json
from agent.model_planner.reading.row_mending import RowMender
from agent.model_planner.reading.text_form import read_text_plan
from agent.plan.plan import Step
from agent.plan.tool import ToolSpec


class AnswerReader:
    """Takes a streamed answer in pieces of any size and returns each row once, when its closing brace has arrived.

    The rows are for display only: `read_answer` on the whole text decides which count. Never raises; what cannot be
    read as a row gives none. The cost of all pieces together is linear.
    """

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        self._pieces: list[str] = []
        self._scanner = AnswerScanner()
        self._mender = RowMender(tools)

    @property
    def text(self) -> str:
        """All text fed so far."""
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    def feed(self, text: str) -> tuple[Step, ...]:
        """Add a piece of text and return the rows that it completed."""
        self._pieces.append(text)
        completed = self._scanner.feed(text)
        if not completed:
            return ()
        whole = self.text
        return tuple(step for span in completed if (step := self._row(whole[span.start:span.end])) is not None)

    def _row(self, text: str) -> Step | None:
        try:
            return self._mender.row(msgspec.json.decode(text))
        except (UnreadableAnswer, msgspec.DecodeError, ValueError, RecursionError):
            return None


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
