"""The life of a run: its states and the moves between them."""

from __future__ import annotations

from enum import StrEnum

from agent.errors import BandleaderError, Blame
from agent.message import msg
from agent.plan.ledger import Ledger


class RunError(BandleaderError):
    """A run that cannot do what was asked for, as its state forbids it."""

    blame = Blame.RUN


class RunState(StrEnum):
    """The states of a run."""

    DRAFT = "DRAFT"
    PROPOSED = "PROPOSED"
    APPROVED = "APPROVED"
    QUEUED = "QUEUED"
    RUNNING = "RUNNING"
    WAITING_USER = "WAITING_USER"
    COMPLETED = "COMPLETED"
    PARTIAL = "PARTIAL"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"
    NEEDS_REVIEW = "NEEDS_REVIEW"

    @property
    def ended(self) -> bool:
        """Whether the run is over."""
        return self in _ENDS

    @property
    def holds_song(self) -> bool:
        """Whether the run holds the project's working song."""
        return self in (RunState.RUNNING, RunState.WAITING_USER)


_S = RunState
_ENDS = (_S.COMPLETED, _S.PARTIAL, _S.FAILED, _S.CANCELLED, _S.NEEDS_REVIEW)
_MOVES: dict[RunState, tuple[RunState, ...]] = {
    _S.DRAFT: (_S.PROPOSED, _S.FAILED, _S.CANCELLED),
    _S.PROPOSED: (_S.PROPOSED, _S.APPROVED, _S.CANCELLED),
    _S.APPROVED: (_S.QUEUED, _S.RUNNING, _S.PROPOSED, _S.CANCELLED),
    _S.QUEUED: (_S.RUNNING, _S.PROPOSED, _S.CANCELLED),
    _S.RUNNING: (_S.WAITING_USER, *_ENDS),
    _S.WAITING_USER: (_S.RUNNING, *_ENDS),
    _S.PARTIAL: (_S.RUNNING,),
    _S.FAILED: (_S.RUNNING,),
    _S.NEEDS_REVIEW: (_S.RUNNING, _S.CANCELLED),
    _S.COMPLETED: (),
    _S.CANCELLED: (),
}
"""Allowed transitions. PARTIAL, FAILED and NEEDS_REVIEW reopen by retry or skip; COMPLETED and CANCELLED are final."""


def moved(state: RunState, to: RunState) -> RunState:
    """The state `to`, if a run may change to it from `state`. Raises `RunError` if not."""
    if to not in _MOVES[state]:
        raise RunError(msg("a run that is {state} cannot become {to}", state=state, to=to))
    return to


def end_of(ledger: Ledger, *, cancelled: bool) -> RunState:
    """The final state for the counts of a ledger. Raises `RunError` if they do not add up. A run cancelled after its
    last row had ended is complete."""
    if not ledger.balanced:
        raise RunError(msg("the ledger does not balance"), why=msg("{ledger}", ledger=ledger))
    if ledger.needs_review:
        return RunState.NEEDS_REVIEW
    if ledger.done + ledger.skipped == ledger.approved:
        return RunState.COMPLETED
    if cancelled:
        return RunState.CANCELLED
    return RunState.PARTIAL if ledger.done or ledger.partial else RunState.FAILED
