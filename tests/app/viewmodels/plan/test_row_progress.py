"""How a row stands while it runs, from what is told of it."""

from __future__ import annotations

from agent.plan.ledger import StepState
from agent.session import events as ev
from app.viewmodels.plan.row_states import RowProgress, progress_after


def test_a_long_row_runs_from_its_first_progress_on_because_its_start_is_told_with_its_end() -> None:
    row = progress_after(RowProgress(), ev.StepProgress("s", 0.25, "rendering"))
    assert (row.state, row.share) == (StepState.RUNNING, 0.25)
    began = row.began
    assert began is not None
    row = progress_after(row, ev.StepStarted("s", "render"))
    assert (row.state, row.began) == (StepState.RUNNING, began)
    row = progress_after(row, ev.StepDone("s"))
    assert (row.state, row.share) == (StepState.DONE, None)
    assert row.seconds is not None


def test_a_row_that_is_taken_up_again_counts_its_time_anew() -> None:
    failed = progress_after(progress_after(RowProgress(), ev.StepStarted("s", "render")), ev.StepFailed("s", "no"))
    again = progress_after(failed, ev.StepStarted("s", "render"))
    assert again.began is not None
    assert failed.began is not None
    assert again.began > failed.began
