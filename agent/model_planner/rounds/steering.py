"""What the person types while a plan is made: kept in order, for every part that is planned."""

from __future__ import annotations

from collections.abc import Callable


class Steering:
    """All words so far. Each reader keeps its own place, because asking the window takes the words from it."""

    def __init__(self, poll: Callable[[], tuple[str, ...]]) -> None:
        self._poll = poll
        self._words: list[str] = []

    def since(self, place: int) -> tuple[str, ...]:
        """The words after the first `place` ones."""
        self._words += [word for word in self._poll() if word.strip()]
        return tuple(self._words[place:])

    @property
    def spoke(self) -> bool:
        """Whether anything was said."""
        return bool(self._words)
