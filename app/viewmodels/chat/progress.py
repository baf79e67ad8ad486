"""What is heard of a planner while it works: what it does, its rows, what it waits for and what it has used."""

from __future__ import annotations

import asyncio

from agent.plan.plan import Step
from agent.plan.planning import Countdown, PlannerEvent, Spent, StepProposed, StepsWithdrawn, Thinking
from app.i18n import lazy, tr
from app.viewmodels.watched import Watched

_ROWS_EVERY = 0.05
"""Seconds between two updates of the rows so far; each update copies all of them."""
_WRITING = lazy("Writing the plan")


class PlanningProgress:
    """What a planner does, as observable values: its action, rows, waiting time and usage."""

    def __init__(self) -> None:
        self.doing = Watched("")
        """What is being done for a request, in words; empty when nothing is."""
        self.rows = Watched(0)
        """How many rows the plan that is being written has so far."""
        self.drafting: Watched[tuple[Step, ...]] = Watched(())
        """These rows, for as long as the plan is being written; they may come a little later than their number."""
        self.countdown: Watched[Countdown | None] = Watched(None)
        """What the planner waits for before it tries again."""
        self.spent: Watched[Spent | None] = Watched(None)
        """What planning the last request has used of a model; None for nothing."""
        self._steps: list[Step] = []
        self._soon: asyncio.TimerHandle | None = None

    def begin(self, doing: str) -> None:
        """A request is being planned from now on; `doing` says so in words."""
        self._withdraw()
        self.countdown.set(None)
        self.spent.set(None)
        self.doing.set(doing)

    def hear(self, event: PlannerEvent) -> None:
        """Update the values from an event of the planner."""
        if not isinstance(event, Countdown | Spent):
            self.countdown.set(None)
        match event:
            case Thinking(text=text):
                # What is said first is what was understood, which the plan tells better.
                again = self.doing.value == tr(_WRITING) or bool(self._steps)
                self.doing.set(" ".join(text.split()) if again and text.strip() else tr(_WRITING))
            case StepProposed(step=step):
                self._steps.append(step)
                self.rows.set(len(self._steps))
                if self._soon is None:
                    self._soon = asyncio.get_running_loop().call_later(_ROWS_EVERY, self._show_rows)
            case StepsWithdrawn():
                self._withdraw()
            case Countdown():
                self.countdown.set(event)
            case Spent():
                self.spent.set(event)
            case _:
                pass

    def end(self) -> None:
        """Nothing is being planned any more; usage and number of rows can still be read."""
        self._steps = []
        self._drop()
        self.drafting.set(())
        self.countdown.set(None)
        self.doing.set("")

    def _withdraw(self) -> None:
        self._steps = []
        self._drop()
        self.rows.set(0)
        self.drafting.set(())

    def _show_rows(self) -> None:
        self._soon = None
        self.drafting.set(tuple(self._steps))

    def _drop(self) -> None:
        if self._soon is not None:
            self._soon.cancel()
            self._soon = None
