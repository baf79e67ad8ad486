"""The account of a run: every approved row is done, or has a reason why not."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct


class StepState(StrEnum):
    """The state of a row. The last six are final."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    SKIPPED = "skipped"
    PARTIAL = "partial"
    FAILED = "failed"
    NOT_RUN = "not_run"
    NEEDS_REVIEW = "needs_review"

    @property
    def ended(self) -> bool:
        """Whether nothing more happens to the row by itself."""
        return self not in (StepState.WAITING, StepState.RUNNING)


class Ledger(Struct, frozen=True):
    """Counts of rows by their final state. `failed` includes the `partial` ones; `approved` is the number of all
    rows."""

    approved: int
    done: int = 0
    skipped: int = 0
    failed: int = 0
    not_run: int = 0
    needs_review: int = 0
    partial: int = 0
    """How many of the failed rows did some of their items."""

    @property
    def balanced(self) -> bool:
        """Whether every approved row is accounted for."""
        return self.approved == self.done + self.skipped + self.failed + self.not_run + self.needs_review


def balance(states: Iterable[StepState]) -> Ledger:
    """The ledger of rows in these states."""
    counts = dict.fromkeys(StepState, 0)
    for state in states:
        counts[state] += 1
    return Ledger(
        approved=sum(counts.values()),
        done=counts[StepState.DONE],
        skipped=counts[StepState.SKIPPED],
        failed=counts[StepState.FAILED] + counts[StepState.PARTIAL],
        not_run=counts[StepState.NOT_RUN],
        needs_review=counts[StepState.NEEDS_REVIEW],
        partial=counts[StepState.PARTIAL],
    )
