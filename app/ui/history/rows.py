"""Iterations, the proposed plan and the run as rows of the history, in words; without Qt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from agent.song.ids import IterationId, RunId
from app.desktop.conversation import shortened
from app.desktop.figures import counted
from app.desktop.live_run import LiveRun
from app.desktop.moments import clock_time
from app.desktop.reviewing import Proposal
from app.storage.records import Iteration
from app.studio.undo import walked
from app.ui.history.graph import Place, places

Kind = Literal["iteration", "plan", "run"]
Author = Literal["you", "agent"]
_DONE = {"import": "opened", "restore": "restored"}


class HistoryRow(Struct, frozen=True):
    """What a row shows. `dim` is a step of undo or redo; `when` is already in words."""

    kind: Kind
    title: str
    about: str
    author: Author
    when: str = ""
    current: bool = False
    dim: bool = False
    place: Place = Place(0)
    iteration: Iteration | None = None

    @property
    def id(self) -> IterationId | None:
        """The iteration's id; None for a plan and a run."""
        return None if self.iteration is None else self.iteration.id

    @property
    def run(self) -> RunId | None:
        """The run that made it."""
        return None if self.iteration is None else self.iteration.run

    @property
    def spoken(self) -> str:
        """The whole row for a screen reader."""
        kind = {"plan": "Proposed plan", "run": "Run", "iteration": "Iteration"}[self.kind]
        now = ", current" if self.current else ""
        return f"{kind} {self.title}, {self.about}{now}{f', {self.when}' if self.when else ''}"


def history_rows(
    iterations: Sequence[Iteration], head: IterationId | None, proposal: Proposal | None, live: LiveRun | None
) -> tuple[HistoryRow, ...]:
    """All rows, newest first; what is not an iteration yet stands on top."""
    number = (iterations[0].number if iterations else 0) + 1
    above = _pending(proposal, live, number)
    rows = [_row(one, place, head) for one, place in zip(iterations, places(iterations, head), strict=True)]
    return (*above, *rows)


def _pending(proposal: Proposal | None, live: LiveRun | None, number: int) -> list[HistoryRow]:
    if live is not None and live.running:
        done = f"{live.ledger.done} of {counted(len(live.plan.steps), 'step')}"
        return [HistoryRow("run", _title(live.plan.request), f"{number}  Bandleader  {done}, running", "agent", "now")]
    if proposal is not None:
        steps = counted(len(proposal.plan.steps), "step")
        return [HistoryRow("plan", _title(proposal.plan.request), f"{number}  Bandleader  {steps}, not run", "agent")]
    return []


def _row(one: Iteration, place: Place, head: IterationId | None) -> HistoryRow:
    planned = one.source == "ai_iteration"
    noun = "step" if planned else "change"
    size = counted(one.actions, noun) if one.actions else _DONE.get(one.source, "")
    author: Author = "agent" if planned and one.author != "person" else "you"
    about = "  ".join(part for part in (str(one.number), "Bandleader" if author == "agent" else "You", size) if part)
    return HistoryRow(
        "iteration", _title(one.label), about, author, clock_time(one.created), one.id == head,
        walked(one) is not None, place, one,
    )


def _title(words: str) -> str:
    return shortened(words) or "Untitled"
