"""The same origin always gives the same id, whether it is asked for alone or with many."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent.song.ids import Kind, derive, derive_many

PARTS = st.one_of(st.text(st.characters(exclude_characters="\x1f"), max_size=9), st.integers(0, 99))


@given(st.lists(PARTS, max_size=4), st.integers(0, 5_000))
def test_many_of_an_origin_have_the_ids_that_each_has_alone(origin: list[str | int], number: int) -> None:
    assert derive_many(Kind.NOTE, *origin)(number) == derive(Kind.NOTE, *origin, number)


def test_ids_stay_as_they_are_in_projects_that_are_stored() -> None:
    assert derive(Kind.NOTE, "plan", "s1", 0, "", 7) == "n2gslo4ey2pui"
