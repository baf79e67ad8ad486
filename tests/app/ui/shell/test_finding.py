"""What is found by a few letters, and in which order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ui.shell.finding import SearchEntry, found

WORDS = (
    "Hear the plan", "Play", "Plan overlay", "Approve and run 12", "Whole song", "Zoom in", "Discard plan…",
    "Solo track",
)


def entries(*words: str, group: str = "View", reason: str = "") -> list[SearchEntry]:
    return [SearchEntry(one, one, group, lambda: None, reason=reason) for one in words]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("pla", "Play"), ("plan", "Plan overlay"), ("overlay", "Plan overlay"), ("hp", "Hear the plan"),
        ("zin", "Zoom in"), ("song whole", "Whole song"), ("APPROVE", "Approve and run 12"), ("disc", "Discard plan…"),
        ("xyz", ""), ("lay", "Play"),
    ],
)
def test_the_best_comes_first(typed: str, first: str) -> None:
    best = found(entries(*WORDS), typed)
    assert (best[0].id if best else "") == first
    assert (typed == "xyz") == (not best)


def test_with_nothing_typed_all_are_listed_those_used_last_first() -> None:
    listed = [one.id for one in found(entries(*WORDS), "", ("Zoom in", "gone", "Play"))]
    assert listed[:2] == ["Zoom in", "Play"]
    assert sorted(listed) == sorted(WORDS)


def test_of_equals_the_one_that_is_possible_and_used_comes_first() -> None:
    two = [*entries("Mute track", reason="No track is selected"), *entries("Mute tracks")]
    assert [one.id for one in found(two, "mute")] == ["Mute tracks", "Mute track"]
    assert [one.id for one in found(entries("Mute A", "Mute B"), "mute", ("Mute B",))] == ["Mute B", "Mute A"]


def test_the_group_is_found_too_but_counts_less() -> None:
    both = [*entries("Bass", group="Track"), *entries("Track menu", group="View")]
    assert [one.id for one in found(both, "track")] == ["Track menu", "Bass"]
    assert [one.id for one in found(both, "track bass")] == ["Bass"]


@given(st.text(max_size=20), st.lists(st.text(max_size=30), max_size=8))
def test_whatever_is_typed_finds_only_what_there_is(typed: str, words: list[str]) -> None:
    there = [SearchEntry(str(at), one, "Group", lambda: None) for at, one in enumerate(words)]
    best = found(there, typed)
    assert len({one.id for one in best}) == len(best) <= len(there)
    letters = set("".join(typed.casefold().split()))
    for one in best:
        assert letters <= set(f"{one.words} {one.group}".casefold())


@given(st.sampled_from(WORDS))
def test_whole_words_find_their_entry_first(words: str) -> None:
    assert found(entries(*WORDS), words)[0].id == words
