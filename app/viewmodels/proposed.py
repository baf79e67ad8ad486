"""What is proposed to the open song at this moment: by a plan under review, or by the rest of a run."""

from __future__ import annotations

from msgspec import Struct

from agent.plan.ledger import StepState
from app.viewmodels.open_project import OpenProject
from app.viewmodels.plan.ghosts import Ghosts, ghosts_of
from app.viewmodels.plan.proposal import Proposal


class Proposed(Struct, frozen=True):
    """A proposal (None: there is none) and the ids of its rows that a run has carried out already."""

    proposal: Proposal | None = None
    done: frozenset[str] = frozenset()


def proposed_now(opened: OpenProject) -> Proposed:
    """The plan of the run under way, else the one under review, else the one that a paused run belongs to."""
    live, proposal = opened.running.live.value, opened.reviewing.proposal.value
    if live is not None and live.running:
        done = frozenset(step for step, row in live.rows.items() if row.state == StepState.DONE)
        return Proposed(live.proposal, done)
    if proposal is None and live is not None and live.waiting is not None:
        proposal = live.waiting.proposal
    return Proposed(proposal)


def ghosts_now(opened: OpenProject) -> Ghosts:
    """The ghosts of what is proposed; none while the overlay is off."""
    if not opened.focus.overlay.value:
        return Ghosts()
    now = proposed_now(opened)
    return ghosts_of(opened.workspace.song, now.proposal, now.done)
