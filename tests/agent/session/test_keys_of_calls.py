"""The key of a call: the same for the same item of an approved run, and no other's."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent.session.row_context import idempotency_key

names = st.text("abs01-_", min_size=1, max_size=6)
calls = st.tuples(names, names, names, st.integers(-1, 200))


@given(calls, calls)
def test_two_calls_have_one_key_only_if_they_are_the_same(
    one: tuple[str, str, str, int], other: tuple[str, str, str, int]
) -> None:
    assert (idempotency_key(*one) == idempotency_key(*other)) == (one == other)


def test_names_that_run_together_are_told_apart() -> None:
    keys = {
        idempotency_key(*call)
        for call in [("r1", "h", "s", 1), ("r", "1h", "s", 1), ("r", "1", "hs", 1), ("r1", "h", "s1", 1)]
    }
    assert len(keys) == 4
