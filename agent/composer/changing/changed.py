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
    """Ids of the rows for each task, by the task's index in `Intent.tasks`."""
    blocked: dict[int, str]
    moved: MovedBars | None = None
    """Maps old bars to new ones; None if no bar moved."""
    assumed: tuple[str, ...] = ()
    """Sentences that say which sections a word was taken for, where no section bears that name."""
