"""What is made ready for the same words and songs is made once, and never for others."""

from __future__ import annotations

from agent.composer.same_objects import once_for_same


def test_a_value_is_made_once_for_the_same_objects_and_anew_for_equal_ones() -> None:
    made: list[list[str]] = []

    @once_for_same
    def ready(words: list[str], more: list[str]) -> list[str]:
        made.append(words)
        return [*words, *more]

    some, more = ["a"], ["b"]
    first = ready(some, more)
    assert ready(some, more) is first
    assert ready(list(some), more) == first
    assert [one is some for one in made] == [True, False]


def test_as_many_objects_as_one_likes_may_take_turns() -> None:
    lists = [[number] for number in range(20)]
    ready = once_for_same(lambda numbers: sum(numbers))
    assert [ready(one) for one in (*lists, *lists)] == [*range(20), *range(20)]
