"""What came of a change: rows by task, what could not be done, where bars lie now, what was assumed."""

from __future__ import annotations

from dataclasses import dataclass

from agent.composer.changing.time.moved_bars import MovedBars
from agent.plan.plan import StepId


@dataclass(frozen=True)
class Changed:
    """The outcome of all tasks: which rows serve each, and the reason for each that could not be done (`blocked`, by
    task number)."""

    serving: dict[int, tuple[StepId, ...]]
    """Rows by the number of the task in `Intent.tasks`."""
    blocked: dict[int, str]
    moved: MovedBars | None = None
    """Where bars lie now; None where none has moved."""
    assumed: tuple[str, ...] = ()
    """What was taken for what the song has under another name."""
