"""Where nodes and lines of the version tree stand, for any tree."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent.song.ids import IterationId, ProjectId
from agent.song.revision import ContentHash
from app.storage.records import Iteration
from app.ui.history.graph import branches, places


def tree(parents: list[int | None]) -> list[Iteration]:
    """Iterations newest first; number n has the parent that stands at n - 1 in the list."""
    made = [
        Iteration(
            IterationId(f"i{number}"), ProjectId("p"), ContentHash("r"), "edit", "person",
            parent=None if parent is None else IterationId(f"i{parent}"), number=number,
        )
        for number, parent in enumerate(parents, 1)
    ]
    return made[::-1]


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[Iteration], IterationId]:
    count = draw(st.integers(1, 25))
    parents = [None, *(draw(st.integers(max(1, n - 4), n)) for n in range(1, count))]
    return tree(parents), IterationId(f"i{draw(st.integers(1, count))}")


def test_a_straight_line_stands_in_one_lane() -> None:
    found = places(tree([None, 1, 2]), IterationId("i3"))
    assert [(place.lane, place.above, place.below) for place in found] == [
        (0, False, True), (0, True, True), (0, True, False)
    ]
    assert branches(tree([None, 1, 2])) == 1


def test_a_branch_has_a_lane_of_its_own_until_its_fork() -> None:
    found = places(tree([None, 1, 2, 1]), IterationId("i4"))
    assert [place.lane for place in found] == [0, 1, 1, 0]
    assert found[1].through == (0,)
    assert found[3].joins == (1,)
    assert branches(tree([None, 1, 2, 1])) == 2


def test_a_parent_that_is_not_listed_ends_the_line() -> None:
    [newer, _, oldest] = tree([None, 1, 2])
    found = places([newer, oldest], newer.id)
    assert not found[0].below
    assert not found[1].above


@given(trees())
def test_every_line_leads_from_a_node_to_its_parent(case: tuple[list[Iteration], IterationId]) -> None:
    iterations, head = case
    found = places(iterations, head)
    rows = {one.id: at for at, one in enumerate(iterations)}
    chain, one = set(), iterations[rows[head]]
    while True:
        chain.add(one.id)
        if one.parent is None:
            break
        one = iterations[rows[one.parent]]
    for at, place in enumerate(found):
        passing = {
            found[child].lane for child, other in enumerate(iterations[:at])
            if other.parent is not None and rows[other.parent] > at
        }
        assert set(place.through) == passing
    for at, (version, place) in enumerate(zip(iterations, found, strict=True)):
        assert (place.lane == 0) == (version.id in chain)
        assert place.lane not in place.through
        assert place.below == (version.parent is not None)
        if version.parent is None:
            continue
        end = rows[version.parent]
        between = found[at + 1:end]
        assert all(place.lane in row.through for row in between)
        assert place.lane == found[end].lane or place.lane in found[end].joins
