"""Changes by hand as groups: what is folded together, and what stands for itself."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent.song.ids import IterationId, ProjectId
from agent.song.revision import ContentHash
from app.storage.records import Iteration, Source
from app.viewmodels.history.version_groups import FEWEST, VersionGroup, grouped

Made = tuple[int, Source, str]
"""Number of the parent, source, message."""


def tree(*made: Made) -> tuple[Iteration, ...]:
    """Versions numbered from 1, newest first."""
    return tuple(
        Iteration(IterationId(f"i{number}"), ProjectId("p"), ContentHash("r"), source, "person",
                  IterationId(f"i{parent}") if parent else None, message, f"Change {number}", number=number)
        for number, (parent, source, message) in enumerate(made, 1)
    )[::-1]


def shape(*made: Made, names: dict[str, str] | None = None, head: int = 0) -> list[int | list[int]]:
    """Numbers, newest first; those of a group in a list."""
    known = {IterationId(name): words for name, words in (names or {}).items()}
    found = grouped(tree(*made), known, IterationId(f"i{head or len(made)}"))
    return [[one.number for one in unit.members] if isinstance(unit, VersionGroup) else unit.number for unit in found]


ROOT: Made = (0, "edit", "")


def line(count: int, first: int = 1) -> list[Made]:
    return [(first + at, "edit", "") for at in range(count)]


def test_edits_undo_and_redo_are_one_group_and_the_root_is_none_of_it() -> None:
    made = [ROOT, *line(3), (4, "restore", "undo i3"), (5, "restore", "undo i2"), (6, "restore", "redo i3")]
    assert shape(*made) == [[7, 6, 5, 4, 3, 2], 1]
    [group, _] = grouped(tree(*made), {}, IterationId("i7"))
    assert isinstance(group, VersionGroup)
    assert (group.words, group.key) == ("3 changes by hand, 2 undone, 1 redone", "i2")
    assert (group.folded.id, group.folded.parent) == ("i7", "i1")


def test_few_stand_for_themselves() -> None:
    assert shape(ROOT, *line(FEWEST - 1)) == [3, 2, 1]
    assert shape(ROOT, *line(FEWEST)) == [[4, 3, 2], 1]


def test_runs_files_restores_branches_and_names_stand_alone() -> None:
    for source, message in (
        ("ai_iteration", "softer"), ("import", ""), ("restore", "restore i2"), ("restore", "branch i4"), ("merge", ""),
    ):
        parted: Made = (4, source, message)  # type: ignore[assignment]
        made = [ROOT, *line(3), parted, *line(3, 5)]
        if source != "ai_iteration":
            assert shape(*made) == [[8, 7, 6], 5, [4, 3, 2], 1]
    assert shape(ROOT, *line(7), names={"i5": "Keep"}) == [[8, 7, 6], 5, [4, 3, 2], 1]


def test_a_fork_and_the_current_version_end_a_group() -> None:
    assert shape(ROOT, *line(4), (3, "edit", ""), *line(3, 6)) == [[9, 8, 7, 6], 5, 4, 3, 2, 1]
    assert shape(ROOT, *line(6), head=4) == [[7, 6, 5], [4, 3, 2], 1]


@given(st.lists(st.tuples(st.integers(1, 30), st.sampled_from(["edit", "ai_iteration", "restore"])), max_size=30),
       st.integers(1, 31))
def test_nothing_is_lost_and_every_group_is_a_chain(rows: list[tuple[int, Source]], head: int) -> None:
    made: list[Made] = [ROOT, *((min(parent, at), source, f"undo i{parent}") for at, (parent, source) in
                                enumerate(rows, 1))]
    versions = tree(*made)
    found = grouped(versions, {}, IterationId(f"i{head}"))
    flat = [one for unit in found for one in (unit.members if isinstance(unit, VersionGroup) else (unit,))]
    assert flat == list(versions)
    for unit in found:
        if isinstance(unit, VersionGroup):
            assert len(unit.members) >= FEWEST
            for newer, older in zip(unit.members, unit.members[1:], strict=False):
                assert newer.parent == older.id
                assert [one.id for one in versions if one.parent == older.id] == [newer.id]
            assert f"i{head}" not in [one.id for one in unit.members[1:]]
