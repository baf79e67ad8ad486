"""Joining an answer that was cut off with what the model went on with."""

from __future__ import annotations

from agent.model_planner.answer_scanner import scanned
from agent.model_planner.json_finding import holds_whole


def spliced(before: str, after: str) -> str:
    """Both as one text, without what the continuation repeats."""
    for size in range(min(len(before), len(after), 4000), 7, -1):
        if before.endswith(after[:size]):
            return before + after[size:]
    return before + after


def is_whole(text: str) -> bool:
    """Whether the text holds a complete answer."""
    return holds_whole(text)


def tail_for_continuation(text: str, *, characters: int = 600) -> str:
    """The end of the model's own text, to show it where to go on."""
    return text[-characters:]


def resume_words(text: str) -> str:
    """What has arrived, in a sentence for the model: rows that are complete, and notes of the open one."""
    outline = scanned(text)
    complete = [row for row in outline.rows if row.end is not None]
    return f"{len(complete)} rows are complete."
