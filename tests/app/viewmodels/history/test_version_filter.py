"""Which versions are shown: what is left is joined where versions between are hidden."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent.song.ids import IterationId, ProjectId
from agent.song.revision import ContentHash
from app.storage.records import Iteration
from app.viewmodels.history.version_filter import VersionFilter, author_of, shown_versions
from app.viewmodels.history.version_reasons import reasons


def version(number: int, parent: int | None, source: str = "edit", label: str = "") -> Iteration:
    author = "composer" if source == "ai_iteration" else "person"
    return Iteration(
        IterationId(f"i{number}"), ProjectId("p"), ContentHash("r"), source, author,  # type: ignore[arg-type]
        parent=None if parent is None else IterationId(f"i{parent}"), number=number, label=label,
    )


TREE = (
    version(5, 2, "edit", "Louder"), version(4, 3, "ai_iteration", "Warmer pads"), version(3, 2, "edit", "Softer"),
    version(2, 1, "ai_iteration", "First sketch"), version(1, None, "import", "night.mid"),
)


def numbers(wanted: VersionFilter, names: dict[str, str] | None = None, head: str = "i4") -> list[int]:
    found = shown_versions(TREE, names or {}, wanted, IterationId(head))  # type: ignore[arg-type]
    return [one.number for one in found]


def test_each_filter_alone() -> None:
    assert numbers(VersionFilter()) == [5, 4, 3, 2, 1]
    assert numbers(VersionFilter(no_hand=True)) == [4, 2, 1]
    assert numbers(VersionFilter(no_hand=True), {"i3": "Keep"}) == [4, 3, 2, 1]
    assert numbers(VersionFilter(named=True), {"i2": "A"}) == [4, 2]
    assert numbers(VersionFilter(author="agent")) == [4, 2]
    assert numbers(VersionFilter(author="import")) == [4, 1]
    assert numbers(VersionFilter(words="PADS warm")) == [4]
    assert numbers(VersionFilter(words="#3")) == [3]
    assert numbers(VersionFilter(words="cafe"), {"i1": "Café, cafe"}) == [1]


def test_what_is_left_hangs_on_the_nearest_that_is_shown() -> None:
    found = shown_versions(TREE, {}, VersionFilter(no_hand=True), IterationId("i4"))
    assert [one.parent for one in found] == ["i2", "i1", None]


def test_three_kinds_of_authors() -> None:
    assert [author_of(one) for one in TREE] == ["you", "agent", "you", "agent", "import"]


@given(st.lists(st.booleans(), min_size=5, max_size=5), st.sampled_from(["", "pads", "s"]))
def test_no_parent_is_hidden_for_any_filter(flags: list[bool], words: str) -> None:
    wanted = VersionFilter(words, flags[0], flags[1], "agent" if flags[2] else None)
    names = {IterationId("i3"): "Name"} if flags[3] else {}
    found = shown_versions(TREE, names, wanted, IterationId("i5"))
    listed = {one.id for one in found}
    assert all(one.parent is None or one.parent in listed for one in found)
    assert [one.number for one in found] == sorted((one.number for one in found), reverse=True)


def test_what_can_be_done_and_why_not() -> None:
    five, four, _, two, _ = TREE
    alone = reasons([two], TREE, five.id, running=False)
    assert (alone.compare, alone.restore, alone.branch, alone.at_end) == ("", "", "", False)
    assert alone.pair == (two, five)
    assert reasons([four], TREE, five.id, running=False).at_end
    here = reasons([five], TREE, five.id, running=False)
    assert here.pair is None
    assert "current" in here.restore
    assert "next change" in here.branch
    held = reasons([two], TREE, five.id, running=True)
    assert held.restore == held.branch == "A run holds the song"
    assert held.compare == ""
    assert reasons([two, four], TREE, five.id, running=False).pair == (two, four)
    assert reasons([], TREE, five.id, running=False).branch
