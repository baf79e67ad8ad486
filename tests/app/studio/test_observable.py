"""Who emits hears of no listener's fault while somebody else takes it."""

from __future__ import annotations

import pytest

from app.studio.observable import Observable


def fails(_: int) -> None:
    raise ValueError("a view broke")


def test_a_fault_of_a_listener_is_told_to_the_newest_guard_and_the_others_hear_the_value() -> None:
    source: Observable[int] = Observable()
    heard: list[int] = []
    first: list[Exception] = []
    newest: list[Exception] = []
    source.listen(fails)
    source.listen(heard.append)
    source.guard(first.append)
    ended = source.guard(newest.append)
    source.emit(1)
    assert (heard, len(first), len(newest)) == ([1], 0, 1)
    ended()
    source.emit(2)
    assert (heard, len(first), len(newest)) == ([1, 2], 1, 1)


def test_a_fault_that_nobody_takes_reaches_the_one_who_emits() -> None:
    source: Observable[int] = Observable()
    ended = source.guard(lambda _: None)
    ended()
    source.listen(fails)
    with pytest.raises(ValueError, match="a view broke"):
        source.emit(1)
