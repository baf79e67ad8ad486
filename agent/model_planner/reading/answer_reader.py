"""Rows of a plan while its answer streams in."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from agent.model_planner.reading.answer_scanner import AnswerScanner
from agent.model_planner.reading.answered import UnreadableAnswer
from agent.model_planner.reading.row_mending import RowMender
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
