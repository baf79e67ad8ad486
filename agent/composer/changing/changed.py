"""What came of a change: rows by task, what could not be done, where bars lie now, what was assumed."""

from __future__ import annotations

from dataclasses import dataclass

from agent.composer.changing.time.moved_bars import MovedBars
from agent.plan.plan import StepId


@dataclass(frozen=True)
class Changed:
    """The outcome of all tasks, by their index in `Intent.tasks`: the ids of the rows that serve each (`serving`), and
    the reason for each that could not be done (`blocked`).

    `moved` maps old bars to new ones (None: no bar moved). `assumed` are sentences that say which sections a word was
    taken for, where no section bears that name.
    """

    serving: dict[int, tuple[StepId, ...]]
    blocked: dict[int, str]
    moved: MovedBars | None = None
    assumed: tuple[str, ...] = ()
