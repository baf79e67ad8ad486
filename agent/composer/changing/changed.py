"""What came of a change: rows by task, what could not be done, where bars lie now, what was assumed."""

from __future__ import annotations

from msgspec import Struct

from agent.composer.changing.time.moved_bars import MovedBars
from agent.plan.plan import StepId


class Changed(Struct, frozen=True):
    """The outcome of all tasks, by their index in `Intent.tasks`: the ids of the rows that serve each (`serving`), and
    the reason for each that could not be done (`blocked`).

    `moved` maps old bars to new ones (None: no bar moved). `assumed` are sentences that say which sections a word was
    taken for, where no section bears that name.
    """

    serving: dict[int, tuple[StepId, ...]]
    blocked: dict[int, str]
    moved: MovedBars | None = None
    assumed: tuple[str, ...] = ()
