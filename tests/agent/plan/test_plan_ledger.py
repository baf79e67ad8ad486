"""The account always balances, or says that it does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.plan.ledger import StepState, balance
from agent.session.run_state import RunError, RunState, end_of, moved

ENDS = [state for state in StepState if state.ended]


@given(st.lists(st.sampled_from(ENDS)))
@pytest.mark.semantics("8.1")
def test_rows_that_have_ended_balance(states: list[StepState]) -> None:
    ledger = balance(states)
    assert ledger.balanced
    assert ledger.approved == len(states)
    assert end_of(ledger, cancelled=False) is not RunState.COMPLETED or not ledger.failed + ledger.not_run


@given(st.lists(st.sampled_from(list(StepState))), st.sampled_from([StepState.WAITING, StepState.RUNNING]))
@pytest.mark.semantics("8.4")
def test_a_row_that_has_not_ended_leaves_the_ledger_open(states: list[StepState], open_state: StepState) -> None:
    ledger = balance([*states, open_state])
    assert not ledger.balanced
    with pytest.raises(RunError, match="does not balance"):
        end_of(ledger, cancelled=False)


@pytest.mark.parametrize(
    ("states", "cancelled", "end"),
    [
        (["done", "skipped"], False, "COMPLETED"),
        (["done", "done"], True, "COMPLETED"),
        (["done", "not_run"], True, "CANCELLED"),
        (["not_run"], True, "CANCELLED"),
        (["done", "failed"], False, "PARTIAL"),
        (["done", "partial"], False, "PARTIAL"),
        (["failed", "not_run"], False, "FAILED"),
        (["partial"], False, "PARTIAL"),
        (["failed"], False, "FAILED"),
        (["done", "needs_review"], False, "NEEDS_REVIEW"),
        (["done", "needs_review"], True, "NEEDS_REVIEW"),
        ([], False, "COMPLETED"),
    ],
)
@pytest.mark.semantics("8.3")
def test_the_end_of_a_run_follows_from_its_rows(states: list[str], cancelled: bool, end: str) -> None:
    assert end_of(balance(StepState(state) for state in states), cancelled=cancelled) == end


@pytest.mark.semantics("8.2", "9.5")
def test_what_is_final_stays_final() -> None:
    for state in (RunState.COMPLETED, RunState.CANCELLED):
        for to in RunState:
            with pytest.raises(RunError, match="cannot become"):
                moved(state, to)
    assert moved(RunState.PARTIAL, RunState.RUNNING) is RunState.RUNNING
